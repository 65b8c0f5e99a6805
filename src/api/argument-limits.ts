import type { z } from 'zod';
import { MachineError } from '../machine/errors.ts';

/** Of a list whose schema sets no limit, or of anything but numbers. */
const mostItems = 1000;
/** Names in one object, known or not. */
const mostNames = 256;
/** Of a text whose schema sets no limit: names, paths, addresses. */
export const usualMostChars = 4096;
/** Lists and objects in each other. Whoever follows them deeper runs out of stack. */
const deepest = 64;
/** In a call's arguments altogether, to be kept in the journal. */
const mostKept = { values: 20_000, chars: 1_000_000, depth: 100 } as const;

/** What is looked at of a schema. */
interface Shape {
  readonly def: {
    readonly type: string;
    readonly innerType?: Shape;
    readonly element?: Shape;
    readonly options?: readonly Shape[];
    readonly checks?: readonly {
      readonly _zod: { readonly def: { readonly check: string; readonly maximum?: number } };
    }[];
    readonly valueType?: Shape;
    readonly shape?: Readonly<Record<string, Shape>>;
  };
  readonly maxLength?: number | null;
}

/**
 * Refuses arguments that are too large before anybody looks at them closely: checking a million wrong items, and saying
 * what is wrong with each, would take longer than any call may.
 */
export function refuseExcess(what: string, schema: z.ZodObject, raw: unknown, mostChars: number): void {
  check(what, '', schema as unknown as Shape, raw, mostChars);
  if (isDeeper(raw, deepest))
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${what.slice(0, 60)}: the arguments are nested deeper than ${deepest} levels.`,
      'No tool takes that: give values as its description says.',
      { limit: deepest },
    );
  if (hasUnseenName(raw))
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${what.slice(0, 60)}: unknown argument __proto__.`,
      'Nothing has that name: leave it out and call again.',
    );
}

/** A name that means something to JavaScript itself: what checks arguments passes it over without a word. */
function hasUnseenName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasUnseenName);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** Whether arguments are worth keeping as they came. */
export function isModest(raw: unknown): boolean {
  let [values, chars] = [0, 0];
  const fits = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') chars += value.length;
    if (++values > mostKept.values || chars > mostKept.chars || depth > mostKept.depth) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((each) => fits(each, depth + 1));
  };
  return fits(raw, 0);
}

function check(what: string, path: string, schema: Shape, value: unknown, mostChars: number): void {
  const { type, innerType, element, options, valueType, shape, checks = [] } = schema.def;
  if (innerType) {
    check(what, path, innerType, value, mostChars);
    return;
  }
  if (options) {
    const wanted = Array.isArray(value) ? 'array' : typeof value;
    const option = options.find(({ def }) => def.type === wanted) ?? options[0];
    if (option) check(what, path, option, value, mostChars);
    return;
  }
  // Checked by whoever knows what it is.
  if (type === 'unknown') return;
  if (typeof value === 'string') {
    const most = schema.maxLength ?? mostChars;
    if (value.length > most) throw excess(what, path, value.length, 'characters', most);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const declared = checks.map(({ _zod }) => _zod.def).find(({ check: name }) => name === 'max_length')?.maximum;
    const most = element?.def.type === 'number' ? (declared ?? mostItems) : mostItems;
    if (value.length > most) throw excess(what, path, value.length, 'items', most);
    if (element) for (const [index, item] of value.entries()) check(what, `${path}.${index}`, element, item, mostChars);
    return;
  }
  const names = Object.keys(value);
  if (names.length > mostNames) throw excess(what, path, names.length, 'names', mostNames);
  for (const [name, item] of Object.entries(value)) {
    if (name.length > usualMostChars) throw excess(what, path, name.length, 'characters in a name', usualMostChars);
    const inner = shape && Object.hasOwn(shape, name) ? shape[name] : valueType;
    if (inner) check(what, `${path}.${name}`, inner, item, mostChars);
  }
}

function excess(what: string, path: string, count: number, unit: string, most: number): MachineError {
  const [given, limit] = [count, most].map((number) => number.toLocaleString('en-US'));
  const where = path === '' ? 'the arguments' : path.slice(1, 60);
  return new MachineError(
    'INVALID_ARGUMENT',
    `${what.slice(0, 60)}: ${where} has ${given} ${unit}, and ${limit} is the limit.`,
    'Give less at once, or put it into a file where the tool takes one.',
    { limit: most },
  );
}
