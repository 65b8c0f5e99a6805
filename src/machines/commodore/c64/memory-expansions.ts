import { ExpansionRams } from '../expansions/expansion-rams.ts';
import { ReuRam } from '../expansions/reu-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import type { ExpansionPort } from './expansion-port.ts';
import { C64GeoRam } from './geo-ram.ts';
import { Reu, type ReuWires } from './reu.ts';

/** One that can be plugged in, of so many KiB. */
interface Expansion {
  readonly isIn: boolean;
  readonly kilobytes: number;
}

export interface FittedMemory {
  readonly reu: Expansion;
  readonly geoRam: Expansion;
}

interface Parts {
  readonly board: BoardState;
  /** The words of the REU's controller. */
  readonly controller: Int32Array;
  readonly port: ExpansionPort;
  readonly reuWires: ReuWires;
  /** The board of a C64C. */
  isNewBoard(): boolean;
}

/** The REU and the GeoRAM in the expansion port, which can be exchanged. */
export class MemoryExpansions {
  readonly rams: ExpansionRams;
  readonly #parts: Parts;
  /** By size, for good: copies of the state speak of what is in these, also when another one is in the port. */
  readonly #reuRams = new Map<number, ReuRam>();
  readonly #geoRams = new Map<number, C64GeoRam>();
  #fitted: FittedMemory;
  #reu: Reu | undefined;

  constructor(fitted: FittedMemory, parts: Parts) {
    this.#parts = parts;
    this.#fitted = fitted;
    this.rams = new ExpansionRams(parts.board, []);
    this.#plug();
  }

  get fitted(): FittedMemory {
    return this.#fitted;
  }

  get reu(): Reu | undefined {
    return this.#reu;
  }

  /** What was in the port has no power any more; what is new comes up as after power-on. */
  fit(fitted: FittedMemory): void {
    const { board, controller, reuWires } = this.#parts;
    this.#fitted = fitted;
    controller.fill(0);
    const { reuLow, reuHigh, geoRamLow, geoRamHigh, geoRamPage, geoRamBlock } = boardFields;
    for (const word of [reuLow, reuHigh, geoRamLow, geoRamHigh, geoRamPage, geoRamBlock]) board[word] = 0;
    reuWires.armed(false);
    for (const device of this.#plug()) device.powerOn();
    this.#reu?.reset();
    this.rams.name();
  }

  /** The chips of the board are others: what the controller knows of them is found out anew. */
  boardChanged(): void {
    this.#plug();
  }

  /** Of the cycles of the board. */
  quietCycles(): number {
    return this.#reu?.quietCycles() ?? 0x7fff_ffff;
  }

  tick(): void {
    this.#reu?.tick();
  }

  #plug() {
    const { controller, board, port, reuWires, isNewBoard } = this.#parts;
    const { reu, geoRam } = this.#fitted;
    this.#reu = reu.isIn
      ? new Reu(
          controller,
          kept(this.#reuRams, reu.kilobytes, (size) => new ReuRam(size)),
          isNewBoard(),
          reuWires,
        )
      : undefined;
    const other = geoRam.isIn ? kept(this.#geoRams, geoRam.kilobytes, (size) => new C64GeoRam(size, board)) : undefined;
    const { reuLow, reuHigh, geoRamLow, geoRamHigh } = boardFields;
    this.rams.replace([
      ...(this.#reu ? [{ name: 'reu', ram: this.#reu.chips.ram, low: reuLow, high: reuHigh } as const] : []),
      ...(other ? [{ name: 'georam', ram: other.ram, low: geoRamLow, high: geoRamHigh } as const] : []),
    ]);
    const devices = [this.#reu, other].filter((device) => device !== undefined);
    port.setDevices(devices);
    return devices;
  }
}

function kept<Value>(all: Map<number, Value>, size: number, make: (size: number) => Value): Value {
  const known = all.get(size) ?? make(size);
  all.set(size, known);
  return known;
}
