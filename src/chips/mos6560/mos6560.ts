import { characterHeight, fetchTo, type Mos6560Wires, pagesSeen } from './fetching.ts';
import { area, fetch, fields, type Mos6560State, stateWords } from './fields.ts';
import { restartPen, setPenLine, triggerPen } from './light-pen.ts';
import { fieldLines, type Mos6560Model, type Mos6560Timing, mos6560Models, pixelsPerCycle } from './models.ts';
import { drawTo, type FrameMemory, pixelOfWrite, takeColors } from './picture.ts';

const CR0 = fields.cr0;
const CR1 = fields.cr1;
const CYCLE = fields.cycle;
const LINE = fields.line;
const LINES = fields.lines;
const FREE_UNTIL = fields.freeUntil;
const AREA = fields.area;
const FETCH = fields.fetch;
const FETCHED_TO = fields.fetchedTo;
const ROW_LINE = fields.rowLine;
const PEN_DUE = fields.penDue;
const WINDOW_START = fields.windowStart;

/** Cycles from the opening of the window to the one before the first access. */
const waitCycles = 3;
/** The first cycle of a program is the sixth of the picture, as measured programs expect; reset takes the ones before. */
const cyclesBeforePicture = 2;
/** What the pen's registers hold before it was ever used. */
const penAtRest = { x: 87, y: 234 };

/**
 * MOS 6560 (NTSC) and 6561 (PAL) Video Interface Chip: picture, light pen, paddles; sound is `Mos6560Sound`.
 *
 * It fetches in the first half of a cycle and never holds up the processor. A cycle is `tick()`, then at most one `read` or
 * `write`. While the cycle is below `freeUntil` the board may count it up on its own; `catchUpFetches` is to be called before
 * memory in `pagesSeen` or color RAM changes, and before `fetched` is looked at.
 *
 * Sources: VICE's test programs VIC20/vic6561, split-tests, vic_* and what xvic makes of them. Not emulated: more columns than
 * a line has room for (they would come out in the next line).
 */
export class Mos6560 {
  timing: Mos6560Timing;
  readonly #s: Mos6560State;
  readonly #wires: Mos6560Wires;
  readonly #eager: boolean;
  #width: number;
  readonly #frame: FrameMemory;

  /** `eager`: does everything in its cycle; the same, only slower. */
  constructor(state: Int32Array, wires: Mos6560Wires, model: Mos6560Model, eager = false) {
    this.timing = mos6560Models[model];
    this.#s = state as Mos6560State;
    this.#wires = wires;
    this.#eager = eager;
    this.#width = this.timing.cyclesPerLine * pixelsPerCycle;
    const { frame } = wires;
    this.#frame = { bytes: frame, words: new Int32Array(frame.buffer, frame.byteOffset, frame.length >> 2) };
  }

  /** Another chip in the socket. Registers keep what was written to them, and a new frame begins. */
  refit(model: Mos6560Model): void {
    const s = this.#s;
    this.catchUp();
    const registers = Array.from({ length: 16 }, (_, register) => s[CR0 + register] ?? 0);
    const kept = [fields.frameCount, fields.penLine, fields.penX, fields.penY, fields.potX, fields.potY];
    const values = kept.map((field) => [field, s[field]] as const);
    this.timing = mos6560Models[model];
    this.#width = this.timing.cyclesPerLine * pixelsPerCycle;
    this.#frame.bytes.fill(0);
    this.powerOn();
    for (const [register, value] of registers.entries()) this.poke(register, value);
    for (const [field, value] of values) s[field] = value;
  }

  /** The state after power-on; a reset does not reach the chip. */
  powerOn(): void {
    const s = this.#s;
    const { cyclesPerLine, lines } = this.timing;
    s.fill(0, 0, stateWords);
    s[LINES] = lines;
    s[LINE] = lines - 1;
    s[CYCLE] = cyclesPerLine - cyclesBeforePicture;
    s[FETCHED_TO] = s[CYCLE];
    s[AREA] = area.below;
    s[fields.isBlank] = 1;
    s[fields.wasBlank] = 1;
    s[fields.penLine] = 1;
    s[fields.penX] = penAtRest.x;
    s[fields.penY] = penAtRest.y;
    s[fields.potX] = 255;
    s[fields.potY] = 255;
    takeColors(s, 0);
    this.#lookAround();
  }

  tick(): void {
    const s = this.#s;
    if (s[CYCLE] < s[FREE_UNTIL]) s[CYCLE] += 1;
    else this.#tickExact();
  }

  #tickExact(): void {
    const s = this.#s;
    const isPenDue = s[PEN_DUE] !== 0;
    s[PEN_DUE] = 0;
    if (s[AREA] === area.above && s[CR1] === s[LINE] >> 1) this.#openVertically();
    if (s[CYCLE] + 1 === this.timing.cyclesPerLine) this.#startLine();
    else s[CYCLE] += 1;
    const cycle = s[CYCLE];
    if (s[AREA] === area.inside || s[AREA] === area.pending) {
      if (s[FETCH] === fetch.left && (s[CR0] & 0x7f) === cycle) this.#openHorizontally();
      if (s[AREA] === area.inside && cycle === 0) this.#advanceRow();
    }
    if (cycle <= 2) this.#latch();
    if (isPenDue) triggerPen(s, this.timing);
    if (this.#advance()) this.#leaveBus();
    this.#plan();
  }

  // ---- the raster

  #startLine(): void {
    const s = this.#s;
    this.catchUpFetches();
    this.#drawTo(this.#width);
    s[fields.drawn] = 0;
    s[fields.reverseAt] = 0;
    s[fields.wasBlank] = s[fields.isBlank];
    s[fields.isBlank] = 1;
    s[CYCLE] = 0;
    s[FETCHED_TO] = 0;
    if (s[AREA] === area.inside) s[ROW_LINE] += 1;
    s[FETCH] = fetch.left;
    s[LINE] += 1;
    if (s[LINE] >= s[LINES]) this.#startFrame();
  }

  #startFrame(): void {
    const s = this.#s;
    s[LINE] = 0;
    s[AREA] = area.above;
    s[ROW_LINE] = 0;
    s[fields.rowCount] = 0;
    s[fields.matrixCounter] = 0;
    s[fields.matrixStep] = 0;
    s[fields.frameCount] += 1;
    if (this.#canInterlace) this.#chooseField();
  }

  get #canInterlace(): boolean {
    return this.timing === mos6560Models['6560'];
  }

  #chooseField(): void {
    const s = this.#s;
    const isWanted = (s[CR0] & 0x80) !== 0;
    s[fields.field] = isWanted && s[fields.interlaced] !== 0 ? s[fields.field] ^ 1 : 0;
    s[fields.interlaced] = isWanted ? 1 : 0;
    s[LINES] = isWanted ? fieldLines[s[fields.field]] : this.timing.lines;
  }

  #latch(): void {
    const s = this.#s;
    if (s[CYCLE] === 1) {
      s[fields.columnsLatched] = Math.min(s[fields.cr2] & 0x7f, this.timing.mostColumns);
      if (s[LINE] === 0) restartPen(s);
    } else if (s[CYCLE] === 2 && s[LINE] === 0) s[fields.rows] = (s[fields.cr3] & 0x7e) >> 1;
  }

  // ---- the window

  #openVertically(): void {
    this.#s[AREA] = this.#s[fields.rows] === 0 ? area.below : area.pending;
  }

  /** In this cycle or, if nobody looked meanwhile, one before. */
  #openHorizontally(cycle = this.#s[CYCLE]): void {
    const s = this.#s;
    s[WINDOW_START] = cycle;
    s[FETCH] = fetch.waiting;
    s[AREA] = area.inside;
    s[fields.matrixStep] = 0;
    s[fields.columns] = s[fields.columnsLatched];
  }

  #advanceRow(): void {
    const s = this.#s;
    const height = characterHeight(s);
    if (s[ROW_LINE] === height || s[ROW_LINE] === 2 * height) {
      s[ROW_LINE] = 0;
      s[fields.matrixStep] = s[fields.wasBlank] !== 0 ? 0 : s[fields.columns];
      s[fields.rowCount] += 1;
      if (s[fields.rowCount] === s[fields.rows]) s[AREA] = area.below;
    }
    s[fields.matrixCounter] += s[fields.matrixStep];
    s[fields.matrixStep] = 0;
  }

  get #isBeforeWindow(): boolean {
    const s = this.#s;
    return s[FETCH] === fetch.left && (s[AREA] === area.inside || s[AREA] === area.pending);
  }

  /** Does what is due in the line up to this cycle: opens the window, waits, fetches. True if the last access was made just now. */
  #advance(): boolean {
    const s = this.#s;
    const cycle = s[CYCLE];
    if (s[FETCHED_TO] >= cycle) return false;
    if (this.#isBeforeWindow) {
      const start = s[CR0] & 0x7f;
      if (start > s[FETCHED_TO] && start <= cycle) this.#openHorizontally(start);
    }
    if (s[FETCH] === fetch.waiting && cycle >= s[WINDOW_START] + waitCycles) this.#startFetching();
    if (s[FETCH] === fetch.matrix || s[FETCH] === fetch.graphics) return fetchTo(s, this.#wires, cycle);
    s[FETCHED_TO] = cycle;
    return false;
  }

  #startFetching(): void {
    const s = this.#s;
    s[fields.columns] = s[fields.columnsLatched];
    s[fields.column] = 0;
    s[FETCHED_TO] = s[WINDOW_START] + waitCycles;
    if (s[fields.columns] === 0) {
      s[FETCH] = fetch.right;
      return;
    }
    s[FETCH] = fetch.matrix;
    s[fields.isBlank] = 0;
  }

  /** The last byte stays on the bus until the processor puts another there. */
  #leaveBus(): void {
    this.#s[fields.busByte] = this.#s[fields.fetched];
    this.#s[fields.busAddress] = -1;
  }

  // ---- laziness

  /** Decides up to which cycle nothing happens that cannot be done later: the last access leaves its byte on the bus. */
  #plan(): void {
    const s = this.#s;
    s[FREE_UNTIL] = 0;
    if (this.#eager || s[CYCLE] < 2 || s[PEN_DUE] !== 0) return;
    let next = this.timing.cyclesPerLine;
    const opening = this.#isBeforeWindow ? s[CR0] & 0x7f : s[FETCH] === fetch.left ? 0 : s[WINDOW_START];
    const isToCome = this.#isBeforeWindow ? opening > s[CYCLE] : s[FETCH] !== fetch.left && s[FETCH] !== fetch.right;
    if (isToCome && s[fields.columnsLatched] > 0) {
      const start = opening + waitCycles;
      if (s[fields.seesOpenBus] === 0) next = Math.min(next, start + 2 * s[fields.columnsLatched]);
      else if (s[CYCLE] < start) next = Math.min(next, start);
      else return;
    }
    s[FREE_UNTIL] = next - 1;
  }

  #endQuiet(): void {
    this.catchUpFetches();
    this.#s[FREE_UNTIL] = 0;
  }

  /** Makes all accesses that are due. */
  catchUpFetches(): void {
    this.#advance();
  }

  /** Draws all pixels that are due, so that the frame can be looked at. */
  catchUp(): void {
    this.catchUpFetches();
    this.#drawTo(Math.min(this.#width, pixelOfWrite(this.#s)));
  }

  #drawTo(end: number): void {
    drawTo(this.#s, this.#frame, this.#s[LINE] * this.#width, end);
  }

  /** Whether the chip fetches in this cycle: then the processor's bus carries `fetched`. */
  get isFetching(): boolean {
    const s = this.#s;
    return (s[FETCH] === fetch.matrix || s[FETCH] === fetch.graphics) && s[CYCLE] > s[WINDOW_START] + waitCycles;
  }

  // ---- registers

  read(register: number): number {
    return this.peek(register);
  }

  /** No read has side effects. */
  peek(register: number): number {
    const s = this.#s;
    switch (register & 15) {
      case 3:
        return ((this.#counter & 1) << 7) | (s[fields.cr3] & 0x7f);
      case 4:
        return this.#counter >> 1;
      case 6:
        return s[fields.penX];
      case 7:
        return s[fields.penY];
      case 8:
        return s[fields.potX];
      case 9:
        return s[fields.potY];
      default:
        return s[register & 15];
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    const index = register & 15;
    this.#endQuiet();
    if (index >= 14) {
      const pixel = pixelOfWrite(s);
      this.#drawTo(Math.min(this.#width, pixel));
      s[index] = value;
      takeColors(s, pixel);
    } else s[index] = value;
    if (index === 2 || index === 3 || index === 5) this.#lookAround();
  }

  /** The chip may see other memory than before. */
  #lookAround(): void {
    const { pages } = this.#wires;
    this.#s[fields.seesOpenBus] = this.pagesSeen.some((page) => pages[page] < 0) ? 1 : 0;
  }

  /** The pages of 256 bytes, of its 16 KiB, before whose change `catchUpFetches` has to be called. */
  get pagesSeen(): readonly number[] {
    return pagesSeen(this.#s);
  }

  poke(register: number, value: number): void {
    this.write(register, value);
  }

  /** The light pen's line: 1 = high. */
  setLightPen(level: number): void {
    if (level === this.#s[fields.penLine]) return;
    this.#endQuiet();
    setPenLine(this.#s, level);
  }

  /** The raster counter as programs read it. On the 6560 a frame begins and ends with half a line. */
  get #counter(): number {
    const s = this.#s;
    const { cyclesPerLine, counterAhead, lines } = this.timing;
    const place = s[LINE] * cyclesPerLine + s[CYCLE] + counterAhead;
    const line = Math.floor(place / cyclesPerLine);
    if (counterAhead === 0) return line;
    const isSecondHalf = place % cyclesPerLine > cyclesPerLine >> 1;
    if (s[fields.interlaced] === 0) {
      if (line % lines !== 0) return line;
      return isSecondHalf ? 0 : lines;
    }
    if (s[fields.field] === 0) return line >= fieldLines[0] ? 0 : line;
    if (line < fieldLines[1]) return line;
    return isSecondHalf ? 0 : fieldLines[1];
  }
}
