import { fields, type Mos6526State } from './fields.ts';

/**
 * The shift register. As output, timer A's underflows toggle CNT two cycles later; a byte is sixteen half bits. Stages in
 * `serialPipeline` move up one bit a cycle.
 */
const TOGGLE1 = 1 << 0;
const TOGGLE0 = 1 << 1;
const SWALLOW1 = 1 << 3;
const SWALLOW0 = 1 << 4;
const INTERRUPT2 = 1 << 6;
const INTERRUPT0 = 1 << 8;
const CNT_NOW = 1 << 10;
const CNT_1 = 1 << 11;
const CNT_2 = 1 << 12;
const LOAD1 = 1 << 14;
const LOAD0 = 1 << 15;

const CNT_HISTORY = CNT_NOW | CNT_1 | CNT_2;
const EVENTS = TOGGLE1 | TOGGLE0 | SWALLOW1 | SWALLOW0 | (7 << 6) | LOAD1 | LOAD0;
const KEEP = TOGGLE0 | SWALLOW0 | (6 << 6) | CNT_1 | CNT_2 | LOAD0;

const PIPE = fields.serialPipeline;
const HALF_BITS = fields.halfBits;
const WAITING = fields.sdrWaiting;
const SHIFTER = fields.shifter;
const SDR = fields.sdr;
const CNT_OUT = fields.cntOut;
const FORCE_FINISH = fields.serialForceFinish;

export const SERIAL_RESET = CNT_HISTORY;

/** True while a cycle changes nothing here. */
export function serialQuiet(s: Mos6526State): boolean {
  return s[PIPE] === (s[CNT_OUT] !== 0 ? CNT_HISTORY : 0);
}

/** The end of a cycle. True if the byte is through and the interrupt source has to be set. */
export function serialStep(s: Mos6526State): boolean {
  let pipe = s[PIPE];
  if ((pipe & EVENTS) !== 0) {
    if ((pipe & LOAD0) !== 0) load(s);
    if ((pipe & TOGGLE0) !== 0 && toggle(s)) pipe |= INTERRUPT2;
  }
  const done = (s[PIPE] & INTERRUPT0) !== 0;
  s[PIPE] = ((pipe << 1) & KEEP) | (s[CNT_OUT] !== 0 ? CNT_NOW : 0);
  return done;
}

export function serialWrite(s: Mos6526State, value: number): void {
  if (s[fields.cra] & 0x40) s[PIPE] |= LOAD1;
  s[SDR] = value;
}

/** Timer A underflowed while the register is an output. Pulses that come in adjacent cycles are one. */
export function serialClock(s: Mos6526State): void {
  if (s[HALF_BITS] === 0 && s[WAITING] === 0) return;
  s[PIPE] |= (s[PIPE] & (TOGGLE0 | SWALLOW0)) !== 0 ? SWALLOW1 : TOGGLE1;
}

/**
 * CRA bit 6 changes. Measured behaviour of an interrupted transfer: VICE bug 1219 and its test programs. Of the 6526s that were
 * measured, ours is the one of week 44/85, which also looks at CNT as it is now.
 */
export function serialDirection(s: Mos6526State, output: boolean, old: boolean): void {
  const halfBits = s[HALF_BITS];
  if ((halfBits > 1 && halfBits < 15) || (halfBits === 15 && (s[PIPE] & CNT_2) === 0)) s[PIPE] |= INTERRUPT2;
  if (output) {
    if (s[CNT_OUT] === 0 && halfBits !== 0) s[SHIFTER] = (s[SHIFTER] << 1) & 0xffff;
    if (s[FORCE_FINISH] !== 0) s[PIPE] |= INTERRUPT2;
    s[FORCE_FINISH] = 0;
  } else {
    const looked = old ? CNT_HISTORY : CNT_1 | CNT_2;
    const cntWasLow = (s[PIPE] & looked) !== looked;
    const aboutToToggle = halfBits !== 2 && (s[PIPE] & (TOGGLE1 | TOGGLE0)) === TOGGLE0;
    s[FORCE_FINISH] = cntWasLow || aboutToToggle ? 1 : 0;
  }
  s[HALF_BITS] = 0;
  s[WAITING] = 0;
  s[PIPE] &= ~(TOGGLE1 | TOGGLE0 | SWALLOW1 | SWALLOW0);
  s[CNT_OUT] = 1;
}

/** An edge of CNT from outside while the register is an input. True if a byte is complete. */
export function serialInput(s: Mos6526State, level: number): boolean {
  if (level === 0) {
    if (s[HALF_BITS] === 0) s[HALF_BITS] = 16;
    s[HALF_BITS]--;
    return false;
  }
  if (s[HALF_BITS] > 0) s[HALF_BITS]--;
  s[SHIFTER] = ((s[SHIFTER] << 1) | s[fields.spLine]) & 0xffff;
  if (s[HALF_BITS] !== 0) return false;
  s[SDR] = s[SHIFTER] & 0xff;
  return true;
}

function load(s: Mos6526State): void {
  if (s[HALF_BITS] === 0) {
    s[HALF_BITS] = 16;
    s[SHIFTER] = s[SDR] << 1;
  } else if (s[HALF_BITS] === 1) {
    s[HALF_BITS] = 17;
    s[SHIFTER] |= s[SDR];
  } else s[WAITING] = 1;
}

/** One half bit out. True on the last falling edge of a byte. */
function toggle(s: Mos6526State): boolean {
  if (s[HALF_BITS] > 0) s[HALF_BITS]--;
  if ((s[HALF_BITS] & 1) === 0) {
    s[SHIFTER] = (s[SHIFTER] << 1) & 0x1ffff;
    s[CNT_OUT] = 1;
    return false;
  }
  s[fields.spOut] = (s[SHIFTER] >> 8) & 1;
  s[CNT_OUT] = 0;
  if (s[HALF_BITS] !== 1) return false;
  if (s[WAITING] !== 0) {
    s[SHIFTER] |= s[SDR];
    s[WAITING] = 0;
    s[HALF_BITS] = 17;
  }
  return true;
}
