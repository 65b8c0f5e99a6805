/* The picture: draws eight pixels a cycle, or those of a run of quiet cycles at once. Both give the same, pixel for pixel. */
import { drawBorderEdge } from './border.ts';
import { delayPixels, outputPixels, resolve } from './color-output.ts';
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import { interrupt, raiseInterrupt } from './interrupts.ts';
import type { Vic2Timing } from './models.ts';
import { drawGraphics } from './sequencer.ts';
import { drawSpan } from './span-drawing.ts';
import { drawSprites, spriteCycles } from './sprite-pixels.ts';

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

export class Picture {
  readonly #s: Vic2State;
  readonly #frame: Int32Array;
  readonly #nmos: boolean;
  readonly #flags: Int32Array;
  readonly #x: Int32Array;
  readonly #words: number;

  constructor(state: Vic2State, frame: Uint8Array, timing: Vic2Timing) {
    this.#s = state;
    this.#frame = new Int32Array(frame.buffer, frame.byteOffset, frame.byteLength >> 2);
    this.#nmos = timing.nmos;
    this.#flags = timing.flags;
    this.#x = timing.x;
    this.#words = timing.cyclesPerLine * 2 * timing.lines;
  }

  /** Eight pixels: graphics, sprites over them, the border over both, then colours. */
  drawCycle(): void {
    const s = this.#s;
    const drawFlags = s[DRAW_FLAGS];
    drawGraphics(s, drawFlags, this.#nmos, (s[BORDER_SHOWN] & s[MAIN_BORDER]) !== 0);
    if (
      (s[SPRITE_PENDING] | s[SPRITE_ACTIVE] | s[SPRITE_CHANGED] | (drawFlags & spriteCycles)) !== 0 ||
      (s[CLEAR_COLLISION] | s[BLOCKED_COLLISION]) !== 0
    ) {
      this.#drawSprites(drawFlags);
    }
    this.#finishCycle();
    const cycle = s[CYCLE];
    s[DRAWN] = cycle;
    s[DRAW_FLAGS] = this.#flags[cycle - 1] as number;
    s[DRAW_X] = this.#x[cycle - 1] as number;
  }

  #finishCycle(): void {
    const s = this.#s;
    if ((s[BORDER_SHOWN] & s[MAIN_BORDER]) !== 0) {
      s[RENDER0] = BORDER_CODES;
      s[RENDER1] = BORDER_CODES;
    } else if ((s[BORDER_SHOWN] | s[MAIN_BORDER]) !== 0) {
      drawBorderEdge(s);
    }
    outputPixels(s, this.#frame, s[FRAME_POSITION], this.#nmos);
    this.#advance(1);
  }

  #advance(cycles: number): void {
    const s = this.#s;
    const position = s[FRAME_POSITION] + 2 * cycles;
    s[FRAME_POSITION] = position >= this.#words ? position - this.#words : position;
  }

  #drawSprites(drawFlags: number): void {
    const s = this.#s;
    const hadSprite = s[SPRITE_SPRITE];
    const hadBackground = s[SPRITE_BACKGROUND];
    drawSprites(s, drawFlags, s[DRAW_X], this.#nmos);
    const clear = s[CLEAR_COLLISION];
    if (clear === 0x1e) s[SPRITE_SPRITE] = 0;
    else if (clear === 0x1f) s[SPRITE_BACKGROUND] = 0;
    s[BLOCKED_COLLISION] = clear;
    s[CLEAR_COLLISION] = 0;
    if (hadSprite === 0 && s[SPRITE_SPRITE] !== 0) raiseInterrupt(s, interrupt.spriteSprite);
    if (hadBackground === 0 && s[SPRITE_BACKGROUND] !== 0) raiseInterrupt(s, interrupt.spriteBackground);
  }

  /** Draws what the quiet cycles left undrawn. */
  catchUp(): void {
    const s = this.#s;
    const last = s[CYCLE];
    let from = s[DRAWN] + 1;
    s[DRAWN] = last;
    if (from < FIRST_VISIBLE && last >= FIRST_VISIBLE) {
      this.#drawHidden(from, FIRST_VISIBLE - 1);
      from = FIRST_VISIBLE;
    }
    if (from <= LAST_VISIBLE && from >= FIRST_VISIBLE) {
      const to = Math.min(last, LAST_VISIBLE);
      if (s[VERTICAL_BORDER] === 0) this.#drawVisible(from, to);
      else this.#drawHidden(from, to);
      from = to + 1;
    }
    if (from <= last) this.#drawHidden(from, last);
    s[DRAW_FLAGS] = this.#flags[last - 1] as number;
    s[DRAW_X] = this.#x[last - 1] as number;
  }

  /** Cycles without graphics: they are all alike once the pipeline has run empty, if the border covers them. */
  #drawHidden(from: number, to: number): void {
    const s = this.#s;
    let cycle = from;
    while (cycle <= to && !(isSteadyBorder(s) && s[DELAYED1] === BORDER_CODES)) this.#drawOne(cycle++);
    if (cycle > to) return;
    const count = to - cycle + 1;
    const position = s[FRAME_POSITION];
    const first = this.#nmos ? (BORDER_CODES & ~0xff) | (s[fields.colors + 0x20] as number) : BORDER_CODES;
    this.#frame.fill((s[fields.colors + 0x20] as number) * FOUR, position, position + 2 * count);
    s[DELAYED0] = first;
    s[RENDER0] = BORDER_CODES;
    s[RENDER1] = BORDER_CODES;
    s[fields.displayIndex] = 0;
    this.#advance(count);
  }

  /** Cycles with graphics. */
  #drawVisible(from: number, to: number): void {
    const s = this.#s;
    const isPlain =
      (s[BORDER_SHOWN] | s[MAIN_BORDER]) === 0 && s[X_SCROLL] === (s[D016] & 7) && (s[ECM_BMM] | s[MCM]) <= 0x10;
    if (!isPlain || to - from < 2) {
      for (let cycle = from; cycle <= to; cycle++) this.#drawOne(cycle);
      return;
    }
    const position = s[FRAME_POSITION];
    this.#frame[position] = resolve(s, s[DELAYED0]);
    this.#frame[position + 1] = resolve(s, s[DELAYED1]);
    drawSpan(s, this.#frame, position + 2, from, to - 1);
    s[G_BYTE] = s[G_LINE + to] as number;
    drawGraphics(s, MATRIX, this.#nmos, false);
    delayPixels(s, this.#nmos);
    this.#advance(to - from + 1);
  }

  #drawOne(cycle: number): void {
    const s = this.#s;
    if (cycle >= FIRST_VISIBLE && cycle <= LAST_VISIBLE) s[G_BYTE] = s[G_LINE + cycle] as number;
    drawGraphics(s, this.#flags[cycle - 2] as number, this.#nmos, (s[BORDER_SHOWN] & s[MAIN_BORDER]) !== 0);
    this.#finishCycle();
  }
}

/** The border covers everything and nothing moves in the graphics pipeline. */
function isSteadyBorder(s: Vic2State): boolean {
  return (
    (s[BORDER_SHOWN] & s[MAIN_BORDER]) !== 0 &&
    (s[fields.g0] | s[fields.g1] | s[fields.gShift] | s[fields.gPixel] | s[fields.pixelValues]) === 0 &&
    s[fields.v0] === s[fields.v1] &&
    s[fields.v1] === s[fields.vShift] &&
    s[fields.c0] === s[fields.c1] &&
    s[fields.c1] === s[fields.cShift] &&
    s[fields.gFlop] === ((s[X_SCROLL] & 1) ^ 1)
  );
}
