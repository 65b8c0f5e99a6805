import { fields, type Vic2State } from './fields.ts';
import { interrupt, raiseInterrupt } from './interrupts.ts';
import type { Vic2Timing } from './models.ts';

const TRIGGERED = fields.lightPenTriggered;

/** The light pen line fell: once a frame, the position is latched. */
export function triggerLightPen(s: Vic2State, timing: Vic2Timing): void {
  if (!accept(s, timing)) return;
  s[fields.lightPenX] = (timing.x[s[fields.cycle] - 1] >> 1) + (timing.nmos ? 2 : 1);
  s[fields.lightPenY] = s[fields.rasterLine] & 0xff;
  if (!timing.oldLightPen) raiseInterrupt(s, interrupt.lightPen);
}

/** A frame begins: a line that is still low triggers again, at a fixed position. */
export function restartLightPen(s: Vic2State, timing: Vic2Timing): void {
  s[TRIGGERED] = 0;
  if (s[fields.lightPen] !== 0 || !accept(s, timing)) return;
  s[fields.lightPenX] = timing.lightPenRestartX;
  s[fields.lightPenY] = s[fields.rasterLine] & 0xff;
  raiseInterrupt(s, interrupt.lightPen);
}

/** In the last line only the first cycle can trigger, but the trigger is used up. */
function accept(s: Vic2State, timing: Vic2Timing): boolean {
  if (s[TRIGGERED] !== 0) return false;
  s[TRIGGERED] = 1;
  return s[fields.rasterLine] !== timing.lines - 1 || s[fields.cycle] === 1;
}
