/*
 * MOS VIC-II: 6569 (R1 and later), 8565 (PAL), 6567R8, 8562, 6567R56A (NTSC). One tick() is one cycle: phi1 and the c-access,
 * before the CPU has its half. Pins: data and address through `wires`, BA, AEC, IRQ and LP as state words.
 * Sources: the facts that VICE's test programs show, and the cycle tables that VICE's authors measured.
 * Assumes a little-endian host (four pixels are stored as one word).
 * Not emulated: the VSP bug (a corruption of DRAM on some boards), analogue effects (luma and chroma), the 6569R1's
 * different luminances, sparkles of the 8565 other than the grey dot.
 */
import { compareBorderX, compareBorderY } from './border.ts';
import { settleColor } from './color-output.ts';
import { checkBadLine, endBadLine, updateCounters } from './counters.ts';
import type { CollisionListener } from './cycle-drawing.ts';
import { cycleFlag } from './cycle-table.ts';
import { fields, stateWords, type Vic2State } from './fields.ts';
import { interrupt, raiseInterrupt } from './interrupts.ts';
import { restartLightPen, triggerLightPen } from './light-pen.ts';
import { accessMatrix, accessPhi1, accessSpritePhi2, markPagesSeen, type Vic2Wires } from './memory-access.ts';
import { type Vic2Model, type Vic2Timing, vic2Models } from './models.ts';
import { Picture } from './picture.ts';
import { PinBytes } from './pin-bytes.ts';
import { accessQuietly } from './quiet-accesses.ts';
import { COLLISIONS, COUNT_RC, type QuietWork, quietWork } from './quiet-cycles.ts';
import { hasSprites, planFree, planQuiet, type QuietPlan, quietPlan, SPRITE_DMA_ENDS, wantsBus } from './quiet-plan.ts';
import { peekRegister, pokeRegister, readRegister, writeRegister } from './registers.ts';
import { advanceSpriteBase, startSpriteDisplay, startSpriteDma, toggleSpriteExpansion } from './sprite-dma.ts';

const D011 = fields.d011;
const CYCLE = fields.cycle;
const RASTER_LINE = fields.rasterLine;
const START_OF_FRAME = fields.startOfFrame;
const RASTER_IRQ_LINE = fields.rasterIrqLine;
const RASTER_MATCH = fields.rasterMatch;
const BA = fields.ba;
const AEC = fields.aec;
const BUS_DELAY = fields.busDelay;
const LAST_PHI1 = fields.lastPhi1Byte;
const LAST_PHI2 = fields.lastPhi2Byte;
const D011_BEFORE = fields.d011Before;
const VC = fields.vc;
const VC_BASE = fields.vcBase;
const IDLE = fields.idle;
const BAD_LINE = fields.badLine;
const BAD_LINES_ALLOWED = fields.badLinesAllowed;
const VERTICAL_BORDER = fields.verticalBorder;
const VERTICAL_BORDER_SET = fields.verticalBorderSet;
const MAIN_BORDER = fields.mainBorder;
const BORDER_SHOWN = fields.borderShown;
const SPRITE_DMA = fields.spriteDma;
const SPRITE_PENDING = fields.spritePending;
const SPRITE_ACTIVE = fields.spriteActive;
const CLEAR_COLLISION = fields.clearCollision;
const QUIET_UNTIL = fields.quietUntil;
const QUIET_SPRITES = fields.quietSprites;
const FREE_UNTIL = fields.freeUntil;
const DRAWN = fields.drawnCycle;
const WORKED = fields.workedCycle;
const LIGHT_PEN = fields.lightPen;
const LIGHT_PEN_BEFORE = fields.lightPenBefore;

const SPRITE_ACCESS = cycleFlag.pointer | cycleFlag.spriteData;
const BORDER_X = cycleFlag.borderLeft | cycleFlag.borderRight;
const LINE_START = cycleFlag.firstOfLine | cycleFlag.secondOfLine;
const FIRST_OF_LINE = cycleFlag.firstOfLine;
const SPRITE_LOGIC =
  cycleFlag.spriteDmaCheck | cycleFlag.spriteExpansion | cycleFlag.spriteDisplay | cycleFlag.spriteMcBase;
const COUNTER_LOGIC = cycleFlag.updateVc | cycleFlag.updateRc;
const MATRIX = cycleFlag.matrix;
const MATRIX_BA = cycleFlag.matrixBa;
const SPRITE_BA = cycleFlag.spriteBa;

const REGISTERS = 0x2f;

const isColorRegister = (register: number): boolean => register >= 0x20 && register < REGISTERS;
/** Registers that show collisions; the other ones keep their values while cycles are free. */
const isCollisionRegister = (register: number): boolean => register === 0x19 || register === 0x1e || register === 0x1f;

export class Vic2 {
  timing: Vic2Timing;
  /** Told when the interrupt of the raster line is raised and enabled. */
  onRasterInterrupt: (() => void) | undefined;
  readonly #s: Vic2State;
  readonly #wires: Vic2Wires;
  #picture: Picture;
  readonly #eager: boolean;
  #flags: Int32Array;
  #cyclesPerLine: number;
  #plan: QuietPlan;
  #quietWork: QuietWork;
  readonly #pins = new PinBytes();
  /** The cycle of this line in which BA fell, if its accesses are not made yet; else 0. */
  #baFell = 0;
  /** Collisions that somebody waits for, as $D01A has them. */
  #watched = 0;

  /** `eager`: draws in every cycle; the picture and all that can be seen are the same, only slower. */
  constructor(state: Int32Array, wires: Vic2Wires, model: Vic2Model, eager = false) {
    this.timing = vic2Models[model];
    this.#s = state as Vic2State;
    this.#wires = wires;
    this.#picture = new Picture(this.#s, wires.frame, this.timing, eager);
    this.#eager = eager;
    this.#flags = this.timing.flags;
    this.#cyclesPerLine = this.timing.cyclesPerLine;
    this.#plan = quietPlan(this.timing);
    this.#quietWork = quietWork(this.#flags);
    this.powerOn();
  }

  /** Another chip in the socket. Registers keep what was written to them, and a new frame begins. */
  refit(model: Vic2Model): void {
    const s = this.#s;
    const told = this.#picture.onCollision;
    const kept = [fields.frameCount, LIGHT_PEN].map((field) => [field, s[field]] as const);
    const registers = Array.from({ length: REGISTERS }, (_, register) => peekRegister(s, register));
    const rasterIrqLine = s[RASTER_IRQ_LINE];
    this.timing = vic2Models[model];
    this.#picture = new Picture(s, this.#wires.frame, this.timing, this.#eager);
    this.#picture.onCollision = told;
    this.#flags = this.timing.flags;
    this.#cyclesPerLine = this.timing.cyclesPerLine;
    this.#plan = quietPlan(this.timing);
    this.#quietWork = quietWork(this.#flags);
    this.#wires.frame.fill(0);
    this.powerOn();
    for (const [register, value] of registers.entries()) if (register !== 0x12) pokeRegister(s, register, value);
    pokeRegister(s, 0x11, ((registers[0x11] ?? 0) & 0x7f) | ((rasterIrqLine & 0x100) >> 1));
    pokeRegister(s, 0x12, rasterIrqLine & 0xff);
    for (const [field, value] of kept) s[field] = value;
  }

  /** The state after power-on; a RESET line does not reach the chip. */
  powerOn(): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    s[CYCLE] = 1;
    s[DRAWN] = 1;
    s[WORKED] = 1;
    s[BA] = 1;
    s[AEC] = 1;
    s[BUS_DELAY] = 4;
    s[LIGHT_PEN] = 1;
    s[LIGHT_PEN_BEFORE] = 1;
    s[LAST_PHI2] = 0xff;
    s[fields.refreshCounter] = 0xff;
    s[IDLE] = 1;
    s[VERTICAL_BORDER] = 1;
    s[VERTICAL_BORDER_SET] = 1;
    s[MAIN_BORDER] = 1;
    s[BORDER_SHOWN] = 1;
    for (let color = 0; color < 16; color++) s[fields.colors + color] = color;
  }

  /** One cycle: phi1 and the c-access. Up to `freeUntil` the board may as well count `cycle` up on its own. */
  tick(): void {
    const s = this.#s;
    if (s[CYCLE] < s[FREE_UNTIL]) s[CYCLE] += 1;
    else if (s[CYCLE] < s[QUIET_UNTIL]) this.#turnBus();
    else if (s[CYCLE] === s[QUIET_UNTIL] && s[CYCLE] === this.#cyclesPerLine) this.#startLineQuietly();
    else this.#tickExact();
  }

  /** The first cycle of a line after quiet ones: it is one of the quiet ones of the new line. */
  #startLineQuietly(): void {
    const s = this.#s;
    this.#endQuiet();
    s[QUIET_SPRITES] = hasSprites(s) ? 1 : 0;
    s[CYCLE] = 1;
    s[DRAWN] = 0;
    s[WORKED] = 0;
    this.#driveBus();
    this.#startLine(FIRST_OF_LINE);
    this.#compareRaster();
    compareBorderY(s);
    s[VERTICAL_BORDER] = s[VERTICAL_BORDER_SET];
    checkBadLine(s);
    planQuiet(s, this.#plan, 1, this.#watched);
  }

  #tickExact(): void {
    const s = this.#s;
    this.#endQuiet();
    const lastFlags = this.#flags[s[CYCLE] - 1];
    if ((lastFlags & SPRITE_ACCESS) !== 0) accessSpritePhi2(s, this.#wires, lastFlags, s[BUS_DELAY] === 0);

    const cycle = s[CYCLE] === this.#cyclesPerLine ? 1 : s[CYCLE] + 1;
    s[CYCLE] = cycle;
    s[WORKED] = cycle;
    const flags = this.#flags[cycle - 1];
    s[LAST_PHI1] = accessPhi1(s, this.#wires, flags, this.timing);
    if ((flags & BORDER_X) !== 0) compareBorderX(s, flags);

    this.#picture.drawCycle();

    if ((flags & LINE_START) !== 0) this.#startLine(flags);

    this.#compareRaster();
    compareBorderY(s);
    if ((flags & FIRST_OF_LINE) !== 0) s[VERTICAL_BORDER] = s[VERTICAL_BORDER_SET];
    if ((flags & SPRITE_LOGIC) !== 0) this.#spriteLogic(flags);

    checkBadLine(s);
    if ((flags & COUNTER_LOGIC) !== 0) updateCounters(s, flags);

    if ((s[SPRITE_DMA] & flags & SPRITE_BA) !== 0 || s[BAD_LINE] !== 0) {
      this.#useBus(flags);
    } else {
      s[BA] = 1;
      s[AEC] = 1;
      s[BUS_DELAY] = 4;
    }

    if ((flags & SPRITE_ACCESS) !== 0) s[LAST_PHI2] = 0xff;
    s[D011_BEFORE] = s[D011];
    if (s[LIGHT_PEN] !== s[LIGHT_PEN_BEFORE]) {
      s[LIGHT_PEN_BEFORE] = s[LIGHT_PEN];
      if (s[LIGHT_PEN] === 0) triggerLightPen(s, this.timing);
    }
    if (!this.#eager) planQuiet(s, this.#plan, cycle, this.#watched);
  }

  /** A quiet cycle in which BA may fall or rise. */
  #turnBus(): void {
    const s = this.#s;
    if (s[WORKED] < SPRITE_DMA_ENDS && s[CYCLE] >= SPRITE_DMA_ENDS) this.catchUpAccesses();
    s[CYCLE] += 1;
    this.#driveBus();
    planFree(s, this.#plan);
  }

  /** BA in a quiet cycle whose accesses are not made yet. Those of sprites are sure to find the bus the chip's own. */
  #driveBus(): void {
    const s = this.#s;
    if (wantsBus(s, this.#flags, s[CYCLE])) {
      if (s[BA] !== 0) this.#baFell = s[CYCLE];
      s[BA] = 0;
    } else if (s[BA] === 0) {
      // The CPU goes on and may write to what sprites have been read from.
      this.catchUpAccesses();
      s[BA] = 1;
      s[AEC] = 1;
      s[BUS_DELAY] = 4;
    }
  }

  /** The line stays quiet to its end, and the processor sees nothing of how the next one begins: neither BA nor an interrupt. */
  get isNextLinePlain(): boolean {
    const s = this.#s;
    const next = s[RASTER_LINE] + 1;
    return (
      s[FREE_UNTIL] === this.#cyclesPerLine && next < this.timing.lines && next !== s[RASTER_IRQ_LINE] && !hasSprites(s)
    );
  }

  /** What the VIC read in phi1 of this cycle: the byte an open bus shows. */
  phi1Byte(): number {
    this.catchUpAccesses();
    return this.#s[LAST_PHI1];
  }

  /**
   * Makes all accesses that are due. To be called before memory changes that the chip may see (`markPagesSeen`), colour RAM
   * and banking included, and before anybody looks at the state.
   */
  catchUpAccesses(): void {
    const s = this.#s;
    const to = s[CYCLE];
    const from = s[WORKED] + 1;
    if (from > to) return;
    if (from > COUNT_RC || to < COUNT_RC) {
      this.#access(from, to);
      return;
    }
    if (from < COUNT_RC) this.#access(from, COUNT_RC - 1);
    // In the vertical border no pixel depends on the idle state; sprites do on the accesses that follow.
    const isBorder = (s[VERTICAL_BORDER] & s[VERTICAL_BORDER_SET]) !== 0;
    if (s[DRAWN] < COUNT_RC - 1 && (!isBorder || s[QUIET_SPRITES] !== 0)) this.#picture.catchUp(COUNT_RC - 1);
    this.#access(COUNT_RC, to);
  }

  #access(from: number, to: number): void {
    const s = this.#s;
    s[WORKED] = to;
    if (s[BA] === 0 && to >= this.#baFell) {
      s[BUS_DELAY] = Math.max(0, s[BUS_DELAY] - (to - Math.max(from, this.#baFell) + 1));
      if (s[BUS_DELAY] === 0) s[AEC] = 0;
    }
    if (to === s[CYCLE]) this.#baFell = 0;
    accessQuietly(this.#s, this.#wires, this.#quietWork, this.#flags, this.#pins, from, to);
  }

  /** Draws all pixels that are due, so that the frame can be looked at. */
  catchUp(): void {
    const s = this.#s;
    this.catchUpAccesses();
    if (s[DRAWN] !== s[CYCLE]) this.#picture.catchUp(s[CYCLE]);
  }

  /**
   * Whether nobody will see what is drawn from now on. All else is the same, a line after it has become false again at the latest: until
   * then the last pixels on their way to the frame may have other colours.
   */
  set isUnseen(isUnseen: boolean) {
    this.catchUp();
    this.#picture.isUnseen = isUnseen;
  }

  /** Brings up to date all that can be read: accesses, and the collisions of sprites. */
  settle(): void {
    if ((this.#s[SPRITE_PENDING] | this.#s[SPRITE_ACTIVE]) !== 0) this.catchUp();
    else this.catchUpAccesses();
  }

  /** Marks the pages of 256 bytes in the bank before whose change `catchUpAccesses` has to be called. */
  markPagesSeen(seen: Uint8Array): void {
    markPagesSeen(this.#s, seen);
  }

  /** BA in this cycle (bit 0) and the ones before it, 1 = low; for who is on the bus beside the processor. */
  get busHistory(): number {
    const s = this.#s;
    if (s[BA] !== 0) return 0;
    this.catchUpAccesses();
    return (1 << Math.max(1, 4 - s[BUS_DELAY])) - 1;
  }

  get isBaLow(): boolean {
    return this.#s[BA] === 0;
  }

  /** BA falls only in the course of this cycle: sprite 0 has just been switched on. */
  get isBaLate(): boolean {
    const s = this.#s;
    return s[BA] === 0 && s[fields.spriteZeroStart] === ((s[RASTER_LINE] << 7) | s[CYCLE]);
  }

  /** The light pen's line: 1 = high. */
  setLightPen(level: number): void {
    if (level === this.#s[LIGHT_PEN]) return;
    this.#endQuiet();
    this.#s[LIGHT_PEN] = level;
  }

  /**
   * Collisions are told in the cycle in which they come, with the sprites whose bits were not set before; those of other types
   * (as $D01A has them) perhaps later. To be called again when the state was replaced: what it had put off may hold some.
   */
  watchCollisions(listener: CollisionListener | undefined, types: number = COLLISIONS): void {
    this.#endQuiet();
    this.#picture.onCollision = listener;
    this.#watched = listener === undefined ? 0 : types;
  }

  /** The next cycle is run in full, its pixels included: nothing waits. */
  wake(): void {
    this.#endQuiet();
  }

  #endQuiet(): void {
    this.catchUp();
    this.#s[QUIET_UNTIL] = 0;
    this.#s[FREE_UNTIL] = 0;
  }

  /** BA, AEC and the c-access in a cycle in which sprites or a bad line may want the bus. */
  #useBus(flags: number): void {
    const s = this.#s;
    if ((s[SPRITE_DMA] & flags & SPRITE_BA) === 0 && (flags & MATRIX_BA) === 0) {
      s[BA] = 1;
      s[AEC] = 1;
      s[BUS_DELAY] = 4;
      return;
    }
    s[BA] = 0;
    if (s[BUS_DELAY] !== 0) s[BUS_DELAY] -= 1;
    if (s[BUS_DELAY] === 0) s[AEC] = 0;
    if ((flags & MATRIX) !== 0 && s[BAD_LINE] !== 0) accessMatrix(s, this.#wires);
  }

  read(register: number): number {
    const s = this.#s;
    if (isCollisionRegister(register & 0x3f)) this.settle();
    const value = readRegister(s, register & 0x3f);
    if (this.#hasSpriteAccess()) this.#putOnBus(value);
    if (s[CLEAR_COLLISION] !== 0) this.#endQuiet();
    return value;
  }

  /** Reads in so many cycles, if those are free and the value is known now; -1 if not. */
  readAhead(register: number, cycles: number): number {
    const s = this.#s;
    const cycle = s[CYCLE] + cycles;
    if (cycle > s[FREE_UNTIL] || isCollisionRegister(register)) return -1;
    const value = peekRegister(s, register);
    if ((this.#flags[cycle - 1] & SPRITE_ACCESS) !== 0) this.#pins.put(cycle, value);
    return value;
  }

  write(register: number, value: number): void {
    const isColor = isColorRegister(register & 0x3f);
    const isUnseen = isColor && this.#picture.isUnseen;
    if (!isColor) this.#endQuiet();
    // A colour changes nothing but the pixels that are not drawn yet.
    else if (isUnseen) settleColor(this.#s);
    else this.catchUp();
    if (this.#hasSpriteAccess()) this.#putOnBus(value);
    const crunch = (this.#flags[this.#s[CYCLE] - 1] & cycleFlag.spriteCrunch) !== 0;
    writeRegister(this.#s, register & 0x3f, value, crunch);
    if (isUnseen) settleColor(this.#s);
  }

  #hasSpriteAccess(): boolean {
    return (this.#flags[this.#s[CYCLE] - 1] & SPRITE_ACCESS) !== 0;
  }

  /** The CPU's byte, for a sprite access of this cycle that finds the bus taken. */
  #putOnBus(value: number): void {
    const s = this.#s;
    if (s[WORKED] < s[CYCLE]) this.#pins.put(s[CYCLE], value);
    else s[LAST_PHI2] = value;
  }

  peek(register: number): number {
    this.settle();
    return peekRegister(this.#s, register & 0x3f);
  }

  poke(register: number, value: number): void {
    this.#endQuiet();
    pokeRegister(this.#s, register & 0x3f, value);
  }

  /** The interrupt comes when the lines begin to be equal. */
  #compareRaster(): void {
    const s = this.#s;
    if (s[RASTER_LINE] !== s[RASTER_IRQ_LINE]) {
      s[RASTER_MATCH] = 0;
    } else if (s[RASTER_MATCH] === 0) {
      s[RASTER_MATCH] = 1;
      raiseInterrupt(s, interrupt.raster);
      if (this.onRasterInterrupt && (s[fields.d01a] & interrupt.raster) !== 0) this.onRasterInterrupt();
    }
  }

  /** The raster counter; line 0 begins a cycle later than the others. */
  #startLine(flags: number): void {
    const s = this.#s;
    if ((flags & FIRST_OF_LINE) === 0) {
      if (s[START_OF_FRAME] !== 0) this.#startFrame();
      return;
    }
    endBadLine(s);
    if (s[RASTER_LINE] === this.timing.lines - 1) s[START_OF_FRAME] = 1;
    else s[RASTER_LINE] += 1;
  }

  #startFrame(): void {
    const s = this.#s;
    s[START_OF_FRAME] = 0;
    s[RASTER_LINE] = 0;
    s[fields.refreshCounter] = 0xff;
    s[BAD_LINES_ALLOWED] = 0;
    s[VC_BASE] = 0;
    s[VC] = 0;
    s[fields.frameCount] += 1;
    restartLightPen(s, this.timing);
  }

  #spriteLogic(flags: number): void {
    const s = this.#s;
    if ((flags & cycleFlag.spriteMcBase) !== 0) advanceSpriteBase(s);
    if ((flags & cycleFlag.spriteDmaCheck) !== 0) startSpriteDma(s);
    if ((flags & cycleFlag.spriteExpansion) !== 0) toggleSpriteExpansion(s);
    if ((flags & cycleFlag.spriteDisplay) !== 0) startSpriteDisplay(s);
  }
}
