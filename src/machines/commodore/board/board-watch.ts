import type { CollisionType, CommodoreBoard } from './commodore-board.ts';
import { Observation } from './observation.ts';

/** Addresses from the first to the last. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** What somebody wants to see of a board at work. Pages are watched: `access` also tells of accesses beside the spans. */
export interface Watching {
  /** Runs end before instructions here. */
  readonly code?: readonly Span[];
  readonly reads?: readonly Span[];
  readonly writes?: readonly Span[];
  /** Writes are told before they happen, reads with what was read. `board.chipsReached` says whether a chip answers. */
  access?(kind: 'read' | 'write', address: number, value: number): void;
  /** Whether `access` has nothing to do for a write to memory, whenever in a run it comes. */
  isUnwanted?(address: number, value: number): boolean;
  /** Whether nothing has to be asked before an instruction in `code`, whenever in a run it comes. */
  passes?(pc: number): boolean;
  /** What is written to such an address in place of what the processor writes. */
  held?(address: number): number | undefined;
  /** Runs end after every interrupt. */
  readonly interrupts?: boolean;
  readonly collisions?: readonly CollisionType[];
  /** In the cycle in which the chip sets bits of such a collision: those that were not set before. */
  collision?(type: CollisionType, sprites: number): void;
}

/** Everybody who looks at a board, and the one observation that it is run with. While nobody does it costs nothing. */
export class BoardWatch {
  readonly observation: Observation;
  readonly #board: CommodoreBoard;
  readonly #all = new Map<symbol, Watching>();

  constructor(board: CommodoreBoard) {
    this.#board = board;
    this.observation = new Observation(board.addressSpace);
  }

  /** From now on this is what the owner wants to see. */
  set(owner: symbol, watching: Watching | undefined): void {
    if (watching === undefined && !this.#all.has(owner)) return;
    if (watching) this.#all.set(owner, watching);
    else this.#all.delete(owner);
    this.#arm();
  }

  #arm(): void {
    const { observation } = this;
    const all = [...this.#all.values()];
    observation.clear();
    observation.seesInterrupts = all.some(({ interrupts }) => interrupts === true);
    const [marker, ...others] = all.filter(({ code = [] }) => code.length > 0);
    observation.passes = marker?.passes && others.length === 0 ? (pc) => marker.passes?.(pc) === true : undefined;
    for (const { code = [], reads = [], writes = [] } of all) {
      for (const { first, last } of code) observation.markCode(first, last);
      for (const { first, last } of reads) observation.watch('read', first, last);
      for (const { first, last } of writes) observation.watch('write', first, last);
    }
    this.#coverBus(all.filter(({ reads = [], writes = [] }) => reads.length + writes.length > 0));
    const collisions = [...new Set(all.flatMap((each) => each.collisions ?? []))];
    this.#board.watchCollisions?.(collisions, (type, sprites) => {
      for (const each of all) if (each.collisions?.includes(type)) each.collision?.(type, sprites);
    });
    this.#board.observe(all.length === 0 ? undefined : observation);
  }

  /**
   * The board's own methods are covered by others on this one instance, so that a machine whose memory nobody watches runs
   * the plain ones.
   */
  #coverBus(watchers: readonly Watching[]): void {
    const board = this.#board;
    const { observation } = this;
    observation.isUnwanted = undefined;
    if (watchers.length === 0) {
      // The last one first: an object that loses another property becomes slow for good.
      Reflect.deleteProperty(board, 'write');
      Reflect.deleteProperty(board, 'read');
      return;
    }
    const { readPages, writePages } = observation;
    const { read, write }: CommodoreBoard = Object.getPrototypeOf(board);
    const told = watchers.filter(({ access }) => access);
    const holders = watchers.filter(({ held }) => held);
    const tell = (kind: 'read' | 'write', address: number, value: number) => {
      for (let at = 0; at < told.length; at += 1) told[at]?.access?.(kind, address, value);
    };
    const [first, ...others] = told;
    if (first?.isUnwanted && others.length === 0 && holders.length === 0 && readPages[0] === 0) {
      observation.isUnwanted = (address, value) => first.isUnwanted?.(address, value) === true;
    }
    const isReadSeen = watchers.some(({ reads = [] }) => reads.length > 0);
    board.read = isReadSeen
      ? (address) => {
          const value = read.call(board, address);
          if (readPages[address >> 8] !== 0) tell('read', address, value);
          return value;
        }
      : read;
    const heldAt = (address: number) => {
      let held: number | undefined;
      for (const watcher of holders) held = watcher.held?.(address) ?? held;
      return held;
    };
    board.write = (address, value) => {
      if (writePages[address >> 8] === 0) {
        write.call(board, address, value);
        return;
      }
      tell('write', address, value);
      write.call(board, address, holders.length === 0 ? value : (heldAt(address) ?? value));
    };
  }
}
