/* Looks ahead: how many of the coming cycles are quiet ones, and for how long the CPU sees no change of BA among them. */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import type { Vic2Timing } from './models.ts';
import { matrixBus } from './quiet-accesses.ts';
import {
  isSettled,
  possibleCollisions,
  quietBetweenSprites,
  quietKind,
  quietSpans,
  spriteStarts,
} from './quiet-cycles.ts';
import { matchingSprites } from './sprite-dma.ts';

const CYCLE = fields.cycle;
const BA = fields.ba;
const BUS_DELAY = fields.busDelay;
const BAD_LINE = fields.badLine;
const DMA = fields.spriteDma;
const QUIET_UNTIL = fields.quietUntil;
const QUIET_KIND = fields.quietKind;

/** The cycle in which the DMA of a sprite that is through ends. */
export const SPRITE_DMA_ENDS = 16;

const SPRITE_BA = cycleFlag.spriteBa;
const MATRIX_BA = cycleFlag.matrixBa;

/** What is known of a model's lines beforehand. */
export interface QuietPlan {
  readonly flags: Int32Array;
  readonly spans: Int32Array;
  readonly spansWithSprites: Int32Array;
  readonly spriteStarts: Int32Array;
}

export function quietPlan({ flags, x }: Vic2Timing): QuietPlan {
  return {
    flags,
    spans: quietSpans(flags, false),
    spansWithSprites: quietSpans(flags, true),
    spriteStarts: spriteStarts(x),
  };
}

/** Finds out how many of the cycles after this one are quiet, if any. `wanted`: collisions that somebody waits for, as $D01A has them. */
export function planQuiet(s: Vic2State, plan: QuietPlan, cycle: number, wanted: number): void {
  const watched = wanted === 0 ? 0 : possibleCollisions(s, wanted);
  if (!isSettled(s, watched)) return;
  // On its way to the bus, the chip sees what the CPU has there: not a thing to ask for later.
  if (s[BA] === 0 && s[BUS_DELAY] !== 0) return;
  // A sprite that is through in this line may begin anew at its end.
  const goingOn = cycle <= SPRITE_DMA_ENDS ? 0 : s[DMA];
  const isBeginning = s[fields.d015] !== 0 && (matchingSprites(s) & ~goingOn) !== 0;
  let until = (isBeginning ? plan.spansWithSprites : plan.spans)[cycle];
  const withSprites = hasSprites(s);
  if (withSprites) until = Math.min(until, quietBetweenSprites(s, plan.spriteStarts, cycle, watched));
  if (until === 0) return;
  s[QUIET_UNTIL] = until;
  s[fields.quietSprites] = withSprites ? 1 : 0;
  const isBorder = (s[fields.verticalBorder] & s[fields.verticalBorderSet] & s[fields.mainBorder]) !== 0;
  if (s[BAD_LINE] !== 0) s[QUIET_KIND] = quietKind.badLine;
  else s[QUIET_KIND] = isBorder && s[fields.idle] !== 0 ? quietKind.border : quietKind.graphics;
  planFree(s, plan);
}

/**
 * Up to which of the quiet cycles BA is sure to stay. The DMA of a sprite may end in between: high, it then stays longer;
 * low, it stays as long as a bad line keeps it there.
 */
export function planFree(s: Vic2State, plan: QuietPlan): void {
  const isLow = s[BA] === 0;
  const until = isLow && s[CYCLE] <= SPRITE_DMA_ENDS ? Math.min(s[QUIET_UNTIL], matrixBus.last) : s[QUIET_UNTIL];
  let cycle = s[CYCLE] + 1;
  if (!isLow && s[DMA] === 0) {
    cycle = s[BAD_LINE] !== 0 && cycle <= matrixBus.first ? matrixBus.first : until + 1;
  }
  while (cycle <= until && wantsBus(s, plan.flags, cycle) === isLow) {
    cycle = cycle >= matrixBus.first && cycle <= matrixBus.last ? matrixBus.last + 1 : cycle + 1;
  }
  s[fields.freeUntil] = Math.min(until, cycle - 1);
}

/** Whether BA is low in this cycle. */
export function wantsBus(s: Vic2State, allFlags: Int32Array, cycle: number): boolean {
  const flags = allFlags[cycle - 1];
  return (s[DMA] & flags & SPRITE_BA) !== 0 || (s[BAD_LINE] !== 0 && (flags & MATRIX_BA) !== 0);
}

/** Whether any sprite is fetched, shown or about to be. */
export function hasSprites(s: Vic2State): boolean {
  return (s[DMA] | s[fields.spritePending] | s[fields.spriteActive] | s[fields.spriteDisplay]) !== 0;
}
