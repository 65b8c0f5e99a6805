/* Draws the pixels of a run of quiet cycles at once: the same, pixel for pixel, as one cycle after the other. */
import { delayPixels, resolve } from './color-output.ts';
import { BORDER_CODES, type CycleDrawing, FIRST_VISIBLE, isCovered, LAST_VISIBLE } from './cycle-drawing.ts';
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import type { Vic2Timing } from './models.ts';
import { emptyPipeline, isSteady } from './pipeline.ts';
import { plainCycles, upperBits } from './pixel-tables.ts';
import { nextSpriteStart, nextStartOf, spriteStarts } from './quiet-cycles.ts';
import { drawGraphics } from './sequencer.ts';
import { drawSpan, foreground } from './span-drawing.ts';
import { passSpriteAccess, spriteCycles } from './sprite-pixels.ts';
import { areSpritesPlainIn, drawSpriteRun, passSprites, type SpritePlaces } from './sprite-rows.ts';

const FRAME_POSITION = fields.framePosition;
const G_BYTE = fields.gByte;
const G_LINE = fields.gLine;
const D016 = fields.d016;
const X_SCROLL = fields.xScroll;
const ECM_BMM = fields.modeEcmBmm;
const MCM = fields.modeMcm;
const VERTICAL_BORDER = fields.verticalBorder;
const MAIN_BORDER = fields.mainBorder;
const BORDER_SHOWN = fields.borderShown;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;
const DELAYED0 = fields.delayed0;
const DELAYED1 = fields.delayed1;
const WITH_SPRITES = fields.quietSprites;
const SPRITE_PENDING = fields.spritePending;
const SPRITE_DISPLAY = fields.spriteDisplay;
const SPRITE_ACTIVE = fields.spriteActive;
const SPRITE_SPRITE = fields.spriteSprite;
const SPRITE_BACKGROUND = fields.spriteBackground;

const FOUR = 0x01010101;
const MATRIX = cycleFlag.matrix;
/** Cycles of the border's compares with CSEL = 1. */
export const LEFT_WIDE = 17;
export const RIGHT_WIDE = 57;
/** So many cycles with graphics leave nothing of what was in the pipeline before. */
const PIPELINE = 4;
/** Nothing remains in it. */
const unseenSpan = new Int32Array(2 * PIPELINE);
const unseenCycles = new Float64Array(unseenSpan.buffer);
/** Of the border. */
const noForeground = new Uint8Array(foreground.length);

export class RunDrawing {
  readonly #s: Vic2State;
  readonly #cycles: CycleDrawing;
  readonly #timing: Vic2Timing;
  readonly #sprites: SpritePlaces;
  /** The cycle in whose drawing the sprites to be shown in the next line get to wait for their X. */
  readonly #displayCycle: number;
  /** From the first to the last of these the drawing has nothing to do with sprite accesses. */
  readonly #firstPlain: number;
  readonly #lastPlain: number;

  constructor(state: Vic2State, cycles: CycleDrawing, timing: Vic2Timing) {
    this.#s = state;
    this.#cycles = cycles;
    this.#timing = timing;
    this.#sprites = { x: timing.x, starts: spriteStarts(timing.x) };
    this.#displayCycle = 2 + timing.flags.findIndex((flags) => (flags & cycleFlag.spriteDisplay) !== 0);
    const isPlain = (cycle: number): boolean => (timing.flags[cycle - 2] & spriteCycles) === 0;
    let [firstPlain, lastPlain] = [FIRST_VISIBLE, LAST_VISIBLE];
    while (isPlain(firstPlain - 1)) firstPlain--;
    while (isPlain(lastPlain + 1)) lastPlain++;
    this.#firstPlain = firstPlain;
    this.#lastPlain = lastPlain;
  }

  /** Whether the cycles from the first column to the one in which the right border begins can be drawn at once: 40 columns, the border where it usually is. */
  hasPlainColumns(): boolean {
    const s = this.#s;
    return (
      (s[D016] & 8) !== 0 &&
      (s[VERTICAL_BORDER] | s[fields.verticalBorderSet]) === 0 &&
      (s[MAIN_BORDER] & s[BORDER_SHOWN]) !== 0 &&
      s[X_SCROLL] === (s[D016] & 7) &&
      (s[ECM_BMM] | s[MCM]) <= 0x10 &&
      (s[WITH_SPRITES] === 0 || areSpritesPlainIn(s, this.#sprites.starts, FIRST_VISIBLE, RIGHT_WIDE))
    );
  }

  /** Those cycles. The border covers the first two of them. */
  drawColumns(): void {
    const s = this.#s;
    const position = s[FRAME_POSITION];
    const front = this.#drawSpan(FIRST_VISIBLE, RIGHT_WIDE, this.#timing.flags[RIGHT_WIDE - 2]);
    if (!this.#cycles.isUnseen) {
      const frame = this.#cycles.target;
      const border = s[fields.colors + 0x20] * FOUR;
      for (let word = position + 2; word < position + 6; word++) frame[word] = border;
    }
    s[MAIN_BORDER] = 1;
    if (s[WITH_SPRITES] !== 0) this.#overlay(front, position, FIRST_VISIBLE, RIGHT_WIDE, LEFT_WIDE + 1);
    delayPixels(s, this.#timing.firstPixel);
  }

  /** Cycles in which the border neither begins nor ends. */
  draw(first: number, last: number): void {
    const s = this.#s;
    if (s[WITH_SPRITES] === 0) {
      this.#drawWithoutSprites(first, last);
      return;
    }
    let from = first;
    while (from <= last) {
      const isActive = s[SPRITE_ACTIVE] !== 0;
      const start = s[SPRITE_PENDING] === 0 ? last + 1 : nextSpriteStart(s, this.#sprites.starts, from);
      if ((isActive || start <= last) && from >= this.#firstPlain) {
        const drawn = this.#drawOverlaid(from, last);
        if (drawn >= from) {
          from = drawn + 1;
          continue;
        }
      }
      if (isActive || from === start) {
        this.#cycles.draw(from++);
        continue;
      }
      const to = this.#passSpriteAccesses(from, Math.min(last, start - 1));
      if (to < from) this.#cycles.draw(from++);
      else {
        this.#drawWithoutSprites(from, to);
        from = to + 1;
      }
    }
  }

  /** Graphics or border at once, and then the sprites over them. The answer is the last cycle drawn, 0 if there is none. */
  #drawOverlaid(from: number, last: number): number {
    const s = this.#s;
    const position = s[FRAME_POSITION];
    const isHidden = s[VERTICAL_BORDER] !== 0 || from < FIRST_VISIBLE || from > LAST_VISIBLE;
    let to = Math.min(last, this.#lastPlain);
    if (!isHidden) to = Math.min(to, LAST_VISIBLE);
    else if (from < FIRST_VISIBLE && s[VERTICAL_BORDER] === 0) to = Math.min(to, FIRST_VISIBLE - 1);
    if (to - from < 2) return 0;
    if (isHidden ? !isCovered(s) || !isSteady(s) : !this.#isPlain) return 0;
    if (!areSpritesPlainIn(s, this.#sprites.starts, from, to)) return 0;
    if (isHidden) {
      this.#drawHidden(from, to);
      this.#overlay(noForeground, position, from, to, to + 1);
    } else {
      this.#overlay(this.#drawSpan(from, to, MATRIX), position, from, to, from);
      delayPixels(s, this.#timing.firstPixel);
    }
    return to;
  }

  /** `position`: of the cycle before `from`. `shown`: the first that the border does not cover. */
  #overlay(front: Uint8Array, position: number, from: number, to: number, shown: number): void {
    const s = this.#s;
    if ((s[SPRITE_PENDING] | s[SPRITE_ACTIVE]) === 0) return;
    if (front === noForeground && this.#cycles.isUnseen && passSprites(s, this.#sprites.starts, from, to)) return;
    const hadSprite = s[SPRITE_SPRITE];
    const hadBackground = s[SPRITE_BACKGROUND];
    drawSpriteRun(s, this.#sprites, front, this.#cycles.target, position + 2, from, to, shown);
    this.#cycles.noticeCollisions(hadSprite, hadBackground);
  }

  /**
   * What sprite accesses do to shift registers that are not in use, in cycles in which no sprite starts. The answer is the last of them:
   * sprites that get to wait for their X in between may start before `last`.
   */
  #passSpriteAccesses(from: number, last: number): number {
    const s = this.#s;
    const all = this.#timing.flags;
    let to = last;
    for (let cycle = from; cycle <= to; cycle++) {
      const flags = all[cycle === 1 ? all.length - 1 : cycle - 2];
      if (cycle === this.#displayCycle) {
        to = Math.min(to, nextStartOf(s, s[SPRITE_PENDING] | s[SPRITE_DISPLAY], this.#sprites.starts, cycle) - 1);
        // Cycles that are drawn one by one see who waits in each of them.
        if (to < cycle || !this.#isHiddenAtOnce(from, to)) return cycle - 1;
        s[SPRITE_PENDING] = s[SPRITE_DISPLAY];
      }
      if ((flags & spriteCycles) !== 0) passSpriteAccess(s, flags);
      else if (cycle >= FIRST_VISIBLE && cycle < LAST_VISIBLE) cycle = LAST_VISIBLE - 1;
    }
    return to;
  }

  #drawWithoutSprites(first: number, last: number): void {
    if (this.#s[VERTICAL_BORDER] !== 0) {
      this.#drawHidden(first, last);
      return;
    }
    let from = first;
    if (from < FIRST_VISIBLE) {
      const to = Math.min(last, FIRST_VISIBLE - 1);
      this.#drawHidden(from, to);
      from = to + 1;
    }
    if (from <= last && from <= LAST_VISIBLE) {
      const to = Math.min(last, LAST_VISIBLE);
      this.#drawVisible(from, to);
      from = to + 1;
    }
    if (from <= last) this.#drawHidden(from, last);
  }

  /** Where the border covers cycles without graphics, the pipeline has run empty after four. */
  #isHiddenAtOnce(from: number, to: number): boolean {
    const s = this.#s;
    const isHidden = s[VERTICAL_BORDER] !== 0 || from > LAST_VISIBLE || to < FIRST_VISIBLE;
    return isHidden && isCovered(s) && (to - from >= 3 || isSteady(s));
  }

  /** Cycles without graphics. */
  #drawHidden(from: number, to: number): void {
    const s = this.#s;
    const count = to - from + 1;
    if (!this.#isHiddenAtOnce(from, to)) {
      for (let cycle = from; cycle <= to; cycle++) this.#cycles.draw(cycle);
      return;
    }
    const color = s[fields.colors + 0x20];
    if (!this.#cycles.isUnseen) {
      const position = s[FRAME_POSITION];
      const frame = this.#cycles.target;
      frame[position] = resolve(s, s[DELAYED0]);
      frame[position + 1] = resolve(s, s[DELAYED1]);
      // For so few a loop is faster than fill().
      const { wholeCycles } = this.#cycles;
      const pixels = plainCycles[color];
      const first = position >> 1;
      for (let at = first + 1; at < first + count; at++) wholeCycles[at] = pixels;
    }
    emptyPipeline(s);
    s[DELAYED0] = this.#timing.firstPixel === 'old' ? (BORDER_CODES & ~0xff) | color : BORDER_CODES;
    s[DELAYED1] = BORDER_CODES;
    s[RENDER0] = BORDER_CODES;
    s[RENDER1] = BORDER_CODES;
    this.#cycles.advance(count);
  }

  /** Cycles with graphics. */
  #drawVisible(from: number, to: number): void {
    const s = this.#s;
    if (!this.#isPlain || to - from < 2) {
      for (let cycle = from; cycle <= to; cycle++) this.#cycles.draw(cycle);
      return;
    }
    this.#drawSpan(from, to, MATRIX);
    delayPixels(s, this.#timing.firstPixel);
  }

  /** No border, and a mode that is not an illegal one. */
  get #isPlain(): boolean {
    const s = this.#s;
    return (s[BORDER_SHOWN] | s[MAIN_BORDER]) === 0 && s[X_SCROLL] === (s[D016] & 7) && (s[ECM_BMM] | s[MCM]) <= 0x10;
  }

  /**
   * All but the last cycle go to the frame, the last one's pixels stay rendered. `flags`: those of the cycle before the last. The answer
   * is their foreground, as far as sprites can still collide with it.
   */
  #drawSpan(from: number, to: number, flags: number): Uint8Array {
    const s = this.#s;
    const shown = s[SPRITE_PENDING] | s[SPRITE_ACTIVE];
    const isPassed = this.#cycles.isUnseen && (s[WITH_SPRITES] === 0 || (shown & ~s[SPRITE_BACKGROUND]) === 0);
    if (isPassed) this.#passSpan(from, to - 1);
    else {
      const position = s[FRAME_POSITION];
      this.#cycles.target[position] = resolve(s, s[DELAYED0]);
      this.#cycles.target[position + 1] = resolve(s, s[DELAYED1]);
      drawSpan(s, this.#cycles.target, this.#cycles.wholeCycles, position + 2, from, to - 1);
    }
    s[G_BYTE] = s[G_LINE + Math.min(to, LAST_VISIBLE)];
    drawGraphics(s, flags, this.#timing, false);
    const values = s[fields.pixelValues];
    foreground[to] = (upperBits[values >> 8] << 4) | upperBits[values & 0xff];
    this.#cycles.advance(to - from + 1);
    return isPassed ? noForeground : foreground;
  }

  /** What `drawSpan` does to the pipeline. */
  #passSpan(first: number, last: number): void {
    const s = this.#s;
    const from = Math.max(first, last - PIPELINE + 1);
    if (s[fields.idle] === 0) s[fields.displayIndex] += from - first;
    drawSpan(s, unseenSpan, unseenCycles, 0, from, last);
  }
}
