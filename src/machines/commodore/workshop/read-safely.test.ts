import { expect, test } from 'vitest';
import { assembleSafely, readSymbolsSafely, tokeniseSafely } from './read-safely.ts';

const { signal } = new AbortController();
const assembled = (source: string) => assembleSafely(source, 'a.asm', signal);
const firstError = async (source: string) => (await assembled(source)).errors[0]?.message;
const nested = (depth: number, head: string, end: string) => `${head}\n`.repeat(depth) + `${end}\n`.repeat(depth);

test('a source is assembled, short or long', async () => {
  const short = await assembled('* = $c000\nstart: inc $d020\n jmp start\nhalf = 1.5\n');
  expect([short.origin, [...short.bytes]]).toEqual([0xc000, [0xee, 0x20, 0xd0, 0x4c, 0, 0xc0]]);
  expect(short.symbols).toEqual([
    { name: 'start', address: 0xc000, isConstant: false },
    { name: 'half', address: 1, isConstant: true },
  ]);
  expect(short.lines).toContainEqual({ address: 0xc003, length: 3, file: 'a.asm', line: 3 });
  const long = await assembled(`* = $c000\nstart: inc $d020\n jmp start\n${'; more\n'.repeat(5000)}`);
  expect([...long.bytes]).toEqual([...short.bytes]);
});

test.for([
  ['empty repetitions within each other', nested(3, '.repeat 60000', '.endrepeat'), /too long/],
  ['repetitions of nothing but a name', '.repeat 60000, i\n.repeat 60000, j\n.endrepeat\n.endrepeat', /too long/],
  ['a loop without end', '.for (var i = 0; i < 1; i = i) {\n}', /does not end|too long/],
  ['loops within a loop', '!for i, 1, 60000 {\n!for j, 1, 60000 {\n}\n}', /too long/],
  ['a macro that calls itself twice', '.macro m\nm\nm\n.endmacro\nm', /nested more than 64/],
  ['macros that double each other', macros(30), /too long|statements/],
  ['much written to one place', '.repeat 60000\n* = $1000\n.fill 60000, 1\n.endrepeat', /too long/],
  ['long sums repeated', `.repeat 60000\n.byte <(${Array(3000).fill('1').join('+')})\n* = 0\n.endrepeat`, /too long/],
] as const)('%s end with an error', { timeout: 60_000 }, async ([, source, message]) => {
  expect(await firstError(source)).toMatch(message);
});

test.for([
  ['brackets', `.byte ${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
  ['braces', '{\n'.repeat(100_000)],
  ['labels', 'a: '.repeat(100_000)],
] as const)('%s without end are an error', { timeout: 60_000 }, async ([, source]) => {
  const outcome = await assembled(source).then(
    ({ errors }) => errors[0]?.message,
    (error: Error) => error.message,
  );
  expect(outcome).toMatch(/nested too deeply|not closed|already defined|does not end/);
});

test('BASIC in one line without end is an error', async () => {
  const { errors } = await tokeniseSafely(`10 print ${'{'.repeat(400_000)}`, 'a.bas', signal);
  expect(errors[0]?.message).toContain('more than 2000 characters');
  const fine = await tokeniseSafely(`10 print "hello"\n${'\n'.repeat(3000)}`, 'a.bas', signal);
  expect(fine.errors).toEqual([]);
  expect(fine.bytes.length).toBeGreaterThan(10);
});

test('files of symbols that are long, empty or lie are read to an end', { timeout: 60_000 }, async () => {
  expect(await readSymbolsSafely('al C:c000 .start\n'.repeat(1000), 'a.lbl', signal)).toMatchObject({ format: 'vice' });
  await expect(readSymbolsSafely('al C:c000 .start\n'.repeat(40_000), 'a.lbl', signal)).rejects.toThrow('32768');
  expect(await readSymbolsSafely('\n'.repeat(60_000), 'a.lbl', signal)).toBeUndefined();
  const circle =
    'version\tmajor=2\nscope\tid=0,name="a",parent=1\nscope\tid=1,name="b",parent=0\nsym\tid=0,name="x",scope=0,val=0x1,type=lab\n';
  await expect(readSymbolsSafely(circle, 'a.dbg', signal)).rejects.toThrow();
  await expect(readSymbolsSafely('x'.repeat(9 * 1024 * 1024), 'a.lbl', signal)).rejects.toThrow('8388608 is the limit');
});

function macros(count: number): string {
  const lines = ['.macro m0', '.endmacro'];
  for (let number = 1; number < count; number++) {
    lines.push(`.macro m${number}`, `m${number - 1}`, `m${number - 1}`, '.endmacro');
  }
  return [...lines, `m${count - 1}`].join('\n');
}
