import type { FileBreakpoint } from '../../../formats/commodore/symbols/symbol-file.ts';
import { hexWord } from '../../../formats/hex.ts';
import type { BreakpointCapability } from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import { lineNow } from '../symbols/line-now.ts';

/** Types whose addresses are places in a program. */
const placed = ['exec', 'read', 'write', 'change'];

type PlacedBreakpoints = Pick<BreakpointCapability, 'list' | 'set' | 'delete'> & {
  /** What it watches lies elsewhere now. */
  move(id: number, address: bigint): void | Promise<void>;
};

/** Keeps breakpoints where the labels are that they were set at, and takes over those that sources state. */
export class BreakpointLabels {
  readonly #symbols: CommodoreSymbols;
  readonly #breakpoints: PlacedBreakpoints;
  /** By source, what it states and the number of the breakpoint that was made of it. */
  readonly #stated = new Map<string, ReadonlyMap<string, number>>();

  constructor(symbols: CommodoreSymbols, breakpoints: PlacedBreakpoints) {
    this.#symbols = symbols;
    this.#breakpoints = breakpoints;
  }

  /** `reload` may move labels; breakpoints at a label, or in what follows it, go with it. The answer says which did. */
  async following(reload: () => void): Promise<readonly string[]> {
    const before = (await this.#breakpoints.list()).filter(
      ({ type, cpu }) => cpu === undefined && placed.includes(type),
    );
    const places = before.map(({ address, sourceLine }) => ({
      place: this.#symbols.placeOf(address),
      line: sourceLine === undefined ? undefined : this.#symbols.source(address),
    }));
    reload();
    const moved: string[] = [];
    for (const [index, { id, address, sourceLine }] of before.entries()) {
      const { place, line } = places[index] ?? {};
      if (sourceLine !== undefined) {
        const found = lineNow(this.#symbols, sourceLine, { address, line });
        if (found.address !== address) await this.#breakpoints.move(id, found.address);
        if (found.note !== undefined) moved.push(`breakpoint ${id} ${found.note}`);
        continue;
      }
      const label = place && this.#symbols.address(place.name);
      const now = label === undefined || place === undefined ? undefined : label + place.offset;
      if (now === undefined || now === address) continue;
      await this.#breakpoints.move(id, now);
      moved.push(`breakpoint ${id} moved with ${place?.name}: ${hexWord(address)} to ${hexWord(now)}`);
    }
    return moved;
  }

  /** What a source states now: new ones are set, those it states no more are deleted, and others stay as somebody has changed them. */
  async take(source: string, wanted: readonly FileBreakpoint[]): Promise<readonly string[]> {
    const before = this.#stated.get(source) ?? new Map<string, number>();
    const alive = new Set((await this.#breakpoints.list()).map(({ id }) => id));
    const after = new Map<string, number>();
    const notes: string[] = [];
    const made: number[] = [];
    for (const each of wanted) {
      const key = this.#key(each);
      const known = before.get(key);
      // One that somebody has deleted is not wanted any more.
      if (known !== undefined || after.has(key)) {
        after.set(key, known ?? after.get(key) ?? 0);
        continue;
      }
      try {
        const { type, address, length, condition, logOnly = false } = each;
        const { id } = await this.#breakpoints.set({
          type,
          address: BigInt(address),
          length,
          condition,
          logOnly,
          temporary: false,
        });
        after.set(key, id);
        made.push(id);
      } catch (error) {
        if (!(error instanceof MachineError)) throw error;
        notes.push(`not taken over: ${each.type} at ${hexWord(BigInt(each.address))}, ${error.message}`);
      }
    }
    for (const [key, id] of before) if (!after.has(key) && alive.has(id)) await this.#breakpoints.delete(id);
    this.#stated.set(source, after);
    if (made.length > 0) {
      const which = made.length === 1 ? `breakpoint ${made[0]}` : `breakpoints ${made.join(', ')}`;
      notes.unshift(`${which} stated in the source set`);
    }
    return notes;
  }

  #key({ type, address, length, condition = '' }: FileBreakpoint): string {
    const place = this.#symbols.placeOf(BigInt(address));
    const where = place ? `${place.name}+${place.offset}` : hexWord(BigInt(address));
    return [type, where, length, condition].join(' ');
  }
}
