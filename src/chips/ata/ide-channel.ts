import { DeviceClock } from '../device-clock.ts';
import { readWide, writeWide } from '../wide-word.ts';

/** The words of state that every channel begins with, the registers first. */
export const registers = {
  features: 0,
  error: 1,
  drive: 6,
  status: 7,
  control: 8,
  irq: 9,
} as const;

export const bits = { busy: 0x80, ready: 0x40, fault: 0x20, seekDone: 0x10, request: 8, failed: 1 } as const;
export const ready = bits.ready | bits.seekDone;
/** In the error register. */
export const aborted = 4;
const control = { reset: 4, noInterrupts: 2 } as const;
const COMMAND_US = 40;

export interface IdeWires {
  now(): number;
  readonly instructionsPerSecond: number;
  irq(level: number): void;
}

/**
 * The registers of an IDE channel with up to two drives, whatever these are: eight of the command block, one of control, and an
 * interrupt. A command takes a moment, and so does each of its steps.
 */
export abstract class IdeChannel {
  protected readonly s: Int32Array;
  readonly #wires: IdeWires;
  readonly #micros: DeviceClock;
  /** Two words: when what is under way goes on; 0: nothing is. */
  readonly #due: number;

  constructor(state: Int32Array, wires: IdeWires, due: number) {
    this.s = state;
    this.#wires = wires;
    this.#due = due;
    this.#micros = new DeviceClock(1_000_000, wires.instructionsPerSecond);
  }

  /** Whether anything is on the cable, and whether the chosen drive is. */
  protected abstract readonly hasDrives: boolean;
  protected abstract readonly isThere: boolean;
  protected abstract takeByte(): number;
  protected abstract giveByte(value: number): void;
  protected abstract begin(command: number): void;
  /** The command as it was begun, or what follows in it. */
  protected abstract goOn(): void;
  protected abstract reset(): void;

  /** The command block as offsets. */
  read(register: number): number {
    const { s } = this;
    this.catchUp(this.#wires.now());
    if (!this.hasDrives) return 0xff;
    switch (register & 7) {
      case 0:
        return this.takeByte();
      case 1:
        return s[registers.error];
      case 6:
        return s[registers.drive] | 0xa0;
      case 7:
        this.setIrq(0);
        return this.alternateStatus;
      default:
        return s[registers.features + (register & 7)];
    }
  }

  write(register: number, value: number): void {
    const { s } = this;
    this.catchUp(this.#wires.now());
    if (!this.hasDrives) return;
    const place = register & 7;
    if (place === 0) this.giveByte(value);
    // While a command is under way the registers are the drive's.
    else if ((s[registers.status] & bits.busy) !== 0) return;
    else if (place < 7) s[registers.features + (place === 1 ? 0 : place)] = value;
    else this.begin(value);
  }

  /** Wide accesses of the data port. */
  readData(width: number): number {
    let value = 0;
    for (let bit = 0; bit < width; bit += 8) value |= this.read(0) << bit;
    return value >>> 0;
  }

  writeData(width: number, value: number): void {
    for (let bit = 0; bit < width; bit += 8) this.write(0, (value >>> bit) & 0xff);
  }

  /** The status, and the interrupt stays. */
  get alternateStatus(): number {
    this.catchUp(this.#wires.now());
    if (!this.hasDrives) return 0xff;
    return this.isThere ? this.s[registers.status] : 0;
  }

  writeControl(value: number): void {
    const { s } = this;
    const wasReset = (s[registers.control] & control.reset) !== 0;
    s[registers.control] = value;
    if ((value & control.reset) !== 0) s[registers.status] = bits.busy;
    else if (wasReset) this.reset();
    this.setIrq(s[registers.irq]);
  }

  nextEvent(): number {
    const due = readWide(this.s, this.#due);
    return due === 0 ? Number.POSITIVE_INFINITY : this.#micros.countAt(due);
  }

  catchUp(count: number): void {
    const due = readWide(this.s, this.#due);
    if (due === 0 || this.#micros.ticksAt(count) < due) return;
    this.cancel();
    this.goOn();
  }

  /** 0 is the master, 1 the slave. */
  protected get index(): number {
    return (this.s[registers.drive] >> 4) & 1;
  }

  protected later(): void {
    this.s[registers.status] = bits.busy;
    writeWide(this.s, this.#due, this.#micros.ticksAt(this.#wires.now()) + COMMAND_US);
  }

  /** What was to go on later does not. */
  protected cancel(): void {
    writeWide(this.s, this.#due, 0);
  }

  protected setIrq(level: number): void {
    this.s[registers.irq] = level;
    this.#wires.irq((this.s[registers.control] & control.noInterrupts) !== 0 ? 0 : level);
  }
}
