/* The picture: draws eight pixels a cycle, or those of a run of quiet cycles at once. Both give the same, pixel for pixel. */
import { compareBorderX, drawBorderEdge } from './border.ts';
import { delayPixels, isColorWritten, outputPixels, resolve } from './color-output.ts';
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import { interrupt, raiseInterrupt } from './interrupts.ts';
import type { FirstPixel, Vic2Timing } from './models.ts';
import { nextSpriteStart, spriteStarts } from './quiet-cycles.ts';
import { upperBits } from './pixel-tables.ts';
import { drawGraphics } from './sequencer.ts';
import { drawSpan, foreground } from './span-drawing.ts';
import { drawSprites, passSpriteAccess, spriteCycles } from './sprite-pixels.ts';
import { areSpritesPlain, areSpritesPlainIn, drawSpriteRows, drawSpriteRun, type SpritePlaces } from './sprite-rows.ts';

const CYCLE = fields.cycle;
const DRAW_FLAGS = fields.drawFlags;
const DRAW_X = fields.drawX;
const FRAME_POSITION = fields.framePosition;
const DRAWN = fields.drawnCycle;
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
const SPRITE_ACTIVE = fields.spriteActive;
const SPRITE_CHANGED = fields.spriteChanged;
const SPRITE_SPRITE = fields.spriteSprite;
const SPRITE_BACKGROUND = fields.spriteBackground;
const CLEAR_COLLISION = fields.clearCollision;
const BLOCKED_COLLISION = fields.blockedCollision;

const BORDER_CODES = 0x20202020;
const FOUR = 0x01010101;
const MATRIX = cycleFlag.matrix;
/** Cycles whose pixels are of the 40 columns. */
const FIRST_VISIBLE = 16;
const LAST_VISIBLE = 55;
/** Cycles of the border's compares, for CSEL = 1 and 0. */
const LEFT_WIDE = 17;
const LEFT_NARROW = 18;
const RIGHT_NARROW = 56;
const RIGHT_WIDE = 57;
/** So many cycles with graphics leave nothing of what was in the pipeline before. */
const PIPELINE = 4;
/** Where pixels go that nobody will see; of all chips in this thread. */
let nowhere = new Int32Array(2 * PIPELINE);

/** Of the border. */
const noForeground = new Uint8Array(foreground.length);

/** `sprites`: those whose bit was not set before, one bit each. */
export type CollisionListener = (type: 'sprite_sprite' | 'sprite_background', sprites: number) => void;

export class Picture {
  readonly #s: Vic2State;
  readonly #frame: Int32Array;
  readonly #timing: Vic2Timing;
  readonly #first: FirstPixel;
  readonly #flags: Int32Array;
  readonly #x: Int32Array;
  readonly #words: number;
  readonly #eager: boolean;
  /** Where pixels are written. */
  #target: Int32Array;
  #unseen = 0;
  /** Told of collisions as they are drawn. */
  onCollision: CollisionListener | undefined;
  readonly #spriteStarts: Int32Array;
  /** The cycle in whose drawing the sprites to be shown in the next line get to wait for their X. */
  readonly #displayCycle: number;
  /** From the first to the last of these the drawing has nothing to do with sprite accesses. */
  readonly #firstPlain: number;
  readonly #lastPlain: number;
  readonly #sprites: SpritePlaces;

  /** `eager`: all sprites pixel by pixel. */
  constructor(state: Vic2State, frame: Uint8Array, timing: Vic2Timing, eager: boolean) {
    this.#eager = eager;
    this.#spriteStarts = spriteStarts(timing.x);
    this.#displayCycle = 2 + timing.flags.findIndex((flags) => (flags & cycleFlag.spriteDisplay) !== 0);
    const isPlain = (cycle: number): boolean => (timing.flags[cycle - 2] & spriteCycles) === 0;
    let [firstPlain, lastPlain] = [FIRST_VISIBLE, LAST_VISIBLE];
    while (isPlain(firstPlain - 1)) firstPlain--;
    while (isPlain(lastPlain + 1)) lastPlain++;
    this.#firstPlain = firstPlain;
    this.#lastPlain = lastPlain;
    this.#sprites = { x: timing.x, starts: this.#spriteStarts };
    this.#s = state;
    this.#frame = new Int32Array(frame.buffer, frame.byteOffset, frame.byteLength >> 2);
    this.#target = this.#frame;
    this.#timing = timing;
    this.#first = timing.firstPixel;
    this.#flags = timing.flags;
    this.#x = timing.x;
    this.#words = timing.cyclesPerLine * 2 * timing.lines;
  }

  /** Eight pixels: graphics, sprites over them, the border over both, then colours. */
  drawCycle(): void {
    const s = this.#s;
    const drawFlags = s[DRAW_FLAGS];
    drawGraphics(s, drawFlags, this.#timing, this.#unseen !== 0 || isCovered(s));
    if (
      (s[SPRITE_PENDING] | s[SPRITE_ACTIVE] | s[SPRITE_CHANGED] | (drawFlags & spriteCycles)) !== 0 ||
      (s[CLEAR_COLLISION] | s[BLOCKED_COLLISION]) !== 0
    ) {
      this.#drawSprites(drawFlags, s[DRAW_X]);
    }
    this.#finishCycle();
    const cycle = s[CYCLE];
    s[DRAWN] = cycle;
    s[DRAW_FLAGS] = this.#flags[cycle - 1];
    s[DRAW_X] = this.#x[cycle - 1];
  }

  #finishCycle(): void {
    const s = this.#s;
    if (isCovered(s)) {
      s[RENDER0] = BORDER_CODES;
      s[RENDER1] = BORDER_CODES;
    } else if ((s[BORDER_SHOWN] | s[MAIN_BORDER]) !== 0) {
      drawBorderEdge(s);
    }
    outputPixels(s, this.#target, s[FRAME_POSITION], this.#first);
    this.#advance(1);
  }

  /** Nobody will see these pixels: collisions and all that later cycles depend on are worked out, the frame stays as it is. */
  set isUnseen(isUnseen: boolean) {
    if (isUnseen && nowhere.length < this.#frame.length) nowhere = new Int32Array(this.#frame.length);
    this.#target = isUnseen ? nowhere : this.#frame;
    this.#unseen = isUnseen ? 1 : 0;
  }

  #advance(cycles: number): void {
    const s = this.#s;
    const position = s[FRAME_POSITION] + 2 * cycles;
    s[FRAME_POSITION] = position >= this.#words ? position - this.#words : position;
  }

  #drawSprites(drawFlags: number, x: number): void {
    const s = this.#s;
    const hadSprite = s[SPRITE_SPRITE];
    const hadBackground = s[SPRITE_BACKGROUND];
    if (!this.#eager && (drawFlags & spriteCycles) === 0 && areSpritesPlain(s, x)) drawSpriteRows(s, x);
    else drawSprites(s, drawFlags, x, this.#timing.nmos);
    const clear = s[CLEAR_COLLISION];
    if (clear === 0x1e) s[SPRITE_SPRITE] = 0;
    else if (clear === 0x1f) s[SPRITE_BACKGROUND] = 0;
    s[BLOCKED_COLLISION] = clear;
    s[CLEAR_COLLISION] = 0;
    this.#noticeCollisions(hadSprite, hadBackground);
  }

  #noticeCollisions(hadSprite: number, hadBackground: number): void {
    const s = this.#s;
    if (this.onCollision) this.#tellCollisions(this.onCollision, hadSprite, hadBackground);
    if (hadSprite === 0 && s[SPRITE_SPRITE] !== 0) raiseInterrupt(s, interrupt.spriteSprite);
    if (hadBackground === 0 && s[SPRITE_BACKGROUND] !== 0) raiseInterrupt(s, interrupt.spriteBackground);
  }

  #tellCollisions(tell: CollisionListener, hadSprite: number, hadBackground: number): void {
    const withSprites = this.#s[SPRITE_SPRITE] & ~hadSprite;
    const withBackground = this.#s[SPRITE_BACKGROUND] & ~hadBackground;
    if (withSprites !== 0) tell('sprite_sprite', withSprites);
    if (withBackground !== 0) tell('sprite_background', withBackground);
  }

  /** Draws what the quiet cycles left undrawn, up to cycle `last`, whose accesses must be done. */
  catchUp(last: number): void {
    const s = this.#s;
    const isWide = (s[D016] & 8) !== 0;
    const left = isWide ? LEFT_WIDE : LEFT_NARROW;
    const right = isWide ? RIGHT_WIDE : RIGHT_NARROW;
    const isPassed = this.#unseen !== 0 && s[WITH_SPRITES] === 0;
    let from = s[DRAWN] + 1;
    s[DRAWN] = last;
    if (isPassed && from === 1 && last >= right && !isColorWritten(s)) {
      this.#passColumns(left, right);
      from = right + 1;
    }
    while (from <= last) {
      const isColorNew = isColorWritten(s);
      if (from === FIRST_VISIBLE && last >= RIGHT_WIDE && !isColorNew && !isPassed && this.#hasPlainColumns()) {
        this.#drawColumns();
        from = RIGHT_WIDE + 1;
        continue;
      }
      const isEdge = (from === left || from === right) && !this.#isClosed;
      if (isEdge || isColorNew) {
        if (isEdge) compareBorderX(s, this.#flags[from - 1]);
        if (isPassed && !isColorNew) this.#pass(from, from);
        else this.#drawOne(from);
        from++;
        continue;
      }
      let border = from < left ? left : from < right ? right : last + 1;
      if (this.#isClosed) border = last + 1;
      else if (from < FIRST_VISIBLE) border = FIRST_VISIBLE;
      const to = Math.min(last, border - 1);
      if (isPassed) this.#pass(from, to);
      else this.#drawRun(from, to);
      from = to + 1;
    }
    s[DRAW_FLAGS] = this.#flags[last - 1];
    s[DRAW_X] = this.#x[last - 1];
  }

  /** The same as `#pass` for a line from its first cycle to the right compare of the border. */
  #passColumns(left: number, right: number): void {
    const s = this.#s;
    const isSteady = s[VERTICAL_BORDER] === s[fields.verticalBorderSet];
    if (!isSteady || (s[VERTICAL_BORDER] !== 0 && s[MAIN_BORDER] === 0)) {
      this.#pass(1, left - 1);
      compareBorderX(s, this.#flags[left - 1]);
      this.#pass(left, left);
      this.#pass(left + 1, right - 1);
      compareBorderX(s, this.#flags[right - 1]);
      this.#pass(right, right);
      return;
    }
    if (s[VERTICAL_BORDER] === 0) {
      s[G_BYTE] = s[G_LINE + LAST_VISIBLE];
      s[X_SCROLL] = s[D016] & 7;
      const isIdle = s[fields.idle] !== 0;
      const index = s[fields.displayIndex] + LAST_VISIBLE - FIRST_VISIBLE;
      s[fields.v0] = isIdle ? 0 : s[fields.matrixLine + index];
      s[fields.c0] = isIdle ? 0 : s[fields.colorLine + index];
    }
    s[fields.displayIndex] = 0;
    s[MAIN_BORDER] = 1;
    s[BORDER_SHOWN] = 1;
    this.#advance(right);
  }

  /** Of pixels that nobody sees, what lasts longer than the two lines that are drawn before somebody looks again. */
  #pass(first: number, last: number): void {
    const s = this.#s;
    s[BORDER_SHOWN] = s[MAIN_BORDER];
    this.#advance(last - first + 1);
    const from = Math.max(first, FIRST_VISIBLE);
    const to = Math.min(last, LAST_VISIBLE);
    if (from > to || s[VERTICAL_BORDER] !== 0) {
      s[fields.displayIndex] = 0;
      if (from <= to && (s[MAIN_BORDER] === 0 || first === last)) s[G_BYTE] = s[G_LINE + to];
      return;
    }
    s[G_BYTE] = s[G_LINE + to];
    s[X_SCROLL] = s[D016] & 7;
    if (s[fields.idle] !== 0) {
      s[fields.v0] = 0;
      s[fields.c0] = 0;
    } else {
      const index = s[fields.displayIndex] + to - from;
      s[fields.v0] = s[fields.matrixLine + index];
      s[fields.c0] = s[fields.colorLine + index];
      s[fields.displayIndex] = index + 1;
    }
    if (last > LAST_VISIBLE) s[fields.displayIndex] = 0;
  }

  /** The vertical border is there and stays: the compares at the sides change nothing. */
  get #isClosed(): boolean {
    const s = this.#s;
    return (s[VERTICAL_BORDER] & s[fields.verticalBorderSet] & s[MAIN_BORDER] & s[BORDER_SHOWN]) !== 0;
  }

  /** Whether the cycles from the first column to the one in which the right border begins can be drawn at once: 40 columns, the border where it usually is. */
  #hasPlainColumns(): boolean {
    const s = this.#s;
    return (
      (s[D016] & 8) !== 0 &&
      (s[VERTICAL_BORDER] | s[fields.verticalBorderSet]) === 0 &&
      (s[MAIN_BORDER] & s[BORDER_SHOWN]) !== 0 &&
      s[X_SCROLL] === (s[D016] & 7) &&
      (s[ECM_BMM] | s[MCM]) <= 0x10 &&
      (s[WITH_SPRITES] === 0 || areSpritesPlainIn(s, this.#spriteStarts, FIRST_VISIBLE, RIGHT_WIDE))
    );
  }

  /** Those cycles. The border covers the first two of them. */
  #drawColumns(): void {
    const s = this.#s;
    const position = s[FRAME_POSITION];
    const frame = this.#target;
    this.#drawSpan(FIRST_VISIBLE, RIGHT_WIDE, this.#flags[RIGHT_WIDE - 2]);
    const border = s[fields.colors + 0x20] * FOUR;
    for (let word = position + 2; word < position + 6; word++) frame[word] = border;
    s[MAIN_BORDER] = 1;
    if (s[WITH_SPRITES] !== 0) this.#overlay(foreground, position, FIRST_VISIBLE, RIGHT_WIDE, LEFT_WIDE + 1);
    delayPixels(s, this.#first);
  }

  /** Cycles in which the border neither begins nor ends. */
  #drawRun(first: number, last: number): void {
    const s = this.#s;
    if (s[WITH_SPRITES] === 0) {
      this.#drawWithoutSprites(first, last);
      return;
    }
    let from = first;
    while (from <= last) {
      const isActive = s[SPRITE_ACTIVE] !== 0;
      const start = s[SPRITE_PENDING] === 0 ? last + 1 : nextSpriteStart(s, this.#spriteStarts, from);
      if ((isActive || start <= last) && from >= this.#firstPlain) {
        const drawn = this.#drawOverlaid(from, last);
        if (drawn >= from) {
          from = drawn + 1;
          continue;
        }
      }
      if (isActive || from === start || from === this.#displayCycle) {
        this.#drawOne(from++);
        continue;
      }
      let to = Math.min(last, start - 1);
      if (from < this.#displayCycle) to = Math.min(to, this.#displayCycle - 1);
      this.#passSpriteAccesses(from, to);
      this.#drawWithoutSprites(from, to);
      from = to + 1;
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
    if (!areSpritesPlainIn(s, this.#spriteStarts, from, to)) return 0;
    if (isHidden) {
      this.#drawHidden(from, to);
      this.#overlay(noForeground, position, from, to, to + 1);
    } else {
      this.#drawSpan(from, to, MATRIX);
      this.#overlay(foreground, position, from, to, from);
      delayPixels(s, this.#first);
    }
    return to;
  }

  /** `position`: of the cycle before `from`. `shown`: the first that the border does not cover. */
  #overlay(front: Uint8Array, position: number, from: number, to: number, shown: number): void {
    const s = this.#s;
    if ((s[SPRITE_PENDING] | s[SPRITE_ACTIVE]) === 0) return;
    const hadSprite = s[SPRITE_SPRITE];
    const hadBackground = s[SPRITE_BACKGROUND];
    drawSpriteRun(s, this.#sprites, front, this.#target, position + 2, from, to, shown);
    this.#noticeCollisions(hadSprite, hadBackground);
  }

  /** What sprite accesses do to shift registers that are not in use. */
  #passSpriteAccesses(from: number, to: number): void {
    for (let cycle = from; cycle <= to; cycle++) {
      const flags = this.#flags[this.#before(cycle)];
      if ((flags & spriteCycles) !== 0) passSpriteAccess(this.#s, flags);
      else if (cycle >= FIRST_VISIBLE && cycle < LAST_VISIBLE) cycle = LAST_VISIBLE - 1;
    }
  }

  /** Index of the cycle before, whose flags count in the drawing. */
  #before(cycle: number): number {
    return cycle === 1 ? this.#flags.length - 1 : cycle - 2;
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

  /** Cycles without graphics. Where the border covers them, the pipeline has run empty after four. */
  #drawHidden(from: number, to: number): void {
    const s = this.#s;
    const count = to - from + 1;
    if (!isCovered(s) || (count < 4 && !isSteady(s))) {
      for (let cycle = from; cycle <= to; cycle++) this.#drawOne(cycle);
      return;
    }
    const color = s[fields.colors + 0x20];
    if (this.#unseen === 0) {
      const position = s[FRAME_POSITION];
      const frame = this.#frame;
      frame[position] = resolve(s, s[DELAYED0]);
      frame[position + 1] = resolve(s, s[DELAYED1]);
      // For so few words a loop is faster than fill().
      for (let word = position + 2; word < position + 2 * count; word++) frame[word] = color * FOUR;
    }
    emptyPipeline(s);
    s[DELAYED0] = this.#first === 'old' ? (BORDER_CODES & ~0xff) | color : BORDER_CODES;
    s[DELAYED1] = BORDER_CODES;
    s[RENDER0] = BORDER_CODES;
    s[RENDER1] = BORDER_CODES;
    this.#advance(count);
  }

  /** Cycles with graphics. */
  #drawVisible(from: number, to: number): void {
    const s = this.#s;
    if (!this.#isPlain || to - from < 2) {
      for (let cycle = from; cycle <= to; cycle++) this.#drawOne(cycle);
      return;
    }
    this.#drawSpan(from, to, MATRIX);
    delayPixels(s, this.#first);
  }

  /** No border, and a mode that is not an illegal one. */
  get #isPlain(): boolean {
    const s = this.#s;
    return (s[BORDER_SHOWN] | s[MAIN_BORDER]) === 0 && s[X_SCROLL] === (s[D016] & 7) && (s[ECM_BMM] | s[MCM]) <= 0x10;
  }

  /** All but the last cycle go to the frame, the last one's pixels stay rendered. `flags`: those of the cycle before the last. */
  #drawSpan(from: number, to: number, flags: number): void {
    const s = this.#s;
    if (this.#unseen !== 0 && s[WITH_SPRITES] === 0) this.#passSpan(from, to - 1);
    else {
      const position = s[FRAME_POSITION];
      this.#target[position] = resolve(s, s[DELAYED0]);
      this.#target[position + 1] = resolve(s, s[DELAYED1]);
      drawSpan(s, this.#target, position + 2, from, to - 1);
    }
    s[G_BYTE] = s[G_LINE + Math.min(to, LAST_VISIBLE)];
    drawGraphics(s, flags, this.#timing, false);
    const values = s[fields.pixelValues];
    foreground[to] = (upperBits[values >> 8] << 4) | upperBits[values & 0xff];
    this.#advance(to - from + 1);
  }

  /** What `drawSpan` does to the pipeline. */
  #passSpan(first: number, last: number): void {
    const s = this.#s;
    const from = Math.max(first, last - PIPELINE + 1);
    if (s[fields.idle] === 0) s[fields.displayIndex] += from - first;
    drawSpan(s, nowhere, 0, from, last);
  }

  #drawOne(cycle: number): void {
    const s = this.#s;
    if (cycle >= FIRST_VISIBLE && cycle <= LAST_VISIBLE) s[G_BYTE] = s[G_LINE + cycle];
    const before = this.#before(cycle);
    const drawFlags = this.#flags[before];
    drawGraphics(s, drawFlags, this.#timing, this.#unseen !== 0 || isCovered(s));
    if (s[WITH_SPRITES] !== 0) this.#drawSprites(drawFlags, this.#x[before]);
    this.#finishCycle();
  }
}

/** The border covers everything. */
function isCovered(s: Vic2State): boolean {
  return (s[BORDER_SHOWN] & s[MAIN_BORDER]) !== 0;
}

/** Nothing moves in the graphics pipeline while no graphics come in. */
function isSteady(s: Vic2State): boolean {
  return (
    (s[fields.g0] | s[fields.g1] | s[fields.gShift] | s[fields.gPixel] | s[fields.pixelValues]) === 0 &&
    s[fields.v0] === s[fields.v1] &&
    s[fields.v1] === s[fields.vShift] &&
    s[fields.c0] === s[fields.c1] &&
    s[fields.c1] === s[fields.cShift] &&
    s[fields.gFlop] === ((s[X_SCROLL] & 1) ^ 1)
  );
}

/** As it is after four cycles or more without graphics. */
function emptyPipeline(s: Vic2State): void {
  s[fields.g0] = 0;
  s[fields.g1] = 0;
  s[fields.gShift] = 0;
  s[fields.gPixel] = 0;
  s[fields.pixelValues] = 0;
  s[fields.gFlop] = (s[X_SCROLL] & 1) ^ 1;
  s[fields.v1] = s[fields.v0];
  s[fields.vShift] = s[fields.v0];
  s[fields.c1] = s[fields.c0];
  s[fields.cShift] = s[fields.c0];
  s[fields.displayIndex] = 0;
}
