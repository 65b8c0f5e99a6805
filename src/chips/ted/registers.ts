import { due, fields as f, type TedState } from './fields.ts';
import { changeWindow, restDma } from './vertical.ts';

const IRQ_MASK = f.registers + 0x0a;
const IRQ_LINE = f.registers + 0x0b;
const sources = 0x5e;
/** Of $FF09: the light pen's, and bits without a meaning. */
const alwaysSet = 0x25;

export function updateIrq(s: TedState): void {
  s[f.irq] = (s[f.irqFlags] & s[IRQ_MASK] & sources) !== 0 ? 1 : 0;
}

/** The interrupt of a line comes when the counter reaches it, or it the counter. */
export function matchLine(s: TedState): void {
  const wanted = s[IRQ_LINE] | ((s[IRQ_MASK] & 1) << 8);
  if (s[f.line] !== wanted) s[f.lineMatched] = 0;
  else if (s[f.lineMatched] === 0) {
    s[f.lineMatched] = 1;
    s[f.irqFlags] |= 2;
    updateIrq(s);
  }
}

export function readRegister(s: TedState, register: number): number {
  const index = register & 31;
  const written = s[(f.registers + index) as typeof f.registers];
  switch (index) {
    case 0:
    case 2:
    case 4:
      return s[f.timers + (index >> 1)] & 255;
    case 1:
    case 3:
    case 5:
      return s[f.timers + (index >> 1)] >> 8;
    case 8:
      return s[f.keyboard];
    case 9:
      return s[f.irqFlags] | alwaysSet | (s[f.irq] << 7);
    case 0x0a:
      return written | 0xa0;
    case 0x0c:
      return written | 0xfc;
    case 0x10:
      return written | 0xfc;
    case 0x12:
      return written | 0xc0;
    case 0x13:
      return (written & 0xfe) | s[f.romSelected];
    case 0x14:
      return written | 7;
    case 0x15:
    case 0x16:
    case 0x17:
    case 0x18:
    case 0x19:
      return written | 0x80;
    case 0x1a:
      return (s[f.positionReload] >> 8) | 0xfc;
    case 0x1b:
      return s[f.positionReload] & 255;
    case 0x1c:
      return (s[f.lineRead] >> 8) | 0xfe;
    case 0x1d:
      return s[f.lineRead] & 255;
    case 0x1e:
      return (earlier(s[f.horizontal]) << 1) & 255;
    case 0x1f:
      return 0x80 | (s[f.flashCounter] << 3) | s[f.rowLine];
    default:
      return written;
  }
}

/** The counter is read as it was half a cycle ago. */
function earlier(horizontal: number): number {
  return horizontal === 0 ? 113 : horizontal - 1;
}

export function writeRegister(s: TedState, register: number, value: number): void {
  const index = register & 31;
  const before = s[(f.registers + index) as typeof f.registers];
  s[(f.registers + index) as typeof f.registers] = value;
  const isOdd = (s[f.horizontal] & 1) !== 0;
  switch (index) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      setTimer(s, index, value, isOdd);
      break;
    case 6:
      if (((value ^ before) & 7) !== 0) s[f.dueEven] |= due.scrollY;
      if (((value ^ before) & 0x18) !== 0) changeWindow(s);
      if (((value ^ before) & 0x60) !== 0) soon(s, due.mode, isOdd);
      break;
    case 7:
      if (((value ^ before) & 7) !== 0) soon(s, due.scrollX, !isOdd);
      if (((value ^ before) & 0x90) !== 0) soon(s, due.mode, isOdd);
      break;
    case 9:
      s[f.irqFlags] &= ~value;
      updateIrq(s);
      break;
    case 0x0a:
    case 0x0b:
      updateIrq(s);
      matchLine(s);
      break;
    case 0x13:
      if (((value ^ before) & 2) !== 0) s[f.dueEven] |= due.clock;
      break;
    case 0x15:
    case 0x16:
    case 0x17:
    case 0x18:
    case 0x19:
      s[(f.registers + index) as typeof f.registers] = value & 0x7f;
      s[f.glitch] |= 1 << (index - 0x15);
      break;
    case 0x1a:
      s[f.positionReload] = (s[f.positionReload] & 0xff) | ((value & 3) << 8);
      break;
    case 0x1b:
      s[f.positionReload] = (s[f.positionReload] & 0x300) | value;
      break;
    case 0x1c:
      moveLine(s, (s[f.line] & 0xff) | ((value & 1) << 8));
      break;
    case 0x1d:
      moveLine(s, (s[f.line] & 0x100) | value);
      break;
    case 0x1e:
      // It counts the other way round for whoever writes.
      s[f.horizontal] = (s[f.horizontal] & 1) | ((~value & 0xfc) >> 1);
      break;
    case 0x1f:
      moveFlash(s, value);
  }
}

/** In the half cycle that comes next: `isOdd` says what this one is. */
function soon(s: TedState, what: number, isOdd: boolean): void {
  if (isOdd) s[f.dueEven] |= what;
  else s[f.dueOdd] |= what;
}

function moveLine(s: TedState, line: number): void {
  s[f.line] = line;
  s[f.lineRead] = line;
  restDma(s);
  matchLine(s);
}

/** Leaving its last count lets the flash change, whoever counts. */
function moveFlash(s: TedState, value: number): void {
  const count = (value >> 3) & 15;
  if (s[f.flashCounter] === 15 && count !== 15) s[f.flash] ^= 0xff;
  s[f.flashCounter] = count;
  s[f.rowLine] = value & 7;
}

/** The low byte stops a timer, the high one starts it. */
function setTimer(s: TedState, index: number, value: number, isOdd: boolean): void {
  const timer = index >> 1;
  const isHigh = (index & 1) !== 0;
  const counter = f.timers + timer;
  const set = (now: number) => (isHigh ? (now & 0xff) | (value << 8) : (now & 0xff00) | value);
  s[counter] = set(s[counter]);
  if (timer === 0) s[f.timerReload] = set(s[f.timerReload]);
  const bit = 1 << timer;
  if (!isHigh) {
    s[f.timersRun] &= ~bit;
    if (timer === 1) s[f.dueEven] &= ~due.startTimer2;
  } else if (timer === 1 && isOdd && (s[f.timersRun] & bit) === 0) s[f.dueEven] |= due.startTimer2;
  else s[f.timersRun] |= bit;
}
