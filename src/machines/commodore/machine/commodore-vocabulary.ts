import { fields as cpu, getStatus } from '../../../chips/mos6510/registers.ts';
import { ownValue } from '../../../formats/own-value.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { Reading, Vocabulary } from '../../shared/condition/condition.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';

/** What names in conditions mean on a Commodore. */
export class CommodoreVocabulary implements Vocabulary {
  readonly board: CommodoreBoard;
  readonly #symbols: SymbolTable;
  readonly #values: Readonly<Record<string, Reading>>;
  readonly #rows: Readonly<Record<string, (index: number) => number>>;
  /** The access that a watched address saw last. */
  access = { address: 0, value: 0, old: 0 };

  /** `rows`: those that only this board has. */
  constructor(
    board: CommodoreBoard,
    symbols: SymbolTable,
    rows: Readonly<Record<string, (index: number) => number>> = {},
  ) {
    this.board = board;
    this.#symbols = symbols;
    const bank = (name: 'ram' | 'rom' | 'io') => (index: number) => board.peek(name, index & 0xffff);
    this.#rows = { ...rows, ram: bank('ram'), rom: bank('rom'), io: bank('io') };
    const processor = board.cpu.state;
    this.#values = {
      pc: () => processor[cpu.pc],
      a: () => processor[cpu.a],
      x: () => processor[cpu.x],
      y: () => processor[cpu.y],
      sp: () => processor[cpu.s],
      p: () => getStatus(processor),
      raster: () => board.rasterLine,
      raster_line: () => board.rasterLine,
      raster_cycle: () => board.rasterCycle,
      cycle: () => board.cycles,
      frame: () => board.frameCount,
      value: () => this.access.value,
      old_value: () => this.access.old,
      address: () => this.access.address,
    };
  }

  get names(): readonly string[] {
    return [...Object.keys(this.#values), ...Object.keys(this.#rows).map((name) => `${name}[n]`)];
  }

  value(name: string): Reading | undefined {
    const own = ownValue(this.#values, name.toLowerCase());
    if (own) return own;
    const symbol = this.#symbols.address(name);
    if (symbol === undefined) return undefined;
    const address = Number(symbol);
    return () => address;
  }

  constant(name: string): bigint | undefined {
    return ownValue(this.#values, name.toLowerCase()) ? undefined : this.#symbols.address(name);
  }

  row(name: string): ((index: number) => number) | undefined {
    return ownValue(this.#rows, name.toLowerCase());
  }

  peek(address: number, bytes: 1 | 2 | 4): number {
    let value = 0;
    for (let index = bytes - 1; index >= 0; index--) {
      value = value * 256 + this.board.peek('cpu', (address + index) & 0xffff);
    }
    return value;
  }
}
