import { ByteQueue } from '../byte-queue.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { fields, type I8042State, KEYBOARD_BYTES, MOUSE_BYTES, REPLY_BYTES, stateWords } from './fields.ts';
import { keyboardCommand, resetKeyboard, typematicDelayMs, typematicPeriodMs } from './keyboard.ts';
import { isKeyDown, setKeyDown } from './keys-down.ts';
import { mouseCommand, moveMouse, resetMouse } from './mouse.ts';
import { keyBytes } from './scan-codes.ts';

export interface I8042Wires {
  now(): number;
  readonly instructionsPerSecond: number;
  /** IRQ 1 and IRQ 12. */
  keyboardIrq(level: number): void;
  mouseIrq(level: number): void;
  a20(level: number): void;
  /** The reset line of the processor. */
  reset(): void;
}

const FULL = fields.full;
const COMMAND_BYTE = fields.commandByte;
const DELIVER_AT = fields.deliverAt;

/** A byte takes eleven bits of the keyboard's clock on its way. */
const BYTES_PER_SECOND = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Keys that do not repeat: Ctrl, shifts, Alt, locks, Pause. */
const silent = new Set([0x1d, 0x2a, 0x36, 0x38, 0x3a, 0x45, 0x46, 0xe01d, 0xe038, 0xe037, 0xe046, 0xe11d45]);

/**
 * Intel 8042 as the keyboard controller of an AT, with its keyboard (sending set 1 codes, as the controller translates
 * them) and a PS/2 mouse.
 *
 *                +--------+
 *   port 60h <-->|        |<--> keyboard      IRQ 1
 *   port 64h <-->|  8042  |<--> mouse         IRQ 12
 *                |        |---> A20, reset
 *                +--------+
 *
 * A byte appears a thousandth of a second after the one before was read; `nextEvent()` says at which instruction.
 *
 * Source: IBM PS/2 Hardware Interface Technical Reference (1988). Not emulated: set 2 and 3 codes on an untranslated
 * interface, the wheel, parity errors and time-outs, the controller's time to take a byte (IBF is never seen set).
 */
export class I8042 {
  readonly #s: I8042State;
  readonly #wires: I8042Wires;
  readonly #replies: ByteQueue;
  readonly #keyboard: ByteQueue;
  readonly #mouse: ByteQueue;
  readonly #byteTime: number;

  constructor(state: Int32Array, wires: I8042Wires) {
    this.#s = state as I8042State;
    this.#wires = wires;
    this.#replies = new ByteQueue(state.subarray(fields.replies), REPLY_BYTES);
    this.#keyboard = new ByteQueue(state.subarray(fields.keyboard), KEYBOARD_BYTES);
    this.#mouse = new ByteQueue(state.subarray(fields.mouse), MOUSE_BYTES);
    this.#byteTime = Math.max(1, Math.floor(wires.instructionsPerSecond / BYTES_PER_SECOND));
  }

  /** As a BIOS leaves it: both interrupts on, translating, A20 off. */
  powerOn(): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    s[COMMAND_BYTE] = 0x47;
    s[fields.outputPort] = 0xcd;
    writeWide(s, DELIVER_AT, -1);
    resetKeyboard(s, this.#keyboard);
    resetMouse(s, this.#mouse);
  }

  get a20(): boolean {
    return (this.#s[fields.outputPort] & 2) !== 0;
  }

  get leds(): number {
    return this.#s[fields.leds];
  }

  /** A key of the table in scan-codes.ts goes down or up. False where the keyboard's buffer is full: try later. */
  key(code: number, down: boolean): boolean {
    const s = this.#s;
    if (s[fields.keyboardEnabled] !== 0 && !this.#keyboard.push(...keyBytes(code, down))) return false;
    setKeyDown(s, code, down);
    if (s[fields.keyboardEnabled] === 0) return true;
    if (down && !silent.has(code)) {
      s[fields.repeatCode] = code;
      this.#repeatIn(typematicDelayMs(s[fields.typematic]));
    } else if (down || s[fields.repeatCode] === code) s[fields.repeatCode] = 0;
    this.#schedule();
    return true;
  }

  /** Whether somebody holds it, whatever the keyboard has sent. */
  isKeyDown(code: number): boolean {
    // Snapshots of earlier versions tell of the key that repeats alone.
    return isKeyDown(this.#s, code) || this.#s[fields.repeatCode] === code;
  }

  /** Whether so many bytes of keys have room. */
  get keyboardRoom(): number {
    return KEYBOARD_BYTES - this.#keyboard.length;
  }

  /** Movement in counts, y downwards; buttons: 1 left, 2 right, 4 middle. */
  moveMouse(dx: number, dy: number, buttons: number): void {
    moveMouse(this.#s, this.#mouse, dx, dy, buttons);
    this.#schedule();
  }

  nextEvent(): number {
    const s = this.#s;
    const deliver = readWide(s, DELIVER_AT);
    const repeat = s[fields.repeatCode] !== 0 ? readWide(s, fields.repeatAt) : NEVER;
    return Math.min(deliver < 0 ? NEVER : deliver, repeat);
  }

  catchUp(count: number): void {
    const s = this.#s;
    if (s[fields.repeatCode] !== 0 && readWide(s, fields.repeatAt) <= count) {
      this.#keyboard.push(...keyBytes(s[fields.repeatCode], true));
      this.#repeatIn(typematicPeriodMs(s[fields.typematic]));
      this.#schedule();
    }
    const deliver = readWide(s, DELIVER_AT);
    if (deliver >= 0 && deliver <= count) {
      writeWide(s, DELIVER_AT, -1);
      this.#deliver();
    }
  }

  read(port: number): number {
    const s = this.#s;
    const value = this.peek(port);
    if ((port & 4) !== 0 || s[FULL] === 0) return value;
    s[FULL] = 0;
    if (s[fields.aux] !== 0) this.#wires.mouseIrq(0);
    else this.#wires.keyboardIrq(0);
    this.#schedule();
    return value;
  }

  peek(port: number): number {
    const s = this.#s;
    if ((port & 4) === 0) return s[fields.data];
    return 0x10 | s[FULL] | (s[COMMAND_BYTE] & 4) | (s[fields.wroteCommand] << 3) | ((s[fields.aux] & s[FULL]) << 5);
  }

  write(port: number, value: number): void {
    const s = this.#s;
    s[fields.wroteCommand] = (port >> 2) & 1;
    if ((port & 4) !== 0) this.#command(value);
    else this.#parameter(value);
    this.#schedule();
  }

  /** System control port A of the PS/2: A20 and a fast reset. */
  readPort92(): number {
    return this.#s[fields.outputPort] & 2;
  }

  writePort92(value: number): void {
    this.#output((this.#s[fields.outputPort] & ~2) | (value & 2));
    if ((value & 1) !== 0) this.#wires.reset();
  }

  #command(value: number): void {
    const s = this.#s;
    s[fields.command] = 0;
    if (value < 0x40) {
      if (value >= 0x20) this.#reply(value === 0x20 ? s[COMMAND_BYTE] : s[fields.memory + (value & 31)]);
    } else if (value >= 0xf0) {
      if ((value & 1) === 0) this.#wires.reset();
    } else
      switch (value) {
        case 0xa7:
          s[COMMAND_BYTE] |= 0x20;
          break;
        case 0xa8:
          s[COMMAND_BYTE] &= ~0x20;
          break;
        case 0xa9:
        case 0xab:
          this.#reply(0);
          break;
        case 0xaa:
          s[COMMAND_BYTE] |= 4;
          this.#reply(0x55);
          break;
        case 0xad:
          s[COMMAND_BYTE] |= 0x10;
          break;
        case 0xae:
          s[COMMAND_BYTE] &= ~0x10;
          break;
        case 0xc0:
          this.#reply(0xa0);
          break;
        case 0xd0:
          this.#reply(s[fields.outputPort] | (s[FULL] << (s[fields.aux] !== 0 ? 5 : 4)));
          break;
        case 0xe0:
          this.#reply(0);
          break;
        default:
          // 60h-7Fh and D1h-D4h take a parameter; the rest is unknown to it.
          if (value < 0x80 || (value >= 0xd1 && value <= 0xd4)) s[fields.command] = value;
      }
  }

  #parameter(value: number): void {
    const s = this.#s;
    const command = s[fields.command];
    s[fields.command] = 0;
    if (command === 0) {
      s[COMMAND_BYTE] &= ~0x10;
      keyboardCommand(s, this.#keyboard, value);
    } else if (command === 0x60) s[COMMAND_BYTE] = value;
    else if (command < 0x80) s[fields.memory + (command & 31)] = value;
    else if (command === 0xd1) this.#output(value);
    else if (command === 0xd2) this.#fill(value, 0);
    else if (command === 0xd3) this.#fill(value, 1);
    else mouseCommand(s, this.#mouse, value);
  }

  #output(value: number): void {
    const s = this.#s;
    const before = s[fields.outputPort];
    s[fields.outputPort] = value | 1;
    if (((value ^ before) & 2) !== 0) this.#wires.a20((value >> 1) & 1);
    if ((value & 1) === 0) this.#wires.reset();
  }

  /** Answers of the controller itself do not travel: they are there at once, as soon as the buffer is free. */
  #reply(value: number): void {
    this.#replies.push(value);
    if (this.#s[FULL] === 0) this.#deliver();
  }

  #repeatIn(ms: number): void {
    const span = Math.round((ms * this.#wires.instructionsPerSecond) / 1000);
    writeWide(this.#s, fields.repeatAt, this.#wires.now() + Math.max(1, span));
  }

  #deliver(): void {
    const s = this.#s;
    if (s[FULL] !== 0) return;
    if (this.#replies.length > 0) this.#fill(this.#replies.shift(), 0);
    else if (this.#keyboard.length > 0 && (s[COMMAND_BYTE] & 0x10) === 0) {
      s[fields.lastKeyboardByte] = this.#keyboard.shift();
      this.#fill(s[fields.lastKeyboardByte], 0);
    } else if (this.#mouse.length > 0 && (s[COMMAND_BYTE] & 0x20) === 0) this.#fill(this.#mouse.shift(), 1);
  }

  #fill(value: number, aux: number): void {
    const s = this.#s;
    s[fields.data] = value;
    s[FULL] = 1;
    s[fields.aux] = aux;
    if (aux === 0 && (s[COMMAND_BYTE] & 1) !== 0) this.#wires.keyboardIrq(1);
    if (aux !== 0 && (s[COMMAND_BYTE] & 2) !== 0) this.#wires.mouseIrq(1);
  }

  #schedule(): void {
    const s = this.#s;
    const keyboard = this.#keyboard.length > 0 && (s[COMMAND_BYTE] & 0x10) === 0;
    const mouse = this.#mouse.length > 0 && (s[COMMAND_BYTE] & 0x20) === 0;
    if (s[FULL] !== 0 || !(keyboard || mouse || this.#replies.length > 0)) return;
    if (readWide(s, DELIVER_AT) < 0) writeWide(s, DELIVER_AT, this.#wires.now() + this.#byteTime);
  }
}
