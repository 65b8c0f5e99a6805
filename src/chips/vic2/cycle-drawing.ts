/* Draws eight pixels, those of one cycle: graphics, sprites over them, the border over both, then colours. */
import { drawBorderEdge } from './border.ts';
import { outputPixels } from './color-output.ts';
import { fields, type Vic2State } from './fields.ts';
import { interrupt, raiseInterrupt } from './interrupts.ts';
import type { Vic2Timing } from './models.ts';
import { drawGraphics } from './sequencer.ts';
import { drawSprites, spriteCycles } from './sprite-pixels.ts';
import { areSpritesPlain, drawSpriteRows } from './sprite-rows.ts';

const CYCLE = fields.cycle;
const DRAW_FLAGS = fields.drawFlags;
const DRAW_X = fields.drawX;
const FRAME_POSITION = fields.framePosition;
const DRAWN = fields.drawnCycle;
const G_BYTE = fields.gByte;
const G_LINE = fields.gLine;
const MAIN_BORDER = fields.mainBorder;
const BORDER_SHOWN = fields.borderShown;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;
const WITH_SPRITES = fields.quietSprites;
const SPRITE_PENDING = fields.spritePending;
const SPRITE_ACTIVE = fields.spriteActive;
const SPRITE_CHANGED = fields.spriteChanged;
const SPRITE_SPRITE = fields.spriteSprite;
const SPRITE_BACKGROUND = fields.spriteBackground;
const CLEAR_COLLISION = fields.clearCollision;
const BLOCKED_COLLISION = fields.blockedCollision;

/** Cycles whose pixels are of the 40 columns. */
export const FIRST_VISIBLE = 16;
export const LAST_VISIBLE = 55;
export const BORDER_CODES = 0x20202020;

/** Where pixels go that nobody will see; of all chips in this thread. */
let nowhere = new Int32Array(0);
let nowhereInCycles = new Float64Array(0);

/** `sprites`: those whose bit was not set before, one bit each. */
export type CollisionListener = (type: 'sprite_sprite' | 'sprite_background', sprites: number) => void;

export class CycleDrawing {
  readonly #s: Vic2State;
  readonly #frame: Int32Array;
  readonly #frameInCycles: Float64Array;
  readonly #timing: Vic2Timing;
  readonly #words: number;
  readonly #eager: boolean;
  /** Where pixels are written. */
  target: Int32Array;
  /** The same, the pixels of a cycle in one number. */
  wholeCycles: Float64Array;
  #isUnseen = false;
  /** Told of collisions as they are drawn. */
  onCollision: CollisionListener | undefined;

  /** `eager`: all sprites pixel by pixel. */
  constructor(state: Vic2State, frame: Uint8Array, timing: Vic2Timing, eager: boolean) {
    this.#eager = eager;
    this.#s = state;
    this.#frame = new Int32Array(frame.buffer, frame.byteOffset, frame.byteLength >> 2);
    this.target = this.#frame;
    this.#frameInCycles = new Float64Array(frame.buffer, frame.byteOffset, frame.byteLength >> 3);
    this.wholeCycles = this.#frameInCycles;
    this.#timing = timing;
    this.#words = timing.cyclesPerLine * 2 * timing.lines;
  }

  /** Eight pixels: graphics, sprites over them, the border over both, then colours. */
  drawNow(): void {
    const s = this.#s;
    const drawFlags = s[DRAW_FLAGS];
    drawGraphics(s, drawFlags, this.#timing, this.#isUnseen || isCovered(s));
    if (
      (s[SPRITE_PENDING] | s[SPRITE_ACTIVE] | s[SPRITE_CHANGED] | (drawFlags & spriteCycles)) !== 0 ||
      (s[CLEAR_COLLISION] | s[BLOCKED_COLLISION]) !== 0
    ) {
      this.#drawSprites(drawFlags, s[DRAW_X]);
    }
    this.#finish();
    const cycle = s[CYCLE];
    s[DRAWN] = cycle;
    s[DRAW_FLAGS] = this.#timing.flags[cycle - 1];
    s[DRAW_X] = this.#timing.x[cycle - 1];
  }

  /** The same for a quiet cycle of this line, later. */
  draw(cycle: number): void {
    const s = this.#s;
    if (cycle >= FIRST_VISIBLE && cycle <= LAST_VISIBLE) s[G_BYTE] = s[G_LINE + cycle];
    const { flags, x } = this.#timing;
    const before = cycle === 1 ? flags.length - 1 : cycle - 2;
    const drawFlags = flags[before];
    drawGraphics(s, drawFlags, this.#timing, this.#isUnseen || isCovered(s));
    if (s[WITH_SPRITES] !== 0) this.#drawSprites(drawFlags, x[before]);
    this.#finish();
  }

  #finish(): void {
    const s = this.#s;
    if (isCovered(s)) {
      s[RENDER0] = BORDER_CODES;
      s[RENDER1] = BORDER_CODES;
    } else if ((s[BORDER_SHOWN] | s[MAIN_BORDER]) !== 0) {
      drawBorderEdge(s);
    }
    outputPixels(s, this.target, s[FRAME_POSITION], this.#timing.firstPixel);
    this.advance(1);
  }

  /** Whether nobody will see these pixels: collisions and all that later cycles depend on are worked out, the frame stays as it is. */
  get isUnseen(): boolean {
    return this.#isUnseen;
  }

  set isUnseen(isUnseen: boolean) {
    if (isUnseen && nowhere.length < this.#frame.length) {
      nowhere = new Int32Array(this.#frame.length);
      nowhereInCycles = new Float64Array(nowhere.buffer);
    }
    this.target = isUnseen ? nowhere : this.#frame;
    this.wholeCycles = isUnseen ? nowhereInCycles : this.#frameInCycles;
    this.#isUnseen = isUnseen;
  }

  /** So many cycles are drawn. */
  advance(cycles: number): void {
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
    this.noticeCollisions(hadSprite, hadBackground);
  }

  /** Of the collisions that were there before. */
  noticeCollisions(hadSprite: number, hadBackground: number): void {
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
}

/** The border covers everything. */
export function isCovered(s: Vic2State): boolean {
  return (s[BORDER_SHOWN] & s[MAIN_BORDER]) !== 0;
}
