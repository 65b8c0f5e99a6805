import { fields } from '../../../chips/mos8726/fields.ts';
import { Mos8726 } from '../../../chips/mos8726/mos8726.ts';
import type { Vic2 } from '../../../chips/vic2/vic2.ts';
import type { ReuRam } from '../expansions/reu-ram.ts';

/** What an REU needs of the computer. */
export interface ReuWires {
  readonly vic: Vic2;
  read(address: number): number;
  write(address: number, value: number): void;
  readonly ram: Uint8Array;
  /** It takes the bus: nothing may be left alone any more. */
  started(): void;
  /** A write to $FF00 means something, or no longer does. */
  armed(isArmed: boolean): void;
}

/** A 1700, 1764, 1750 or larger in the expansion port, with its registers at $DF00-$DFFF. */
export class Reu {
  readonly chips: ReuRam;
  readonly #controller: Mos8726;
  readonly #wires: ReuWires;

  /** `isNewBoard`: a C64C, whose bus is not as clean when BA falls. */
  constructor(state: Int32Array, chips: ReuRam, isNewBoard: boolean, wires: ReuWires) {
    this.chips = chips;
    this.#wires = wires;
    const { ram } = wires;
    this.#controller = new Mos8726(
      state.subarray(0, Object.keys(fields).length),
      {
        // The processor's own port is no memory to anybody else.
        read: (address) => (address > 1 ? wires.read(address) : (ram[address] as number)),
        write: (address, value) => this.#write(address, value),
        readBelow: (address) => ram[address] as number,
        readRam: (address) => this.chips.read(address),
        writeRam: (address, value) => this.chips.write(address, value),
      },
      { kilobytes: chips.kilobytes, glitches: isNewBoard },
    );
  }

  #write(address: number, value: number): void {
    if (address > 1) {
      this.#wires.write(address, value);
      return;
    }
    this.#wires.vic.catchUpAccesses();
    this.#wires.ram[address] = value;
  }

  powerOn(): void {
    this.#controller.powerOn();
    this.chips.powerOn();
  }

  reset(): void {
    this.#controller.reset();
    this.restored();
  }

  read(address: number): number | undefined {
    return address >= 0xdf00 ? this.#controller.read(address) : undefined;
  }

  peek(address: number): number | undefined {
    return address >= 0xdf00 ? this.#controller.peek(address) : undefined;
  }

  write(address: number, value: number): boolean {
    if (address < 0xdf00) return false;
    this.#controller.write(address, value, this.#wires.vic.busHistory);
    this.#follow();
    return false;
  }

  /** The processor writes to $FF00. */
  trigger(): void {
    this.#controller.trigger(this.#wires.vic.busHistory);
    this.#follow();
  }

  #follow(): void {
    this.#wires.armed(this.#controller.isArmed);
    if (this.#controller.isActive) this.#wires.started();
  }

  quietCycles(): number {
    return this.#controller.isActive ? 0 : 0x7fff_ffff;
  }

  tick(): void {
    if (this.#controller.isActive) this.#controller.tick(this.#wires.vic);
  }

  /** After somebody wrote to the state. */
  restored(): void {
    this.#wires.armed(this.#controller.isArmed);
  }
}
