import { ByteQueue } from '../byte-queue.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { fields, LINE_BYTES, type Ns16550State, stateWords } from './fields.ts';

export interface Ns16550Wires {
  now(): number;
  readonly instructionsPerSecond: number;
  irq(level: number): void;
  /** A byte has left, at this very instruction. */
  transmit(byte: number): void;
  /** DTR (1) and RTS (2) have changed. */
  control?(lines: number): void;
}

const IER = fields.interruptEnable;
const LCR = fields.lineControl;
const MCR = fields.modemControl;
const MSR = fields.modemStatus;

const DLAB = 0x80;
const LOOP = 0x10;
const OUT2 = 8;
const FIFO = 1;
const DATA_READY = 1;
const TRIGGERS = [1, 4, 8, 14];
const NEVER = Number.POSITIVE_INFINITY;

/**
 * National Semiconductor 16550A UART with its FIFOs, at 1.8432 MHz.
 *
 *             +-------+
 *  A0-2   --->|       |---> SOUT (transmit)
 *  D0-7  <--->| 16550 |<--- SIN  (receive)
 *  INTR  <----|       |<--> modem lines
 *             +-------+
 *
 * Bytes take their time on the line by divisor and format. `nextEvent()` is when one arrives or has left.
 *
 * Source: National Semiconductor PC16550D data sheet (1995). Not emulated: overruns (the other side waits while the receiver is
 * full), parity and framing errors, the 5-bit mask on received data, modem lines beyond "connected", DMA modes.
 */
export class Ns16550 {
  readonly #s: Ns16550State;
  readonly #wires: Ns16550Wires;
  readonly #sending: ByteQueue;
  readonly #received: ByteQueue;
  readonly #line: ByteQueue;

  constructor(state: Int32Array, wires: Ns16550Wires) {
    this.#s = state as Ns16550State;
    this.#wires = wires;
    this.#sending = new ByteQueue(state.subarray(fields.transmitFifo), 16);
    this.#received = new ByteQueue(state.subarray(fields.receiveFifo), 16);
    this.#line = new ByteQueue(state.subarray(fields.line), LINE_BYTES);
  }

  /** Connected: CTS, DSR and DCD are there. */
  powerOn(): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    s[fields.divisor] = 12;
    s[MSR] = 0xb0;
    s[LCR] = 3;
    s[fields.shifting] = -1;
    for (const at of [fields.shiftedAt, fields.receivedAt, fields.timeoutAt]) writeWide(s, at, -1);
  }

  /** Bytes from the other side; gives how many found room. */
  receive(bytes: Uint8Array): number {
    let taken = 0;
    for (const byte of bytes) {
      if (!this.#line.push(byte)) break;
      taken++;
    }
    this.#expectByte();
    return taken;
  }

  get room(): number {
    return LINE_BYTES - this.#line.length;
  }

  nextEvent(): number {
    const s = this.#s;
    const at = (field: number) => {
      const count = readWide(s, field);
      return count < 0 ? NEVER : count;
    };
    return Math.min(at(fields.shiftedAt), at(fields.receivedAt), at(fields.timeoutAt));
  }

  catchUp(count: number): void {
    const s = this.#s;
    const due = (field: number) => {
      const at = readWide(s, field);
      if (at < 0 || at > count) return false;
      writeWide(s, field, -1);
      return true;
    };
    if (due(fields.shiftedAt)) this.#sent();
    if (due(fields.receivedAt) && this.#line.length > 0) {
      this.#received.push(this.#line.shift());
      this.#restartTimeout();
      this.#expectByte();
    }
    if (due(fields.timeoutAt) && this.#received.length > 0) s[fields.timedOut] = 1;
    this.#drive();
  }

  read(register: number): number {
    const s = this.#s;
    const value = this.peek(register);
    switch (register & 7) {
      case 0:
        if ((s[LCR] & DLAB) !== 0) break;
        if (this.#received.length > 0) this.#received.shift();
        s[fields.timedOut] = 0;
        this.#restartTimeout();
        this.#expectByte();
        break;
      case 2:
        if ((value & 15) === 2) s[fields.emptied] = 0;
        break;
      case 6:
        s[MSR] &= 0xf0;
        break;
    }
    this.#drive();
    return value;
  }

  peek(register: number): number {
    const s = this.#s;
    const dlab = (s[LCR] & DLAB) !== 0;
    switch (register & 7) {
      case 0:
        if (dlab) return s[fields.divisor] & 0xff;
        return this.#received.length > 0 ? this.#s[fields.receiveFifo + 2 + s[fields.receiveFifo]] : 0;
      case 1:
        return dlab ? s[fields.divisor] >> 8 : s[IER];
      case 2:
        return this.#source() | ((s[fields.fifoControl] & FIFO) !== 0 ? 0xc0 : 0);
      case 3:
        return s[LCR];
      case 4:
        return s[MCR];
      case 5: {
        const holding = this.#sending.length === 0 ? 0x20 : 0;
        const idle = holding !== 0 && s[fields.shifting] < 0 ? 0x40 : 0;
        return (this.#received.length > 0 ? DATA_READY : 0) | holding | idle;
      }
      case 6:
        if ((s[MCR] & LOOP) === 0) return s[MSR];
        return ((s[MCR] & 2) << 3) | ((s[MCR] & 1) << 5) | ((s[MCR] & 0x0c) << 4);
      default:
        return s[fields.scratch];
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    const dlab = (s[LCR] & DLAB) !== 0;
    switch (register & 7) {
      case 0:
        if (dlab) s[fields.divisor] = (s[fields.divisor] & 0xff00) | value;
        else this.#send(value);
        break;
      case 1:
        if (dlab) s[fields.divisor] = (s[fields.divisor] & 0xff) | (value << 8);
        else {
          // Switching the transmitter's interrupt on finds it empty at once.
          if ((value & ~s[IER] & 2) !== 0 && this.#sending.length === 0) s[fields.emptied] = 1;
          s[IER] = value & 15;
        }
        break;
      case 2:
        this.#controlFifo(value);
        break;
      case 3:
        s[LCR] = value;
        break;
      case 4: {
        const changed = (s[MCR] ^ value) & 3;
        s[MCR] = value & 0x1f;
        if (changed !== 0) this.#wires.control?.(value & 3);
        break;
      }
      case 7:
        s[fields.scratch] = value;
        break;
    }
    this.#drive();
  }

  #controlFifo(value: number): void {
    const s = this.#s;
    if (((value ^ s[fields.fifoControl]) & FIFO) !== 0 || (value & 2) !== 0) this.#received.clear();
    if (((value ^ s[fields.fifoControl]) & FIFO) !== 0 || (value & 4) !== 0) this.#sending.clear();
    s[fields.fifoControl] = value & 0xc9;
    this.#expectByte();
  }

  #send(value: number): void {
    const s = this.#s;
    s[fields.emptied] = 0;
    if (s[fields.shifting] < 0) this.#shift(value);
    else {
      // Without FIFOs a second byte in the holding register replaces the first.
      if ((s[fields.fifoControl] & FIFO) === 0) this.#sending.clear();
      this.#sending.push(value);
    }
    if (this.#sending.length === 0) s[fields.emptied] = 1;
  }

  #shift(value: number): void {
    this.#s[fields.shifting] = value;
    writeWide(this.#s, fields.shiftedAt, this.#wires.now() + this.#byteTime());
  }

  #sent(): void {
    const s = this.#s;
    const byte = s[fields.shifting];
    s[fields.shifting] = -1;
    if ((s[MCR] & LOOP) !== 0) this.#received.push(byte);
    else this.#wires.transmit(byte);
    if (this.#sending.length === 0) return;
    this.#shift(this.#sending.shift());
    if (this.#sending.length === 0) s[fields.emptied] = 1;
  }

  /** Room in the receiver, and a byte on the line: it will be here a byte's time from now. */
  #expectByte(): void {
    const s = this.#s;
    const room = (s[fields.fifoControl] & FIFO) !== 0 ? 16 : 1;
    if (this.#line.length === 0 || this.#received.length >= room || readWide(s, fields.receivedAt) >= 0) return;
    writeWide(s, fields.receivedAt, this.#wires.now() + this.#byteTime());
  }

  /** Bytes below the trigger level are announced when nothing happened for four bytes' time. */
  #restartTimeout(): void {
    const s = this.#s;
    const waits = this.#received.length > 0 && (s[fields.fifoControl] & FIFO) !== 0;
    writeWide(s, fields.timeoutAt, waits ? this.#wires.now() + 4 * this.#byteTime() : -1);
  }

  /** Instructions that a byte takes: start bit, data, parity, stop bits, 16 clocks each. */
  #byteTime(): number {
    const lcr = this.#s[LCR];
    const bits = 1 + 5 + (lcr & 3) + ((lcr & 8) >> 3) + 1 + ((lcr & 4) >> 2);
    const divisor = this.#s[fields.divisor] || 0x10000;
    return Math.max(1, Math.floor((bits * divisor * this.#wires.instructionsPerSecond) / 115_200));
  }

  /** The interrupt with the highest priority, as the identification register has it; 1 for none. */
  #source(): number {
    const s = this.#s;
    const trigger = (s[fields.fifoControl] & FIFO) !== 0 ? (TRIGGERS[s[fields.fifoControl] >> 6] ?? 1) : 1;
    if ((s[IER] & 1) !== 0) {
      if (this.#received.length >= trigger) return 4;
      if (s[fields.timedOut] !== 0) return 0x0c;
    }
    if ((s[IER] & 2) !== 0 && s[fields.emptied] !== 0) return 2;
    return (s[IER] & 8) !== 0 && (s[MSR] & 15) !== 0 ? 0 : 1;
  }

  #drive(): void {
    const s = this.#s;
    const level = this.#source() !== 1 && (s[MCR] & OUT2) !== 0 && (s[MCR] & LOOP) === 0 ? 1 : 0;
    if (level === s[fields.irq]) return;
    s[fields.irq] = level;
    this.#wires.irq(level);
  }
}
