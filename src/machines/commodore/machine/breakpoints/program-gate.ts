import type { CommodoreBoard } from '../../board/commodore-board.ts';
import type { CommodoreModel } from '../commodore-model.ts';

interface Span {
  readonly first: number;
  readonly last: number;
}

/** Above the zero page, where BASIC keeps a routine of its own. */
const firstOfPrograms = 0x100;

/** Where a program comes from: RAM that it was loaded into, or a cartridge. */
export type ProgramPlace = 'ram' | 'cartridge';

/** Whether what the processor sees at an address can be a program's, and not the system's. */
export function isProgramAt(
  address: number,
  board: CommodoreBoard,
  { systemCode = [] }: Pick<CommodoreModel, 'systemCode'>,
  place: ProgramPlace = 'ram',
): boolean {
  if (address < firstOfPrograms || systemCode.some(({ first, last }) => address >= first && address <= last))
    return false;
  if (board.memory.reads[address >> 8] === 0) return true;
  return place === 'cartridge' && board.memory.isCartridge(address);
}

/** Keeps breakpoints from counting before the program that they are meant for has come. */
export class ProgramGate {
  readonly #board: CommodoreBoard;
  readonly #model: Pick<CommodoreModel, 'systemCode'>;
  #place: ProgramPlace | undefined;

  constructor(board: CommodoreBoard, model: Pick<CommodoreModel, 'systemCode'>) {
    this.#board = board;
    this.#model = model;
  }

  get isShut(): boolean {
    return this.#place !== undefined;
  }

  /** Code that opens it, as the processor sees memory now. */
  get code(): readonly Span[] {
    const spans: { first: number; last: number }[] = [];
    if (!this.isShut) return spans;
    for (let address = firstOfPrograms; address < this.#board.addressSpace; address += 1) {
      if (!this.#opensAt(address)) continue;
      const before = spans.at(-1);
      if (before?.last === address - 1) before.last = address;
      else spans.push({ first: address, last: address });
    }
    return spans;
  }

  shut(place: ProgramPlace): void {
    this.#place = place;
  }

  open(): void {
    this.#place = undefined;
  }

  /** Whether the instruction that comes next opens it. */
  opensFor(pc: number): boolean {
    if (!this.#opensAt(pc)) return false;
    this.open();
    return true;
  }

  #opensAt(address: number): boolean {
    return this.#place !== undefined && isProgramAt(address, this.#board, this.#model, this.#place);
  }
}
