/* The border unit: a vertical and a main flip-flop, set and reset by compares in certain lines and cycles only. */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';

const D011 = fields.d011;
const D016 = fields.d016;
const RASTER_LINE = fields.rasterLine;
const VERTICAL = fields.verticalBorder;
const VERTICAL_SET = fields.verticalBorderSet;
const MAIN = fields.mainBorder;
const SHOWN = fields.borderShown;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;

const RSEL = 8;
const DEN = 0x10;
const BORDER_CODES = 0x20202020;

/** The left and right compares; called in the cycles that have one. */
export function compareBorderX(s: Vic2State, flags: number): void {
  if ((s[D016] & 8) !== ((flags & cycleFlag.borderWide) === 0 ? 0 : 8)) return;
  if ((flags & cycleFlag.borderRight) !== 0) {
    s[MAIN] = 1;
    return;
  }
  compareBorderBottom(s);
  s[VERTICAL] = s[VERTICAL_SET];
  if (s[VERTICAL] === 0) s[MAIN] = 0;
}

/** The upper and lower compares, effective in every cycle of their lines. */
export function compareBorderY(s: Vic2State): void {
  const line = s[RASTER_LINE];
  if (line !== 0x33 && line !== 0x37 && line !== 0xf7 && line !== 0xfb) return;
  const top = (s[D011] & RSEL) !== 0 ? 0x33 : 0x37;
  if (s[RASTER_LINE] === top && (s[D011] & DEN) !== 0) {
    s[VERTICAL] = 0;
    s[VERTICAL_SET] = 0;
  }
  compareBorderBottom(s);
}

function compareBorderBottom(s: Vic2State): void {
  if (s[RASTER_LINE] === ((s[D011] & RSEL) !== 0 ? 0xfb : 0xf7)) s[VERTICAL_SET] = 1;
}

/** Covers the pixels of a cycle in which the main border begins or ends; with CSEL = 0 it does so one pixel early. */
export function drawBorderEdge(s: Vic2State): void {
  const last = (s[D016] & 8) === 0 ? -0x1000000 : 0;
  if (s[SHOWN] !== 0) {
    s[RENDER0] = BORDER_CODES;
    s[RENDER1] = (BORDER_CODES & ~last) | (s[RENDER1] & last);
  }
  if (s[MAIN] !== 0) s[RENDER1] = (s[RENDER1] & ~last) | (BORDER_CODES & last);
  s[SHOWN] = s[MAIN];
}
