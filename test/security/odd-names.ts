/** Names that mean something to JavaScript, or that look like others, or that are no text at all. */
export const oddNames: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'e\u0301',
  '\u202eabc\u202c',
  'a\u200bb',
  'x\ud800y',
  '\udfff',
  '\u{1f600}',
  'a\0b',
  '\ufeff',
  '\uff11\uff12',
  '/\ud800/',
  '[constructor] == 1',
  'constructor == 1',
  'toString+1',
];

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];
/** In the place of the name of a member. */
const anyName = Symbol('any name');
type Place = readonly (string | number | typeof anyName)[];

const deepest = 5;

/** Every place in arguments of this shape where a value, or the name of one, can stand. */
export function* placesIn(schema: Schema, path: Place = []): Generator<Place> {
  if (path.length > deepest) return;
  if (path.length > 0) yield path;
  const choices = [schema.anyOf, schema.oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  for (const choice of choices) yield* placesIn(Object(choice), path);
  for (const [name, inner] of Object.entries(Object(schema.properties ?? {}))) {
    if (path.length > 0 || name !== 'machine') yield* placesIn(Object(inner), [...path, name]);
  }
  if (schema.items) yield* placesIn(Object(schema.items), [...path, 0]);
  const { additionalProperties: others } = schema;
  if (typeof others === 'object' && others !== null) yield* placesIn(Object(others), [...path, anyName]);
}

/** `input` with the name at that place; what leads to it is made. */
export function withName(
  input: Readonly<Record<string, unknown>>,
  place: Place,
  name: string,
): Record<string, unknown> {
  const path: Path = place.map((part) => (part === anyName ? name : part));
  const isMember = place.at(-1) === anyName;
  const build = ([first, ...rest]: Path, within: unknown): unknown => {
    if (first === undefined) return isMember ? 1 : name;
    if (typeof first === 'number') return [build(rest, undefined)];
    const there = typeof within === 'object' && within !== null && !Array.isArray(within) ? { ...within } : {};
    const value = build(rest, Object.hasOwn(there, first) ? Reflect.get(there, first) : undefined);
    // An assignment to `__proto__` would make no member of it.
    return Object.defineProperty(there, first, { value, enumerable: true, writable: true, configurable: true });
  };
  return build(path, input) as Record<string, unknown>;
}
