import { PagedRam } from '../expansions/paged-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import type { MemoryMap, RamSelection } from './memory-map.ts';
import { fillPowerUpPattern } from './power-up.ts';

const lowBytes = 0x1000;

interface BankedRam {
  readonly name: 'plus60k' | 'plus256k';
  readonly banks: number;
  /** The address that the first byte of a bank answers to. */
  readonly start: number;
  /** Where in I/O the register answers, mirrors included. */
  readonly first: number;
  readonly last: number;
  selection(register: number): RamSelection;
}

const plus60k = {
  name: 'plus60k',
  banks: 1,
  start: lowBytes,
  selection: (register: number) => ({ high: (register >> 7) & 1, low: 0, vic: 0 }),
} as const;

/** RAM that people solder to the board. */
export const bankedRams = {
  plus60k: { ...plus60k, first: 0xd100, last: 0xd1ff },
  'plus60k-d040': { ...plus60k, first: 0xd040, last: 0xd0ff },
  plus256k: {
    name: 'plus256k',
    banks: 3,
    start: 0,
    first: 0xd100,
    last: 0xd1ff,
    selection: (register: number) => ({ high: (register >> 6) & 3, low: register & 3, vic: (register >> 2) & 3 }),
  },
} as const satisfies Readonly<Record<string, BankedRam>>;

export type RamBoard = keyof typeof bankedRams;

/** Once set it keeps the register of a +256K as it is, until a reset. */
const protection = 0x10;

/**
 * More RAM than the C64's 64 KiB, in banks that a register in the VIC-II's mirrors chooses. +60K: bit 7 lays another 60 KiB over
 * $1000-$FFFF, for the processor only. +256K: four times 64 KiB, bits 7-6 choose what lies from $1000 on, bits 1-0 what lies below,
 * bits 3-2 what the VIC-II sees. The registers read as $FF.
 *
 * The processor finds zero page and stack at the start of memory always: a bank chosen for $0000-$0FFF changes places with the
 * bytes that are there.
 */
export class RamBanks {
  readonly ram: PagedRam;
  readonly name: BankedRam['name'];
  readonly #kind: BankedRam;
  readonly #board: BoardState;
  readonly #map: MemoryMap;
  readonly #own: Uint8Array;
  /** Whether the processor may have written to a bank since its contents were named. */
  #isOpen = false;

  /** `own` are the C64's 64 KiB. */
  constructor(which: RamBoard, board: BoardState, map: MemoryMap, own: Uint8Array) {
    this.#kind = bankedRams[which];
    this.name = this.#kind.name;
    this.#board = board;
    this.#map = map;
    this.#own = own;
    const size = this.#kind.banks * 0x10000 - this.#kind.start;
    this.ram = new PagedRam(size, map.added('banks'), () => this.#wasOpen());
  }

  /** It is on the board now. */
  attach(): void {
    this.#map.layBanks(this.#kind.banks, this.#kind.start);
    this.#select();
  }

  get first(): number {
    return this.#kind.first;
  }

  get last(): number {
    return this.#kind.last;
  }

  powerOn(): void {
    fillPowerUpPattern(this.ram.bytes);
    this.ram.touch();
    this.#board[boardFields.ramBank] = 0;
    this.#select();
  }

  reset(): void {
    this.#change(0);
  }

  write(value: number): void {
    const isProtected = this.name === 'plus256k' && (this.#board[boardFields.ramBank] & protection) !== 0;
    if (!isProtected) this.#change(value);
  }

  /** After somebody wrote to the state. */
  restored(): void {
    this.#select();
  }

  /** What the processor writes to a bank goes past us. */
  #wasOpen(): boolean {
    const wasOpen = this.#isOpen;
    this.#isOpen = this.#selection.high !== 0;
    return wasOpen;
  }

  get #selection(): RamSelection {
    return this.#kind.selection(this.#board[boardFields.ramBank]);
  }

  #change(value: number): void {
    const before = this.#selection.low;
    this.#board[boardFields.ramBank] = value;
    const after = this.#selection.low;
    if (before !== after) {
      this.#swapLow(before);
      this.#swapLow(after);
    }
    this.#select();
  }

  #swapLow(bank: number): void {
    if (bank === 0) return;
    const start = (bank - 1) * 0x10000;
    const theirs = this.ram.bytes.slice(start, start + lowBytes);
    this.ram.set(start, this.#own.subarray(0, lowBytes));
    this.#own.set(theirs);
  }

  #select(): void {
    const selection = this.#selection;
    if (selection.high !== 0) this.#isOpen = true;
    this.#map.selectRam(selection);
  }
}
