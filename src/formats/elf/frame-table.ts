import { countUpTo, risingOrder } from './address-order.ts';
import type { ByteView } from './byte-view.ts';
import { DwarfCursor } from './dwarf-cursor.ts';
import { type CommonInformation, readCommon, readPointer } from './frame-entries.ts';
import { type FrameRules, runFrameProgram } from './frame-program.ts';
import type { Pause } from './pause.ts';

const wideMark = 0xffffffff;
const maxEntries = 2_000_000;

export interface FrameSection {
  readonly view: ByteView;
  /** `.eh_frame` counts some things otherwise than `.debug_frame`. */
  readonly isEh: boolean;
  /** Where the section lies in memory; pointers may be distances from it. */
  readonly address: bigint;
  readonly addressBytes: number;
}

/** How the frame of each function is undone, from `.debug_frame` or `.eh_frame`. */
export class FrameTable {
  readonly #section: FrameSection;
  readonly #offset: bigint;
  #starts = new BigUint64Array();
  #ends = new BigUint64Array();
  #entries = new Uint32Array();

  /** `offset` is added to every address. */
  constructor(section: FrameSection, offset = 0n) {
    this.#section = section;
    this.#offset = offset;
  }

  get size(): number {
    return this.#starts.length;
  }

  /** Finds the functions. A broken entry ends the reading; what came before stays. */
  async read(pause: Pause): Promise<void> {
    const found: { start: bigint; end: bigint; at: number }[] = [];
    const { view } = this.#section;
    try {
      for (let at = 0, count = 0; at + 4 < view.length && count < maxEntries; count++) {
        if ((count & 255) === 0) await pause();
        const entry = this.#open(at);
        if (entry.cursor.end <= at) break;
        const common = this.#commonOf(entry);
        if (common) {
          const start = readPointer(entry.cursor, common.encoding, this.#section);
          const length = readPointer(entry.cursor, common.encoding & 0x0f, this.#section);
          if (length > 0n) found.push({ start, end: start + length, at });
        }
        at = entry.cursor.end;
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    await this.#arrange(found, pause);
  }

  /** What is known of the frame when execution stands at an address. */
  at(address: bigint): FrameRules | undefined {
    const place = BigInt.asUintN(64, address - this.#offset);
    const n = countUpTo(this.#starts, place) - 1;
    if (n < 0 || place >= (this.#ends[n] ?? 0n)) return undefined;
    try {
      const entry = this.#open(this.#entries[n] ?? 0);
      const common = this.#commonOf(entry);
      if (!common) return undefined;
      const start = readPointer(entry.cursor, common.encoding, this.#section);
      readPointer(entry.cursor, common.encoding & 0x0f, this.#section);
      if (common.hasData) entry.cursor.skip(entry.cursor.unsigned());
      return runFrameProgram(common, entry.cursor, start, place, this.#section.addressBytes);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  async #arrange(found: readonly { start: bigint; end: bigint; at: number }[], pause: Pause): Promise<void> {
    const raw = BigUint64Array.from(found, ({ start }) => start);
    const sorting = risingOrder(raw);
    let step = sorting.next();
    for (; !step.done; step = sorting.next()) await pause();
    const ordered = Array.from(step.value, (n) => found[n]).filter((each) => each !== undefined);
    this.#starts = BigUint64Array.from(ordered, ({ start }) => start);
    this.#ends = BigUint64Array.from(ordered, ({ end }) => end);
    this.#entries = Uint32Array.from(ordered, ({ at }) => at);
  }

  /** Stands after the length. */
  #open(at: number): { cursor: DwarfCursor; at: number } {
    const { view } = this.#section;
    const wide = view.u32(at) === wideMark;
    const start = at + (wide ? 12 : 4);
    const length = wide ? view.offset64(at + 4) : view.u32(at);
    return { cursor: new DwarfCursor(view, start, start + length, wide), at };
  }

  /** What an entry has in common with others; undefined for such a common part itself, and for the end. */
  #commonOf({ cursor }: { cursor: DwarfCursor }): CommonInformation | undefined {
    const { isEh } = this.#section;
    if (cursor.done) return undefined;
    const here = cursor.at;
    const id = isEh || !cursor.wideOffsets ? cursor.u32() : cursor.offsetOrMark();
    if (isEh ? id === 0 : id === wideMark) return undefined;
    const commonAt = isEh ? here - id : id;
    const { cursor: common } = this.#open(commonAt);
    common.skip(!isEh && common.wideOffsets ? 8 : 4);
    return readCommon(common, this.#section);
  }
}
