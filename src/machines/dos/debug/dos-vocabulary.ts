import { registerPlaces } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { Reading, Vocabulary } from '../../shared/condition/condition.ts';
import { numericRegisters } from './numeric-registers.ts';

export const flagBits: Readonly<Record<string, number>> = {
  cf: 0,
  pf: 2,
  af: 4,
  zf: 6,
  sf: 7,
  tf: 8,
  if: 9,
  df: 10,
  of: 11,
};
const segments = ['cs', 'ds', 'es', 'ss', 'fs', 'gs'] as const;

/** What names in conditions mean on a PC. Memory is linear; `ds[si]` is a byte through a segment. */
export class DosVocabulary implements Vocabulary {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #values: ReadonlyMap<string, Reading>;
  readonly #rows: ReadonlyMap<string, (index: number) => number>;
  /** The access that was watched last: memory or a port. */
  access = { address: 0, value: 0 };

  constructor(cpu: X86, symbols: SymbolTable) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#values = new Map<string, Reading>([
      ...[...registerPlaces.keys()].map((name): [string, Reading] => [name, () => cpu.get(name)]),
      ...numericReadings(cpu),
      ...Object.entries(flagBits).map(([name, bit]): [string, Reading] => [name, () => (cpu.get('flags') >> bit) & 1]),
      ...segments.map((name): [string, Reading] => [`${name}.base`, () => cpu.baseOf(name)]),
      ['pc', () => cpu.pc],
      ['instructions', () => cpu.instructions],
      ['value', () => this.access.value],
      ['address', () => this.access.address],
      ['port', () => this.access.address],
    ]);
    this.#rows = new Map(segments.map((name) => [name, (offset: number) => cpu.peek(this.#addressIn(name, offset))]));
  }

  get names(): readonly string[] {
    return [...this.#values.keys(), ...[...this.#rows.keys()].map((name) => `${name}[offset]`)];
  }

  value(name: string): Reading | undefined {
    const own = this.#values.get(name.toLowerCase());
    if (own) return own;
    const symbol = this.#symbols.address(name);
    if (symbol === undefined) return undefined;
    const address = Number(symbol);
    return () => address;
  }

  /** The linear address of an offset in a segment. */
  addressIn(name: string, offset: number): number {
    const segment = segments.find((each) => each === name);
    if (segment === undefined) throw new RangeError(`no segment ${name}`);
    return this.#addressIn(segment, offset);
  }

  #addressIn(name: (typeof segments)[number], offset: number): number {
    const cpu = this.#cpu;
    return cpu.isProtected ? (cpu.baseOf(name) + offset) >>> 0 : cpu.get(name) * 16 + (offset & 0xffff);
  }

  row(name: string): ((index: number) => number) | undefined {
    return this.#rows.get(name.toLowerCase());
  }

  peek(address: number, bytes: 1 | 2 | 4 | 8): number {
    const cpu = this.#cpu;
    if (bytes <= 2) return bytes === 1 ? cpu.peek(address) : cpu.peek(address) | (cpu.peek(address + 1) << 8);
    let value = 0;
    for (let index = bytes - 1; index >= 0; index--) value = value * 256 + cpu.peek(address + index);
    return value;
  }
}

/** Numbers on the coprocessor's stack count as near as 53 bits come to them. */
function numericReadings({ coprocessor }: X86): [string, Reading][] {
  if (!coprocessor) return [];
  return [...numericRegisters.values()].map(({ name, number }) => [name, () => number(coprocessor)]);
}
