import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

/** Texts that mean something to some tool, and some that mean trouble. */
const words = [
  ...['c64', 'dos', 'console', 'm-c64', 'm-dos', 'm-console', 'nobody', '', ' ', 'all', 'auto', 'own'],
  ...['$C000', '0x400', 'c000h', '0100:0020', 'ds:si', '-1', '99999999999999999999', 'start+5', 'pc', 'a', 'ax', 'cs'],
  ...['raster_line == 100', 'a == 5 && [0x400] != 3', '((((', 'word[ax]', '1', 'x <'],
  ...['a9 ?? 8d', '"text"', '00', 'login:', '/a+b/', '/(/', '/(.*a){25}/', '^c', 'ctrl-c', 'f1', 'return', 'run_stop'],
  ...['ram', 'cpu', 'io', 'vic', 'sid', 'drive8', 'cartridge', 'tape', 'A', 'C', 'serial0', 'COM1', 'new'],
  ...['file.prg', 'disk.d64', 'tape.tap', 'cart.crt', 'floppy.img', 'prog.com', 'text.txt', 'labels.lbl', 'out.bin'],
  ...['../../etc/passwd', '/etc/passwd', '/dev/zero', 'a\0b', 'folder', 'folder/deep/new.bin', '/proc/self/mem', '~'],
  ...[
    '10 print "hi"\n20 goto 10',
    'lda #1\nrts',
    'mov ax, 1\nint 21h',
    'hello\r',
    '{"a":1}',
    '\u202e\u0000\ud800',
    '\x1b[31m',
  ],
  ...['127.0.0.1', '__proto__', 'constructor', 'toString', 'start', 'stop', 'read', 'hex', 'screen', 'json'],
];

const texts = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  fc.constantFrom('x'.repeat(5000), '('.repeat(2000), '9'.repeat(400), 'é中😀'.repeat(100)),
);
const wholes = [0, 1, 2, 5, 16, 100, 1000, 65_535, 65_536, -1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 53)];
const numbers = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...wholes) },
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anything = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));

/** Values as a schema wants them, mostly: some have another type, some are beyond the limits. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 24, arbitrary: proper(schema) }, anything);
}

function proper(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.map((each: Schema) => valuesOf(each)));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return texts;
    case 'integer':
    case 'number':
      return within(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(Object(schema.items ?? {})), { maxLength: 4 });
    case 'object':
      return objects(schema);
    default:
      return anything;
  }
}

function within({ minimum = -1000, maximum = 100_000 }: Schema): fc.Arbitrary<number> {
  const [low, high] = [Number(minimum), Number(maximum)];
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: low, max: Math.min(high, low + 2 ** 31) }) },
    fc.constantFrom(low, high, low - 1, high + 1),
    numbers,
  );
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(Object(schema.properties ?? {})) as [string, Schema][];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = properties.map(([name, each]) =>
    fc
      .tuple(fc.nat(required.includes(name) ? 30 : 3), valuesOf(each))
      .map(([dice, value]) => ((required.includes(name) ? dice === 0 : dice > 0) ? [] : [[name, value] as const])),
  );
  const extra = fc
    .tuple(fc.nat(12), texts, anything)
    .map(([dice, name, value]) => (dice === 0 || properties.length === 0 ? [[name, value] as const] : []));
  return fc.tuple(...entries, extra).map((lists) => Object.fromEntries(lists.flat()));
}
