/* Bad lines, and the counters of the graphics: VC, VCBASE, RC, VMLI, and the idle state. */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';

const D011 = fields.d011;
const RASTER_LINE = fields.rasterLine;
const BAD_LINE = fields.badLine;
const ALLOWED = fields.badLinesAllowed;
const IDLE = fields.idle;
const VC = fields.vc;
const VC_BASE = fields.vcBase;
const RC = fields.rc;
const VMLI = fields.vmli;

const DEN = 0x10;
const FIRST_BAD_LINE = 0x30;
const LAST_BAD_LINE = 0xf7;

/** The condition of a bad line, true or not in every single cycle. DEN counts in line $30 only, in any of its cycles. */
export function checkBadLine(s: Vic2State): void {
  if (s[RASTER_LINE] === FIRST_BAD_LINE && (s[D011] & DEN) !== 0) s[ALLOWED] = 1;
  if (s[ALLOWED] === 0) return;
  if (((s[RASTER_LINE] ^ s[D011]) & 7) !== 0) {
    s[BAD_LINE] = 0;
    return;
  }
  s[BAD_LINE] = 1;
  s[IDLE] = 0;
}

/** The first cycle of a line, before the raster counter goes on: DEN has its last chance in line $30. */
export function endBadLine(s: Vic2State): void {
  if (s[RASTER_LINE] === FIRST_BAD_LINE && (s[D011] & DEN) !== 0) s[ALLOWED] = 1;
  if (s[RASTER_LINE] === LAST_BAD_LINE) s[ALLOWED] = 0;
  s[BAD_LINE] = 0;
}

/** The cycles that load VC (14) and count RC (58). */
export function updateCounters(s: Vic2State, flags: number): void {
  if ((flags & cycleFlag.updateVc) !== 0) {
    s[VC] = s[VC_BASE];
    s[VMLI] = 0;
    if (s[BAD_LINE] !== 0) s[RC] = 0;
    return;
  }
  if (s[RC] === 7) {
    s[IDLE] = 1;
    s[VC_BASE] = s[VC];
  }
  if (s[IDLE] === 0 || s[BAD_LINE] !== 0) {
    s[RC] = (s[RC] + 1) & 7;
    s[IDLE] = 0;
  }
}
