/* The graphics pipeline while no graphics come in. */
import { fields, type Vic2State } from './fields.ts';

/** Nothing moves in the graphics pipeline while no graphics come in. */
export function isSteady(s: Vic2State): boolean {
  return (
    (s[fields.g0] | s[fields.g1] | s[fields.gShift] | s[fields.gPixel] | s[fields.pixelValues]) === 0 &&
    s[fields.v0] === s[fields.v1] &&
    s[fields.v1] === s[fields.vShift] &&
    s[fields.c0] === s[fields.c1] &&
    s[fields.c1] === s[fields.cShift] &&
    s[fields.gFlop] === ((s[fields.xScroll] & 1) ^ 1)
  );
}

/** As it is after four cycles or more without graphics. */
export function emptyPipeline(s: Vic2State): void {
  s[fields.g0] = 0;
  s[fields.g1] = 0;
  s[fields.gShift] = 0;
  s[fields.gPixel] = 0;
  s[fields.pixelValues] = 0;
  s[fields.gFlop] = (s[fields.xScroll] & 1) ^ 1;
  s[fields.v1] = s[fields.v0];
  s[fields.vShift] = s[fields.v0];
  s[fields.c1] = s[fields.c0];
  s[fields.cShift] = s[fields.c0];
  s[fields.displayIndex] = 0;
}
