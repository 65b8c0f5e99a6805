import { type AddressingMode, opcodes } from '../../../chips/mos6510/opcodes.ts';

/** How an operand is written, before its size is known. */
export type OperandShape = 'implied' | 'accumulator' | '#' | 'plain' | ',x' | ',y' | '(,x)' | '(),y' | '()';

export type Instruction = ReadonlyMap<AddressingMode, number>;

/** The modes a shape can mean: with a byte, with a word. */
export const modesOf: Readonly<
  Record<OperandShape, readonly [AddressingMode | undefined, AddressingMode | undefined]>
> = {
  implied: ['implied', undefined],
  accumulator: ['accumulator', undefined],
  '#': ['immediate', undefined],
  plain: ['zeropage', 'absolute'],
  ',x': ['zeropage,x', 'absolute,x'],
  ',y': ['zeropage,y', 'absolute,y'],
  '(,x)': ['(zeropage,x)', undefined],
  '(),y': ['(zeropage),y', undefined],
  '()': [undefined, '(absolute)'],
};

/** Other names, each with the instructions whose modes it takes (the first that has the mode wins). */
const aliases: Readonly<Record<string, string>> = {
  axs: 'sbx sax',
  sax: 'sax sbx',
  aax: 'sax',
  lax: 'lax lxa',
  dcm: 'dcp',
  isb: 'isc',
  ins: 'isc',
  aso: 'slo',
  rln: 'rla',
  lse: 'sre',
  rrd: 'rra',
  asr: 'alr',
  aac: 'anc',
  xaa: 'ane',
  lxa: 'lxa',
  atx: 'lxa',
  oal: 'lxa',
  lar: 'las',
  lae: 'las',
  lds: 'las',
  ahx: 'sha',
  axa: 'sha',
  sxa: 'shx',
  xas: 'shx tas',
  sya: 'shy',
  say: 'shy',
  shs: 'tas',
  kil: 'jam',
  hlt: 'jam',
  cim: 'jam',
  crp: 'jam',
  blt: 'bcc',
  bge: 'bcs',
};

const table = new Map<string, Map<AddressingMode, number>>();
for (const documented of [true, false]) {
  for (const row of opcodes.filter((candidate) => candidate.documented === documented)) {
    const name = row.mnemonic.toLowerCase();
    const modes = table.get(name) ?? new Map<AddressingMode, number>();
    if (!modes.has(row.mode)) modes.set(row.mode, row.opcode);
    table.set(name, modes);
  }
}
const merged = Object.entries(aliases).map(([alias, names]): [string, Map<AddressingMode, number>] => {
  const sources = names.split(' ').reverse();
  return [alias, new Map(sources.flatMap((name) => [...(table.get(name) ?? [])]))];
});
for (const [alias, modes] of merged) table.set(alias, modes);

/** ca65's long branches: a branch where it reaches, else the opposite branch around a jmp. */
export const longBranches: ReadonlyMap<string, string> = new Map(
  ['eq', 'ne', 'cc', 'cs', 'mi', 'pl', 'vc', 'vs'].map((condition): [string, string] => [
    `j${condition}`,
    `b${condition}`,
  ]),
);
for (const [name, branch] of longBranches) table.set(name, table.get(branch) ?? new Map());

const nop = table.get('nop') ?? new Map<AddressingMode, number>();
const nopIn = (...modes: AddressingMode[]) => modes.map((mode): [AddressingMode, number] => [mode, nop.get(mode) ?? 0]);
// Without an operand the skipped bytes are the next instruction: the opcode stands alone.
for (const name of ['dop', 'skb'])
  table.set(name, new Map([['implied', 0x80], ...nopIn('immediate', 'zeropage', 'zeropage,x')]));
for (const name of ['top', 'skw']) table.set(name, new Map([['implied', 0x0c], ...nopIn('absolute', 'absolute,x')]));

/** Every mnemonic, in small letters, with its modes and their opcodes. */
export const instructions: ReadonlyMap<string, Instruction> = table;

const widths: Readonly<Record<string, 1 | 2>> = {
  b: 1,
  z: 1,
  zp: 1,
  zeropage: 1,
  zpx: 1,
  zpy: 1,
  w: 2,
  a: 2,
  abs: 2,
  absolute: 2,
  absx: 2,
  absy: 2,
};

/** Reads `lda`, `LDA.w`, `lda.z`; undefined when it is no instruction. */
export function instructionNamed(
  text: string,
): { readonly name: string; readonly instruction: Instruction; readonly bytes?: 1 | 2 } | undefined {
  if (text.length < 3) return undefined;
  const [name = '', suffix] = text.toLowerCase().split('.');
  const instruction = table.get(name);
  if (!instruction) return undefined;
  if (suffix === undefined) return { name, instruction };
  const bytes = widths[suffix];
  return bytes === undefined ? undefined : { name, instruction, bytes };
}
