import { fields as f, pending as p, type Via6522State } from './fields.ts';
import { clockShift, isShiftDisabled, isShiftedByTimer, selectShift, startShift, stepShift } from './shift-register.ts';

const PENDING = f.pending;
const T1 = f.t1Counter;
const T2 = f.t2Counter;
const T2_COUNTS = f.t2Counts;
const T2_ARMED = f.t2Armed;
const ACR = f.acr;

/** Bits of IFR and IER. */
export const viaInterrupt = { ca2: 1, ca1: 2, shift: 4, cb2: 8, cb1: 16, t2: 32, t1: 64 } as const;

/**
 * MOS 6522 Versatile Interface Adapter: two ports with handshake lines, two timers, a shift register.
 *
 *            +--------+
 *   PA0-7 <->|        |<-> PB0-7
 *     CA1 -->|  6522  |<-> CB1
 *     CA2 <->|        |<-> CB2
 *   D0-7 <-->|        |--> IRQ
 *            +--------+
 *
 * A cycle is `tick()`, then at most one `read` or `write`. `catchUp(n)` is n ticks, and n - 1 of them cost nothing while
 * the timers only count (`quietCycles`). All state is in the words given to the constructor.
 *
 * Sources: MOS data sheet; VICE's test programs VIC20/via_* and drive/viavarious, made on real chips. Timer 1 takes its latch
 * again after every time-out, in one-shot mode too.
 * Not emulated: flags of CB1 and CB2 for edges that the shift register itself makes there.
 */
export class Via6522 {
  readonly #s: Via6522State;

  constructor(state: Int32Array) {
    this.#s = state as Via6522State;
  }

  /** All inputs released, counters full, then reset. */
  powerOn(): void {
    const s = this.#s;
    s.fill(0);
    s[f.paIn] = 0xff;
    s[f.pbIn] = 0xff;
    s[f.ca1] = 1;
    s[f.ca2] = 1;
    s[f.cb1] = 1;
    s[f.cb2] = 1;
    s[f.t1Counter] = 0xffff;
    s[f.t1Latch] = 0xffff;
    s[f.t2Counter] = 0xffff;
    s[f.t2LatchLow] = 0xff;
    s[f.t2Counts] = 1;
    s[f.pb6] = 1;
    this.reset();
  }

  /** The /RES pin: registers are cleared; timers, latches and shift register are not. */
  reset(): void {
    const s = this.#s;
    for (const field of [f.ora, f.orb, f.ddra, f.ddrb, f.acr, f.pcr, f.ifr, f.ier, f.irq] as const) s[field] = 0;
    for (const field of [f.t1Armed, f.t2Armed, f.shiftDelay] as const) s[field] = 0;
    for (const field of [f.t1Pb7, f.ca2Out, f.cb1Out, f.cb2Out] as const) s[field] = 1;
    s[f.halfBits] = 16;
    s[PENDING] = (s[PENDING] & (p.load1 | p.load2)) | (s[T2_COUNTS] === 0 ? p.mode2 : 0);
    this.#drivePorts();
  }

  tick(): void {
    const s = this.#s;
    if (s[PENDING] !== 0) {
      this.#tickBusy();
      return;
    }
    if (s[T1] === 0) this.#endCount1();
    else s[T1] -= 1;
    if (s[T2_COUNTS] !== 0) this.#count2();
  }

  /** A cycle that does more than count. */
  #tickBusy(): void {
    const s = this.#s;
    const due = s[PENDING];
    if ((due & (p.endCa2 | p.endCb2)) !== 0) this.#endPulses(due);
    if ((due & (p.shift | p.clock)) !== 0 && stepShift(s)) this.#raise(viaInterrupt.shift);
    if ((due & p.load1) !== 0) {
      s[PENDING] &= ~p.load1;
      s[T1] = s[f.t1Latch];
    } else if (s[T1] === 0) this.#endCount1();
    else s[T1] -= 1;
    this.#step2(due);
  }

  /** The same as this many ticks. */
  catchUp(cycles: number): void {
    let left = cycles;
    while (left > 0) {
      const skipped = Math.min(this.quietCycles(), left);
      if (skipped > 0) {
        const s = this.#s;
        s[T1] -= skipped;
        if (s[T2_COUNTS] !== 0) s[T2] = (s[T2] - skipped) & 0xffff;
        left -= skipped;
      } else {
        this.tick();
        left -= 1;
      }
    }
  }

  /** How many of the next ticks only count: no output and no flag changes, unless somebody writes. */
  quietCycles(): number {
    const s = this.#s;
    if (s[PENDING] !== 0) return 0;
    const first = s[T1];
    if (s[T2_COUNTS] === 0) return first;
    const second = isShiftedByTimer(s[ACR]) ? s[T2] & 255 : s[T2_ARMED] !== 0 ? s[T2] : first;
    return Math.min(first, second);
  }

  /** Timer 1 goes past zero, and takes its latch again a cycle later. */
  #endCount1(): void {
    const s = this.#s;
    s[T1] = 0xffff;
    s[PENDING] |= p.load1;
    if (s[f.t1Armed] === 0) return;
    this.#raise(viaInterrupt.t1);
    s[f.t1Pb7] ^= 1;
    if ((s[ACR] & 0x40) === 0) s[f.t1Armed] = 0;
    if ((s[ACR] & 0x80) !== 0) this.#drivePorts();
  }

  /** Timer 2 where something was `due`. */
  #step2(due: number): void {
    const s = this.#s;
    const counts = s[T2_COUNTS];
    s[T2_COUNTS] = (s[ACR] & 0x20) === 0 ? 1 : 0;
    s[PENDING] &= ~(p.load2 | p.mode2 | p.pulse2 | p.wrap2);
    if ((due & p.load2) !== 0) return;
    if ((due & p.wrap2) !== 0 && isShiftedByTimer(s[ACR])) {
      s[T2] = (s[T2] & 0xff00) | s[f.t2LatchLow];
      s[PENDING] |= p.shift;
    } else if (counts !== 0 || (due & p.pulse2) !== 0) this.#count2();
  }

  #count2(): void {
    const s = this.#s;
    const count = (s[T2] - 1) & 0xffff;
    s[T2] = count;
    if ((count & 255) !== 255) return;
    if (isShiftedByTimer(s[ACR])) s[PENDING] |= p.wrap2;
    if (count !== 0xffff || s[T2_ARMED] === 0) return;
    s[T2_ARMED] = 0;
    this.#raise(viaInterrupt.t2);
  }

  // ---- the processor's side

  read(register: number): number {
    const value = this.peek(register);
    switch (register & 15) {
      case 0:
        this.#clear(this.#portFlags(viaInterrupt.cb1, viaInterrupt.cb2, 5));
        break;
      case 1:
        this.#clear(this.#portFlags(viaInterrupt.ca1, viaInterrupt.ca2, 1));
        this.#handshake(f.ca2Out, 1, p.endCa2);
        break;
      case 4:
        this.#clear(viaInterrupt.t1);
        break;
      case 8:
        this.#clear(viaInterrupt.t2);
        break;
      case 10:
        startShift(this.#s);
        this.#clear(viaInterrupt.shift);
        break;
    }
    return value;
  }

  /** What a read would give, without its side effects. */
  peek(register: number): number {
    const s = this.#s;
    switch (register & 15) {
      case 0:
        return this.#portB();
      case 1:
      case 15:
        return (s[f.acr] & 1) !== 0 && (s[f.ifr] & viaInterrupt.ca1) !== 0 ? s[f.paLatched] : s[f.paOut] & s[f.paIn];
      case 2:
        return s[f.ddrb];
      case 3:
        return s[f.ddra];
      case 4:
        return s[f.t1Counter] & 255;
      case 5:
        return s[f.t1Counter] >> 8;
      case 6:
        return s[f.t1Latch] & 255;
      case 7:
        return s[f.t1Latch] >> 8;
      case 8:
        return s[f.t2Counter] & 255;
      case 9:
        return s[f.t2Counter] >> 8;
      case 10:
        return s[f.sr];
      case 11:
        return s[f.acr];
      case 12:
        return s[f.pcr];
      case 13:
        return s[f.ifr] | (s[f.irq] << 7);
      default:
        return s[f.ier] | 0x80;
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    switch (register & 15) {
      case 0:
        s[f.orb] = value;
        this.#clear(this.#portFlags(viaInterrupt.cb1, viaInterrupt.cb2, 5));
        this.#handshake(f.cb2Out, 5, p.endCb2);
        break;
      case 1:
        s[f.ora] = value;
        this.#clear(this.#portFlags(viaInterrupt.ca1, viaInterrupt.ca2, 1));
        this.#handshake(f.ca2Out, 1, p.endCa2);
        break;
      case 2:
        s[f.ddrb] = value;
        break;
      case 3:
        s[f.ddra] = value;
        break;
      case 4:
      case 6:
        s[f.t1Latch] = (s[f.t1Latch] & 0xff00) | value;
        return;
      case 5:
        s[f.t1Latch] = (s[f.t1Latch] & 255) | (value << 8);
        s[PENDING] |= p.load1;
        s[f.t1Armed] = 1;
        s[f.t1Pb7] = 0;
        this.#clear(viaInterrupt.t1);
        break;
      case 7:
        s[f.t1Latch] = (s[f.t1Latch] & 255) | (value << 8);
        this.#clear(viaInterrupt.t1);
        return;
      case 8:
        s[f.t2LatchLow] = value;
        return;
      case 9:
        s[f.t2Counter] = s[f.t2LatchLow] | (value << 8);
        s[PENDING] = (s[PENDING] & ~p.wrap2) | p.load2;
        s[T2_ARMED] = 1;
        this.#clear(viaInterrupt.t2);
        return;
      case 10:
        s[f.sr] = value;
        startShift(s);
        this.#clear(viaInterrupt.shift);
        return;
      case 11:
        this.#writeAcr(value);
        break;
      case 12:
        s[f.pcr] = value;
        s[f.ca2Out] = idleLevel((value >> 1) & 7);
        if (isShiftDisabled(s[f.acr])) s[f.cb2Out] = idleLevel(value >> 5);
        return;
      case 13:
        this.#clear(value & 0x7f);
        return;
      case 14:
        s[f.ier] = (value & 0x80) !== 0 ? s[f.ier] | (value & 0x7f) : s[f.ier] & ~value;
        this.#updateIrq();
        return;
      default:
        s[f.ora] = value;
    }
    this.#drivePorts();
  }

  #writeAcr(value: number): void {
    const s = this.#s;
    const before = s[ACR];
    s[ACR] = value;
    if ((value & ~before & 0x80) !== 0) s[f.t1Pb7] = 1;
    if (((value & 0x20) === 0 ? 1 : 0) !== s[T2_COUNTS]) s[PENDING] |= p.mode2;
    // Its low byte has just wrapped: that counts now.
    const isNew = isShiftedByTimer(value) && !isShiftedByTimer(before);
    if (isNew && s[T2_COUNTS] !== 0 && (s[T2] & 255) === 255) s[PENDING] |= p.wrap2;
    selectShift(s, before);
    if (!isShiftDisabled(value)) return;
    this.#clear(viaInterrupt.shift);
    if (!isShiftDisabled(before)) s[f.cb2Out] = idleLevel(s[f.pcr] >> 5);
  }

  /** Output pins read back as the register, not as the pin: unlike port A. */
  #portB(): number {
    const s = this.#s;
    const isLatched = (s[f.acr] & 2) !== 0 && (s[f.ifr] & viaInterrupt.cb1) !== 0;
    const pins = isLatched ? s[f.pbLatched] : s[f.pbIn];
    const value = (s[f.orb] & s[f.ddrb]) | (pins & ~s[f.ddrb] & 255);
    return (s[f.acr] & 0x80) === 0 ? value : (value & 0x7f) | (s[f.t1Pb7] << 7);
  }

  #drivePorts(): void {
    const s = this.#s;
    s[f.paOut] = (s[f.ora] | ~s[f.ddra]) & 255;
    const out = (s[f.orb] | ~s[f.ddrb]) & 255;
    s[f.pbOut] = (s[f.acr] & 0x80) === 0 ? out : (out & 0x7f) | (s[f.t1Pb7] << 7);
    this.#sensePb6();
  }

  /** What the outside does to port B: 0 where it pulls a pin low. Only falls of PB6 need this call, not the bare word. */
  setPortB(pins: number): void {
    this.#s[f.pbIn] = pins;
    this.#sensePb6();
  }

  /** Timer 2 may be counting the falls of this pin. */
  #sensePb6(): void {
    const s = this.#s;
    const level = (s[f.pbOut] & s[f.pbIn] & 0x40) >> 6;
    if (level < s[f.pb6] && (s[ACR] & 0x20) !== 0) s[PENDING] |= p.pulse2;
    s[f.pb6] = level;
  }

  // ---- handshake lines

  setCa1(level: number): void {
    const s = this.#s;
    if (s[f.ca1] === level) return;
    s[f.ca1] = level;
    if (level !== (s[f.pcr] & 1)) return;
    if ((s[f.ifr] & viaInterrupt.ca1) === 0) s[f.paLatched] = s[f.paOut] & s[f.paIn];
    this.#raise(viaInterrupt.ca1);
    if (((s[f.pcr] >> 1) & 7) === 4) s[f.ca2Out] = 1;
  }

  setCb1(level: number): void {
    const s = this.#s;
    if (s[f.cb1] === level) return;
    s[f.cb1] = level;
    if (clockShift(s, level)) this.#raise(viaInterrupt.shift);
    if (level !== ((s[f.pcr] >> 4) & 1)) return;
    if ((s[f.ifr] & viaInterrupt.cb1) === 0) s[f.pbLatched] = s[f.pbIn];
    this.#raise(viaInterrupt.cb1);
    if (s[f.pcr] >> 5 === 4) s[f.cb2Out] = 1;
  }

  setCa2(level: number): void {
    this.#secondLine(f.ca2, level, (this.#s[f.pcr] >> 1) & 7, viaInterrupt.ca2);
  }

  setCb2(level: number): void {
    this.#secondLine(f.cb2, level, this.#s[f.pcr] >> 5, viaInterrupt.cb2);
  }

  #secondLine(field: typeof f.ca2 | typeof f.cb2, level: number, mode: number, flag: number): void {
    const s = this.#s;
    if (s[field] === level) return;
    s[field] = level;
    if (mode < 4 && level === mode >> 1) this.#raise(flag);
  }

  /** Flags that an access to a port clears: its second line keeps its own while it is an independent input. */
  #portFlags(first: number, second: number, shift: number): number {
    const mode = (this.#s[f.pcr] >> shift) & 7;
    return mode === 1 || mode === 3 ? first : first | second;
  }

  #handshake(output: typeof f.ca2Out | typeof f.cb2Out, shift: number, pulse: number): void {
    const s = this.#s;
    const mode = (s[f.pcr] >> shift) & 7;
    if (mode !== 4 && mode !== 5) return;
    s[output] = 0;
    if (mode === 5) s[PENDING] |= pulse;
  }

  #endPulses(due: number): void {
    const s = this.#s;
    if ((due & p.endCa2) !== 0) s[f.ca2Out] = 1;
    if ((due & p.endCb2) !== 0) s[f.cb2Out] = 1;
    s[PENDING] &= ~(p.endCa2 | p.endCb2);
  }

  // ---- interrupts

  #raise(flag: number): void {
    this.#s[f.ifr] |= flag;
    this.#updateIrq();
  }

  #clear(flags: number): void {
    this.#s[f.ifr] &= ~flags;
    this.#updateIrq();
  }

  #updateIrq(): void {
    const s = this.#s;
    s[f.irq] = (s[f.ifr] & s[f.ier]) !== 0 ? 1 : 0;
  }
}

/** The level of CA2 or CB2 when a mode is chosen: only `low` pulls. */
function idleLevel(mode: number): number {
  return mode === 6 ? 0 : 1;
}
