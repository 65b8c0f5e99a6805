import { type AciaState, aciaFields as f } from './fields.ts';

/** Bits of the status register. */
const overrun = 0x04;
const full = 0x08;
const empty = 0x10;
const noCarrier = 0x20;
const notReady = 0x40;
const irqBit = 0x80;

/** Of the command register. */
const enabled = 1;
const receiverSilent = 2;
const transmitterMode = 0x0c;
const transmitterIrq = 0x04;

/** Bits a second, by the low half of the control register; 0 is a clock from outside, of which there is none. */
const rates = [0, 50, 75, 109.92, 134.58, 150, 300, 600, 1200, 1800, 2400, 3600, 4800, 7200, 9600, 19_200] as const;
const never = 0x3fff_ffff;

/** What hangs on its pins. */
export interface AciaWires {
  /** A byte has gone out. */
  send(byte: number): void;
  /** 1: a modem is there and ready. */
  readonly isConnected: boolean;
}

/**
 * MOS 6551 and 8551 Asynchronous Communications Interface Adapter.
 *
 * It sends and receives whole bytes in the time their bits take. Not emulated: breaks, echo, framing and parity errors, which only
 * a noisy line makes.
 */
export class Acia6551 {
  readonly #s: AciaState;
  readonly #wires: AciaWires;
  readonly #clockHz: number;

  /** `clockHz`: of what `catchUp` counts. */
  constructor(state: Int32Array, wires: AciaWires, clockHz: number) {
    this.#s = state as AciaState;
    this.#wires = wires;
    this.#clockHz = clockHz;
  }

  reset(): void {
    this.#s.fill(0);
    this.#s[f.status] = empty;
    this.#s[f.command] = receiverSilent;
  }

  read(register: number): number {
    const s = this.#s;
    const value = this.peek(register);
    if (register === 0) s[f.status] &= ~(full | overrun);
    if (register === 1) {
      s[f.status] &= ~irqBit;
      s[f.irq] = 0;
    }
    return value;
  }

  peek(register: number): number {
    const s = this.#s;
    switch (register & 3) {
      case 0:
        return s[f.received];
      case 1:
        return s[f.status] | (this.#wires.isConnected ? 0 : noCarrier | notReady);
      case 2:
        return s[f.command];
      default:
        return s[f.control];
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    switch (register & 3) {
      case 0:
        s[f.toSend] = value;
        s[f.hasToSend] = 1;
        s[f.status] &= ~empty;
        this.#sendNext();
        break;
      case 1:
        s[f.command] = (s[f.command] & 0xe0) | receiverSilent;
        s[f.status] &= ~overrun;
        break;
      case 2:
        s[f.command] = value;
        this.#sendNext();
        break;
      default:
        s[f.control] = value;
    }
  }

  /** A byte has come in. */
  receive(byte: number): void {
    const s = this.#s;
    if ((s[f.command] & enabled) === 0) return;
    if ((s[f.status] & full) !== 0) s[f.status] |= overrun;
    else s[f.received] = byte & 255;
    s[f.status] |= full;
    if ((s[f.command] & receiverSilent) === 0) this.#interrupt();
  }

  #interrupt(): void {
    this.#s[f.status] |= irqBit;
    this.#s[f.irq] = 1;
  }

  /** Cycles that a byte with its start and stop bits takes. */
  get #byteCycles(): number {
    const { [f.control]: control, [f.command]: command } = this.#s;
    const rate = rates[control & 15] ?? 0;
    const bits = 1 + (8 - ((control >> 5) & 3)) + (command & 0x20 ? 1 : 0) + (control & 0x80 ? 2 : 1);
    return rate === 0 ? never : Math.round((bits * this.#clockHz) / rate);
  }

  #sendNext(): void {
    const s = this.#s;
    const isOn = (s[f.command] & enabled) !== 0 && (s[f.command] & transmitterMode) !== 0;
    if (!isOn || s[f.hasToSend] === 0 || s[f.sendLeft] !== 0) return;
    s[f.sending] = s[f.toSend];
    s[f.hasToSend] = 0;
    s[f.sendLeft] = this.#byteCycles;
    s[f.status] |= empty;
    if ((s[f.command] & transmitterMode) === transmitterIrq) this.#interrupt();
  }

  /** Cycles that may pass before anything happens. */
  quietCycles(): number {
    const left = this.#s[f.sendLeft];
    return left === 0 ? never : left - 1;
  }

  catchUp(cycles: number): void {
    const s = this.#s;
    if (s[f.sendLeft] === 0) return;
    s[f.sendLeft] = Math.max(0, s[f.sendLeft] - cycles);
    if (s[f.sendLeft] !== 0) return;
    this.#wires.send(s[f.sending]);
    this.#sendNext();
  }
}
