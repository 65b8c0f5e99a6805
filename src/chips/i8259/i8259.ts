import { fields, type I8259State } from './fields.ts';

export interface I8259Wires {
  /** The INT pin changed. */
  int(level: number): void;
}

const INT = fields.int;
const IRR = fields.irr;
const ISR = fields.isr;
const IMR = fields.imr;
const LINES = fields.lines;
const LOWEST = fields.lowest;

/** ICW4: automatic end of interrupt, special fully nested mode. */
const AUTO_EOI = 2;
const FULLY_NESTED = 0x10;

/**
 * Intel 8259A Programmable Interrupt Controller.
 *
 *             +--------+
 *  IR0-7  --->|        |---> INT
 *  A0     --->|  8259A |<--- INTA (acknowledge)
 *  D0-7  <--->|        |---- CAS0-2 (I8259Pair)
 *             +--------+
 *
 * Requests are edge or level triggered; an IR input that falls before it is acknowledged takes its request back, and what
 * is acknowledged with no request left is the spurious IR7.
 *
 * Source: Intel 8259A data sheet (1988). Not emulated: the 8080's CALL sequence (ICW4 bit 0 = 0 acts like 8086 mode),
 * buffered mode's pin.
 */
export class I8259 {
  readonly #s: I8259State;
  readonly #wires: I8259Wires;

  constructor(state: Int32Array, wires: I8259Wires) {
    this.#s = state as I8259State;
    this.#wires = wires;
  }

  powerOn(): void {
    this.#s.fill(0);
    this.#s[LOWEST] = 7;
  }

  /** The level of an IR input. */
  setLine(input: number, level: number): void {
    const s = this.#s;
    const bit = 1 << input;
    if (level !== 0) {
      if ((s[LINES] & bit) !== 0) return;
      s[LINES] |= bit;
      s[IRR] |= bit;
    } else {
      if ((s[LINES] & bit) === 0) return;
      s[LINES] &= ~bit;
      s[IRR] &= ~bit;
    }
    this.#update();
  }

  /** INTA: the input that is served now, or 7 with nothing in service when its request is gone. */
  acknowledge(): number {
    const s = this.#s;
    const input = this.#highest();
    if (input < 0) return 7;
    const bit = 1 << input;
    s[ISR] |= bit;
    if (s[fields.levelTriggered] === 0) s[IRR] &= ~bit;
    if ((s[fields.icw4] & AUTO_EOI) !== 0) {
      s[ISR] &= ~bit;
      if (s[fields.rotatesOnAutoEoi] !== 0) s[LOWEST] = input;
    }
    this.#update();
    return input;
  }

  get vectorBase(): number {
    return this.#s[fields.vectorBase];
  }

  read(a0: number): number {
    const s = this.#s;
    if (s[fields.polls] !== 0) {
      s[fields.polls] = 0;
      const asked = this.#highest() >= 0;
      const input = asked ? this.acknowledge() : 0;
      return asked ? 0x80 | input : 0;
    }
    return this.peek(a0);
  }

  peek(a0: number): number {
    const s = this.#s;
    if ((a0 & 1) !== 0) return s[IMR];
    return s[fields.readsIsr] !== 0 ? s[ISR] : s[IRR];
  }

  write(a0: number, value: number): void {
    const s = this.#s;
    if ((a0 & 1) !== 0) this.#writeUpper(value);
    else if ((value & 0x10) !== 0) {
      s[fields.icw4] = 0;
      s[fields.levelTriggered] = (value >> 3) & 1;
      s[fields.single] = (value >> 1) & 1;
      s[fields.expects] = (value & 1) !== 0 ? 0x12 : 2;
      s[IMR] = 0;
      s[ISR] = 0;
      s[IRR] = s[fields.levelTriggered] !== 0 ? s[LINES] : 0;
      s[LOWEST] = 7;
      s[fields.readsIsr] = 0;
      s[fields.specialMask] = 0;
      s[fields.polls] = 0;
      s[fields.rotatesOnAutoEoi] = 0;
    } else if ((value & 8) !== 0) {
      if ((value & 0x40) !== 0) s[fields.specialMask] = (value >> 5) & 1;
      if ((value & 4) !== 0) s[fields.polls] = 1;
      else if ((value & 2) !== 0) s[fields.readsIsr] = value & 1;
    } else this.#endOfInterrupt(value);
    this.#update();
  }

  /** A0 = 1: the rest of an initialisation (bit 4 of `expects`: ICW4 comes last), or the mask. */
  #writeUpper(value: number): void {
    const s = this.#s;
    const wantsIcw4 = s[fields.expects] & 0x10;
    switch (s[fields.expects] & 7) {
      case 2:
        s[fields.vectorBase] = value & 0xf8;
        if (s[fields.single] === 0) s[fields.expects] = wantsIcw4 | 3;
        else s[fields.expects] = wantsIcw4 !== 0 ? 4 : 0;
        break;
      case 3:
        s[fields.icw3] = value;
        s[fields.expects] = wantsIcw4 !== 0 ? 4 : 0;
        break;
      case 4:
        s[fields.icw4] = value;
        s[fields.expects] = 0;
        break;
      default:
        s[IMR] = value & 0xff;
    }
  }

  /** OCW2: rotate, specific, end of interrupt. */
  #endOfInterrupt(value: number): void {
    const s = this.#s;
    const rotates = (value & 0x80) !== 0;
    const specific = (value & 0x40) !== 0;
    if ((value & 0x20) !== 0) {
      const input = specific ? value & 7 : this.#inService();
      if (input < 0) return;
      s[ISR] &= ~(1 << input);
      if (rotates) s[LOWEST] = input;
    } else if (specific) {
      if (rotates) s[LOWEST] = value & 7;
    } else s[fields.rotatesOnAutoEoi] = rotates ? 1 : 0;
  }

  #inService(): number {
    const s = this.#s;
    const isr = s[fields.specialMask] !== 0 ? s[ISR] & ~s[IMR] : s[ISR];
    for (let i = 1; i <= 8; i++) {
      const input = (s[LOWEST] + i) & 7;
      if ((isr & (1 << input)) !== 0) return input;
    }
    return -1;
  }

  /** The request that would be acknowledged now, or -1. */
  #highest(): number {
    const s = this.#s;
    const requests = s[IRR] & ~s[IMR];
    if (requests === 0) return -1;
    const fullyNested = (s[fields.icw4] & FULLY_NESTED) !== 0;
    for (let i = 1; i <= 8; i++) {
      const input = (s[LOWEST] + i) & 7;
      const bit = 1 << input;
      const inService = (s[ISR] & bit) !== 0;
      // In special mask mode only its own level is held back by what is in service.
      if (s[fields.specialMask] !== 0) {
        if ((requests & bit) !== 0 && !inService) return input;
        continue;
      }
      // A slave may interrupt itself in special fully nested mode.
      if (inService && !(fullyNested && (s[fields.icw3] & bit) !== 0 && (requests & bit) !== 0)) return -1;
      if ((requests & bit) !== 0) return input;
    }
    return -1;
  }

  #update(): void {
    const s = this.#s;
    const level = s[fields.expects] === 0 && this.#highest() >= 0 ? 1 : 0;
    if (level === s[INT]) return;
    s[INT] = level;
    this.#wires.int(level);
  }
}
