/* The picture: draws the pixels of a cycle at once or those of a line later, in as few runs as its borders and colours allow. */
import { compareBorderX } from './border.ts';
import { isColorHidden, isColorWritten, settleColor } from './color-output.ts';
import { type CollisionListener, CycleDrawing, FIRST_VISIBLE, isCovered, LAST_VISIBLE } from './cycle-drawing.ts';
import { fields, type Vic2State } from './fields.ts';
import type { Vic2Timing } from './models.ts';
import { LEFT_WIDE, RIGHT_WIDE, RunDrawing } from './run-drawing.ts';

const DRAW_FLAGS = fields.drawFlags;
const DRAW_X = fields.drawX;
const DRAWN = fields.drawnCycle;
const G_BYTE = fields.gByte;
const G_LINE = fields.gLine;
const D016 = fields.d016;
const X_SCROLL = fields.xScroll;
const VERTICAL_BORDER = fields.verticalBorder;
const MAIN_BORDER = fields.mainBorder;
const BORDER_SHOWN = fields.borderShown;
const WITH_SPRITES = fields.quietSprites;

/** Cycles of the border's compares with CSEL = 0. */
const LEFT_NARROW = 18;
const RIGHT_NARROW = 56;

export class Picture {
  readonly #s: Vic2State;
  readonly #flags: Int32Array;
  readonly #x: Int32Array;
  readonly #cycles: CycleDrawing;
  readonly #runs: RunDrawing;

  /** `eager`: all sprites pixel by pixel. */
  constructor(state: Vic2State, frame: Uint8Array, timing: Vic2Timing, eager: boolean) {
    this.#s = state;
    this.#flags = timing.flags;
    this.#x = timing.x;
    this.#cycles = new CycleDrawing(state, frame, timing, eager);
    this.#runs = new RunDrawing(state, this.#cycles, timing);
  }

  /** Told of collisions as they are drawn. */
  get onCollision(): CollisionListener | undefined {
    return this.#cycles.onCollision;
  }

  set onCollision(listener: CollisionListener | undefined) {
    this.#cycles.onCollision = listener;
  }

  /** Nobody will see these pixels: collisions and all that later cycles depend on are worked out, the frame stays as it is. */
  get isUnseen(): boolean {
    return this.#cycles.isUnseen;
  }

  set isUnseen(isUnseen: boolean) {
    this.#cycles.isUnseen = isUnseen;
  }

  /** The cycle that it is. */
  drawCycle(): void {
    this.#cycles.drawNow();
  }

  /** Draws what the quiet cycles left undrawn, up to cycle `last`, whose accesses must be done. */
  catchUp(last: number): void {
    const s = this.#s;
    const isWide = (s[D016] & 8) !== 0;
    const left = isWide ? LEFT_WIDE : LEFT_NARROW;
    const right = isWide ? RIGHT_WIDE : RIGHT_NARROW;
    const isPassed = this.#cycles.isUnseen && s[WITH_SPRITES] === 0;
    let from = s[DRAWN] + 1;
    s[DRAWN] = last;
    if (isPassed && from === 1 && last >= right && !isColorWritten(s)) {
      this.#passColumns(left, right);
      from = right + 1;
    }
    while (from <= last) {
      let isColorNew = isColorWritten(s);
      if (isColorNew && this.#areTwoHidden(from, last) && isColorHidden(s)) {
        settleColor(s);
        isColorNew = false;
      }
      if (from === FIRST_VISIBLE && last >= RIGHT_WIDE && !isColorNew && !isPassed && this.#runs.hasPlainColumns()) {
        this.#runs.drawColumns();
        from = RIGHT_WIDE + 1;
        continue;
      }
      const isEdge = (from === left || from === right) && !this.#isClosed;
      if (isEdge || isColorNew) {
        if (isEdge) compareBorderX(s, this.#flags[from - 1]);
        if (isPassed && !isColorNew) this.#pass(from, from);
        else this.#cycles.draw(from);
        from++;
        continue;
      }
      let border = from < left ? left : from < right ? right : last + 1;
      if (this.#isClosed) border = last + 1;
      else if (from < FIRST_VISIBLE) border = FIRST_VISIBLE;
      const to = Math.min(last, border - 1);
      if (isPassed) this.#pass(from, to);
      else this.#runs.draw(from, to);
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
    this.#cycles.advance(right);
  }

  /** Of pixels that nobody sees, what lasts longer than the two lines that are drawn before somebody looks again. */
  #pass(first: number, last: number): void {
    const s = this.#s;
    s[BORDER_SHOWN] = s[MAIN_BORDER];
    this.#cycles.advance(last - first + 1);
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

  /** Whether this cycle and the next show nothing but border. */
  #areTwoHidden(from: number, last: number): boolean {
    return from < last && (this.#isClosed || (from + 1 < FIRST_VISIBLE && isCovered(this.#s)));
  }

  /** The vertical border is there and stays: the compares at the sides change nothing. */
  get #isClosed(): boolean {
    const s = this.#s;
    return (s[VERTICAL_BORDER] & s[fields.verticalBorderSet] & s[MAIN_BORDER] & s[BORDER_SHOWN]) !== 0;
  }
}
