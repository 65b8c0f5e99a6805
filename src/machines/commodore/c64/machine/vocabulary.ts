import { fields as cpu, getStatus } from '../../../../chips/mos6510/registers.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import type { SymbolTable } from '../../../../machine/addresses.ts';
import type { Reading, Vocabulary } from '../../../shared/condition/condition.ts';
import type { C64Board } from '../c64-board.ts';
import { boardWords } from './board-words.ts';

/** What names in conditions mean on a C64. */
export class C64Vocabulary implements Vocabulary {
  readonly #board: C64Board;
  readonly #symbols: SymbolTable;
  readonly #values: Readonly<Record<string, Reading>>;
  readonly #rows: Readonly<Record<string, (index: number) => number>>;
  /** The access that a watched address saw last. */
  access = { address: 0, value: 0 };

  constructor(board: C64Board, symbols: SymbolTable) {
    this.#board = board;
    this.#symbols = symbols;
    const processor = board.cpu.state;
    const video = boardWords<Vic2State>(board, 'vic');
    this.#values = {
      pc: () => processor[cpu.pc],
      a: () => processor[cpu.a],
      x: () => processor[cpu.x],
      y: () => processor[cpu.y],
      sp: () => processor[cpu.s],
      p: () => getStatus(processor),
      raster_line: () => video[vic.rasterLine],
      raster_cycle: () => video[vic.cycle],
      cycle: () => board.cycles,
      frame: () => board.frameCount,
      value: () => this.access.value,
      address: () => this.access.address,
    };
    this.#rows = {
      sprite_x: (sprite) => (video[2 * sprite] ?? 0) | ((((video[vic.d010] ?? 0) >> sprite) & 1) << 8),
      sprite_y: (sprite) => video[2 * sprite + 1] ?? 0,
    };
  }

  get names(): readonly string[] {
    return [...Object.keys(this.#values), ...Object.keys(this.#rows).map((name) => `${name}[n]`)];
  }

  value(name: string): Reading | undefined {
    const own = this.#values[name.toLowerCase()];
    if (own) return own;
    const symbol = this.#symbols.address(name);
    if (symbol === undefined) return undefined;
    const address = Number(symbol);
    return () => address;
  }

  row(name: string): ((index: number) => number) | undefined {
    return this.#rows[name.toLowerCase()];
  }

  peek(address: number, bytes: 1 | 2 | 4): number {
    let value = 0;
    for (let index = bytes - 1; index >= 0; index--) {
      value = value * 256 + this.#board.peek('cpu', (address + index) & 0xffff);
    }
    return value;
  }
}
