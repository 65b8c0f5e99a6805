import { fields, stateWords } from './fields.ts';

export interface Mpu401Wires {
  /** A byte leaves for the instruments. */
  send(byte: number): void;
}

const commands = { uart: 0x3f, reset: 0xff } as const;
const acknowledge = 0xfe;
/** Bits of the status: no answer waits, and (never here) no room for a byte. The others float. */
const nothingToRead = 0x80;
const floating = 0x3f;

/**
 * Roland's MPU-401 as cards of the nineties have it, with UART mode alone: port 0 is data, port 1 commands and status. Reset and
 * the switch to UART mode are acknowledged, reset not while in that mode; other commands are not answered.
 *
 * Source: Roland MPU-401 technical reference (1985), Creative's hardware guide of the Sound Blaster 16. Not emulated: the
 * intelligent mode, input, interrupts.
 */
export class Mpu401 {
  readonly #s: Int32Array;
  readonly #wires: Mpu401Wires;

  constructor(state: Int32Array, wires: Mpu401Wires) {
    this.#s = state;
    this.#wires = wires;
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
  }

  get isUart(): boolean {
    return this.#s[fields.uart] !== 0;
  }

  read(port: number): number {
    if ((port & 1) !== 0) return floating | (this.#s[fields.waiting] === 0 ? nothingToRead : 0);
    if (this.#s[fields.waiting] === 0) return 0xff;
    this.#s[fields.waiting] = 0;
    return this.#s[fields.answer] ?? 0xff;
  }

  write(port: number, value: number): void {
    if ((port & 1) === 0) {
      if (this.isUart) this.#wires.send(value);
      return;
    }
    if (value === commands.reset) {
      if (!this.isUart) this.#say(acknowledge);
      this.#s[fields.uart] = 0;
    } else if (value === commands.uart && !this.isUart) {
      this.#say(acknowledge);
      this.#s[fields.uart] = 1;
    }
  }

  #say(byte: number): void {
    this.#s[fields.waiting] = 1;
    this.#s[fields.answer] = byte;
  }
}
