import { due, fields as f, stateWords, type TedState } from './fields.ts';
import { type TedModel, type TedTiming, tedModels } from './models.ts';
import { drawFour, fourPixels, groupAt, loadInEven, loadInOdd, shownAs, type TedFrame } from './picture.ts';
import { frozen, isPlain, lastHalf, lastStep, markPagesSeen, maySeeOpenBus, quietHalves, timerFlags } from './quiet.ts';
import { matchLine, readRegister, writeRegister } from './registers.ts';
import { beginDma, changeScrollY, countLine, initializeDisplay, noticeLine, restDma } from './vertical.ts';

const HORIZONTAL = f.horizontal;
const DUE_EVEN = f.dueEven;
const DUE_ODD = f.dueOdd;
const DMA = f.dma;
const DMA_STEP = f.dmaStep;
const SINGLE = f.single;
const SLOT = f.slot;
const BUS = f.bus;
const CONTROL1 = f.registers + 6;
const CONTROL2 = f.registers + 7;
const SCREEN = f.registers + 0x14;
const columns40 = 8;
/** Nothing happens in these places but what always does. */
const firstEventless = 2;
const lastEventless = 72;
/** After so many an empty pipeline stays as it is. */
const pipelineCycles = 3;

/** What the chip is soldered to. */
export interface TedWires {
  readonly memory: Uint8Array;
  /** By address bits 15-8, where a page of RAM and one of what ROM shows begins in `memory`, less its address; -1: nothing answers. */
  readonly ram: Int32Array;
  readonly rom: Int32Array;
  readonly frame: Uint8Array;
  /** The byte that the processor wants to read while it is held up. */
  cpuByte(): number;
}

/**
 * MOS 7360 / 8360 Text Display: picture, bus, three timers, keyboard latch; sound is `TedSound`.
 *
 * One `tick()` is half a cycle of the single clock: 114 in a line. It ends the half cycle before and begins the next, after which
 * `clocked` says whether the processor has a cycle now and `rdy` whether it may read in it. `run` is many of them. For the next
 * `quietCycles` neither these nor IRQ change, so that they may be made up for later: before a register is touched or memory in
 * `pagesSeen` changes.
 *
 * Sources: the timing that plus4emu and VICE document, VICE's test programs. Not emulated: what a monitor makes of a horizontal
 * counter that programs move, the decay of sound and light pens (which no chip of this kind has).
 */
export class Ted {
  readonly timing: TedTiming;
  readonly #s: TedState;
  readonly #wires: TedWires;
  readonly #frame: TedFrame;
  /** Whether something that it fetches may be where nobody answers: a cache. */
  #mayBeOpen = false;

  constructor(state: Int32Array, wires: TedWires, model: TedModel) {
    this.timing = tedModels[model];
    this.#s = state as TedState;
    this.#wires = wires;
    const { frame } = wires;
    this.#frame = { bytes: frame, words: new Int32Array(frame.buffer, frame.byteOffset, frame.length >> 2) };
  }

  powerOn(): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    s[f.line] = this.timing.syncLine - 1;
    s[f.lineRead] = s[f.line];
    s[f.lineKnown] = s[f.line];
    s[HORIZONTAL] = 97;
    s[f.noGraphics] = 3;
    s[f.slot] = 40;
    s[f.dmaReload] = 0x3ff;
    s[f.blank] = 3;
    s[f.rdy] = 1;
    this.reset();
  }

  /** Its only effect is that the processor sees ROM. */
  reset(): void {
    this.#s[f.romSelected] = 1;
    this.#s[f.keyboard] = 0xff;
  }

  tick(): void {
    const s = this.#s;
    const before = s[HORIZONTAL];
    if ((before & 1) === 0) this.#endEven();
    else this.#endOdd();
    s[f.glitch] = 0;
    if ((s[CONTROL2] & frozen) !== 0) {
      this.#freeze(before);
      return;
    }
    const now = before === lastHalf ? 0 : (before + 1) & 127;
    s[HORIZONTAL] = now;
    if ((now & 1) === 0) {
      this.#beginEven(now);
      s[f.clocked] = 1;
      s[f.rdy] = s[DMA_STEP] < 2 ? 1 : 0;
    } else {
      this.#beginOdd(now);
      s[f.clocked] = s[SINGLE] === 0 ? 1 : 0;
      s[f.rdy] = 1;
    }
  }

  /** So many ticks. */
  run(count: number): void {
    const s = this.#s;
    for (let left = count; left > 0; ) {
      const now = s[HORIZONTAL];
      const most = Math.min(left, lastEventless - now) >> 1;
      if (most > 1 && now >= firstEventless && (now & 1) === 0 && isPlain(s, most)) {
        this.#runPairs(most);
        left -= 2 * most;
      } else {
        this.tick();
        left -= 1;
      }
    }
  }

  /** Whole cycles in which the picture, or the border, goes on as it is. */
  #runPairs(cycles: number): void {
    const s = this.#s;
    for (let timer = 0; timer < 3; timer += 1) {
      if (((s[f.timersRun] >> timer) & 1) !== 0) s[f.timers + timer] -= cycles;
    }
    const isIdle = (s[f.displayActive] | s[DMA_STEP] | s[SINGLE] | s[f.positionCounts]) === 0;
    const isEmpty = isIdle && s[SLOT] === 40;
    const exact = isEmpty ? Math.min(cycles, pipelineCycles) : cycles;
    for (let cycle = 0; cycle < exact; cycle += 1) this.#runPair();
    if (exact < cycles) {
      const at = groupAt(s);
      const color = s[f.blank] !== 0 ? 0 : s[f.registers + 0x19] * 0x0101_0101;
      this.#frame.words.fill(color, at, at + 2 * (cycles - exact));
      if (s[f.dmaCounts] !== 0) s[f.dmaPosition] = (s[f.dmaPosition] + cycles - exact) & 0x3ff;
      s[HORIZONTAL] += 2 * (cycles - exact);
    }
    s[f.clocked] = 1;
    s[f.rdy] = s[DMA_STEP] < 2 ? 1 : 0;
  }

  /** Ends an even half cycle and an odd one, and begins the next; nothing is scrolled. */
  #runPair(): void {
    const s = this.#s;
    if (s[DMA_STEP] !== 0) this.#fetchMatrix();
    if (s[f.dmaCounts] !== 0) s[f.dmaPosition] = (s[f.dmaPosition] + 1) & 0x3ff;
    const [attribute, character] = [s[f.attribute], s[f.character]];
    s[f.shownGraphics] = s[f.graphics];
    s[f.shownAttribute] = attribute;
    s[f.shownCharacter] = character;
    s[f.shownCursor] = s[f.cursor];
    s[f.shownPixels] = 8;
    const at = groupAt(s);
    const { words } = this.#frame;
    if (s[f.blank] !== 0 || s[f.displayActive] === 0) {
      words[at] = words[at + 1] = s[f.blank] !== 0 ? 0 : s[f.registers + 0x19] * 0x0101_0101;
    } else {
      const graphics = shownAs(s, s[f.graphics], attribute, character, s[f.cursor]);
      words[at] = fourPixels(s, graphics >> 4, attribute, character);
      words[at + 1] = fourPixels(s, graphics & 15, attribute, character);
    }
    if (s[SINGLE] !== 0) this.#fetchGraphics();
    this.#shift();
    s[HORIZONTAL] += 2;
    s[f.positionNow] = 0x3ff;
    if (s[f.positionCounts] === 0) return;
    s[f.position] = (s[f.position] + 1) & 0x3ff;
    s[f.positionNow] = s[f.position];
  }

  /** Half cycles after this one in which nothing changes for the processor. */
  get quietCycles(): number {
    return this.seesOpenBus ? 0 : quietHalves(this.#s);
  }

  /** What is shown depends on what the processor leaves on the bus. */
  get seesOpenBus(): boolean {
    const s = this.#s;
    if (s[f.displayActive] !== 0 && s[SINGLE] === 0) return true;
    return this.#mayBeOpen && (s[f.renderWindow] | s[f.dmaEnabled]) !== 0;
  }

  /** The chip may see other memory than before, or none. */
  lookAround(): void {
    this.#mayBeOpen = maySeeOpenBus(this.#s, this.#wires);
  }

  /** Marks the pages of RAM, as the chip has its addresses, that it may look at. */
  markPagesSeen(pages: Uint8Array): void {
    markPagesSeen(this.#s, pages);
  }

  /** Only the clock goes on. */
  #freeze(before: number): void {
    const s = this.#s;
    s[HORIZONTAL] = before ^ 1;
    s[DMA_STEP] = 0;
    s[f.blank] |= 1;
    s[f.clocked] = (before & 1) !== 0 || s[SINGLE] === 0 ? 1 : 0;
    s[f.rdy] = 1;
  }

  // ---- even half cycles: the processor's, or the chip's in a badline

  #beginEven(now: number): void {
    const s = this.#s;
    s[f.positionNow] = 0x3ff;
    if (s[f.positionCounts] !== 0) {
      s[f.position] = (s[f.position] + 1) & 0x3ff;
      s[f.positionNow] = s[f.position];
    }
    const dues = s[DUE_EVEN];
    s[DUE_EVEN] = 0;
    if (s[DMA_STEP] !== 0 && s[DMA_STEP] < lastStep) {
      s[DMA_STEP] += 1;
      if (s[DMA_STEP] === 2) s[SINGLE] |= 1;
    }
    this.#atEven(now);
    if (dues !== 0) this.#doEven(dues, now);
  }

  /** What happens in certain places of a line. */
  #atEven(now: number): void {
    const s = this.#s;
    switch (now) {
      case 0:
        if (s[f.displayWindow] !== 0 && (s[CONTROL2] & columns40) !== 0) s[f.displayActive] = 1;
        break;
      case 2:
        if (s[f.displayWindow] !== 0 && (s[CONTROL2] & columns40) === 0) s[f.displayActive] = 1;
        break;
      case 74:
        this.#endRow();
        break;
      case 76:
        s[f.noGraphics] |= 1;
        s[DMA_STEP] = 0;
        s[SINGLE] = (s[SINGLE] & 2) | 0x80;
        break;
      case 78:
        if ((s[CONTROL2] & columns40) === 0) s[f.displayActive] = 0;
        s[f.isShifting] = 0;
        break;
      case 80:
        if ((s[CONTROL2] & columns40) !== 0) s[f.displayActive] = 0;
        break;
      case 86:
        s[SINGLE] &= 3;
        break;
      case 88:
        s[f.blank] |= 1;
        break;
      case 98:
        countLine(s, this.timing);
        break;
      case 100:
        s[f.isFetchTime] = 1;
        if (s[f.renderWindow] !== 0) s[DUE_EVEN] |= due.single;
        noticeLine(s);
        break;
      case 102:
        beginDma(s);
        break;
      case 106:
        s[f.blank] &= ~1;
        break;
      case 108:
        if (s[f.renderWindow] !== 0) {
          if (s[f.dmaCounts] !== 0) s[f.dmaReload] &= s[f.dmaPosition];
          s[f.dmaPosition] = s[f.dmaReload];
          s[f.dmaCounts] = 1;
        }
        break;
      case 110:
        s[f.noGraphics] &= 2;
        if (s[f.noGraphics] === 0) s[f.positionCounts] = 1;
        s[f.position] = s[f.positionReload];
        s[f.positionNow] = s[f.position];
        break;
      case 112:
        if ((s[f.renderWindow] | s[f.displayWindow] | s[f.displayActive]) !== 0) s[f.isShifting] = 1;
    }
  }

  /** The last column: counters stop, and are kept if a row of characters ends here. */
  #endRow(): void {
    const s = this.#s;
    s[f.isFetchTime] = 0;
    s[DMA] &= 3;
    s[f.positionCounts] = 0;
    s[f.dmaCounts] = 0;
    restDma(s);
    if (s[f.renderWindow] === 0) return;
    if (s[f.rowLine] === 6) s[f.dmaReload] = s[f.dmaPosition];
    if (s[f.rowLineBefore] === 6 && (s[f.noGraphics] & 2) === 0) s[f.positionReload] = (s[f.positionNow] + 1) & 0x3ff;
  }

  #doEven(dues: number, now: number): void {
    const s = this.#s;
    if ((dues & due.initialize) !== 0) initializeDisplay(s);
    if ((dues & due.rowLine) !== 0) s[f.rowLine] = (s[f.rowLine] + 1) & 7;
    if ((dues & due.single) !== 0) s[SINGLE] |= 1;
    if ((dues & due.stopDma) !== 0) s[DMA_STEP] = 0;
    if ((dues & due.startTimer2) !== 0) s[f.timersRun] |= 2;
    if ((dues & due.scrollY) !== 0) changeScrollY(s, now === 98);
    if ((dues & due.scrollX) !== 0) s[f.scrollX] = s[CONTROL2] & 7;
    if ((dues & due.mode) !== 0) this.#changeMode();
    if ((dues & due.clock) !== 0) s[SINGLE] = (s[SINGLE] & ~2) | (s[f.registers + 0x13] & 2);
  }

  #changeMode(): void {
    const s = this.#s;
    s[f.mode] = ((s[CONTROL1] >> 4) & 6) | ((s[CONTROL2] >> 4) & 9);
  }

  #endEven(): void {
    const s = this.#s;
    if (s[DMA_STEP] >= 2) this.#fetchMatrix();
    if (s[f.dmaCounts] !== 0) s[f.dmaPosition] = (s[f.dmaPosition] + 1) & 0x3ff;
    drawFour(s, this.#frame, loadInEven(s));
    if (s[f.timersRun] !== 0) this.#checkTimers();
  }

  /** Until the processor is off the bus, what it does there is taken instead. */
  #fetchMatrix(): void {
    const s = this.#s;
    if (s[DMA_STEP] < lastStep) s[BUS] = this.#wires.cpuByte();
    else {
      this.#readAs(((s[SCREEN] & 0xf8) << 8) | s[f.dmaBase] | s[f.dmaPosition], s[f.romSelected] !== 0);
    }
    const slot = s[SLOT];
    if (slot >= 40) return;
    if ((s[DMA] & 1) !== 0) s[f.attributesNew + slot] = s[BUS];
    if ((s[DMA] & 2) !== 0) s[f.characters + slot] = s[BUS];
  }

  // ---- odd half cycles: the chip's while it fetches a picture, else the processor's

  #beginOdd(now: number): void {
    const s = this.#s;
    const dues = s[DUE_ODD];
    if (dues !== 0) {
      s[DUE_ODD] = 0;
      if ((dues & due.scrollX) !== 0) s[f.scrollX] = s[CONTROL2] & 7;
      if ((dues & due.mode) !== 0) this.#changeMode();
      if ((dues & due.resetRowLine) !== 0) {
        s[f.rowLine] = 7;
        s[f.rowLineBefore] = 7;
      }
    }
    if (now === 99) {
      restDma(s);
      s[f.lineRead] = s[f.line];
      matchLine(s);
    } else if (now === 89 && s[f.line] === 205) this.#flash();
  }

  #flash(): void {
    const s = this.#s;
    s[f.flashCounter] = (s[f.flashCounter] + 1) & 15;
    if (s[f.flashCounter] === 0) s[f.flash] ^= 0xff;
  }

  #endOdd(): void {
    const s = this.#s;
    if (s[SINGLE] !== 0) this.#fetchGraphics();
    drawFour(s, this.#frame, loadInOdd(s));
    this.#shift();
    if ((s[f.timersRun] & 2) !== 0) s[f.timers + 1] = (s[f.timers + 1] - 1) & 0xffff;
    if ((s[f.timersRun] & 4) !== 0) s[f.timers + 2] = (s[f.timers + 2] - 1) & 0xffff;
  }

  /** What was fetched moves on. */
  #shift(): void {
    const s = this.#s;
    s[f.graphics] = 0;
    if (s[f.isShifting] !== 0) {
      s[f.graphics] = s[f.nextGraphics];
      s[f.attribute] = s[f.nextAttribute];
      s[f.character] = s[f.nextCharacter];
      s[f.cursor] = s[f.nextCursor];
    }
    const slot = s[SLOT];
    if (slot !== 40) {
      s[f.nextAttribute] = s[f.attributes + slot];
      s[f.attributes + slot] = s[f.attributesNew + slot];
      s[f.nextCharacter] = s[f.characters + slot];
      s[SLOT] = slot + 1;
      if (slot === 63) s[SLOT] = s[f.renderWindow] !== 0 ? 0 : 40;
    } else {
      s[f.nextAttribute] = 0;
      s[f.nextCharacter] = 0;
    }
    s[f.nextGraphics] = (s[SINGLE] | s[f.displayActive]) !== 0 ? s[BUS] : 0;
    const cursor = ((s[f.registers + 0x0c] & 3) << 8) | s[f.registers + 0x0d];
    s[f.nextCursor] = s[f.positionNow] === cursor ? 1 : 0;
  }

  #fetchGraphics(): void {
    const s = this.#s;
    if (s[f.noGraphics] !== 0) {
      if ((s[SINGLE] & 0x80) === 0) this.#readAs(0xffff, s[f.romSelected] !== 0);
      else {
        this.#readAs(0xff00 | s[f.refreshRow], s[f.romSelected] !== 0);
        s[f.refreshRow] = (s[f.refreshRow] + 1) & 0xff;
      }
      return;
    }
    const isRom = (s[f.registers + 0x12] & 4) !== 0;
    const address = this.#graphicsAddress();
    if (!isRom || address >= 0x8000) this.#readAs(address, isRom);
  }

  #graphicsAddress(): number {
    const s = this.#s;
    const control1 = s[CONTROL1];
    const slot = s[SLOT];
    const bitmap = (s[f.registers + 0x12] & 0x38) << 10;
    const attribute = s[f.attributesNew + slot];
    if ((control1 & 0x80) !== 0) {
      // Test modes.
      if ((control1 & 0x20) === 0) return 0xf800 | (attribute << 3) | s[f.rowLine];
      return bitmap | ((s[f.positionNow] & (attribute | 0xff00)) << 3) | s[f.rowLine];
    }
    if ((control1 & 0x20) !== 0) return bitmap | (s[f.positionNow] << 3) | s[f.rowLine];
    const isExtended = (control1 & 0x40) !== 0;
    const isPlain = (s[CONTROL2] & 0x80) !== 0;
    const base = (s[f.registers + 0x13] & (isExtended || isPlain ? 0xf8 : 0xfc)) << 8;
    const character = s[f.characters + slot] & (isExtended ? 0x3f : isPlain ? 0xff : 0x7f);
    return base | (character << 3) | s[f.rowLine];
  }

  /** Where nothing answers the bus keeps its byte. */
  #readAs(address: number, isRom: boolean): void {
    const s = this.#s;
    if (address >> 5 === 0x7f8) {
      s[BUS] = readRegister(s, address & 31);
      return;
    }
    const { memory, ram, rom } = this.#wires;
    const base = (isRom ? rom : ram)[address >> 8];
    if (base !== -1) s[BUS] = memory[base + address];
  }

  // ---- timers

  /** Timer 1 starts again from its latch, the others go on from $FFFF. */
  #checkTimers(): void {
    const s = this.#s;
    const run = s[f.timersRun];
    if ((run & 1) !== 0) {
      if (s[f.timers] === 0) {
        this.#interrupt(timerFlags[0]);
        s[f.timers] = s[f.timerReload];
      }
      s[f.timers] = (s[f.timers] - 1) & 0xffff;
    }
    if ((run & 2) !== 0 && s[f.timers + 1] === 0) this.#interrupt(timerFlags[1]);
    if ((run & 4) !== 0 && s[f.timers + 2] === 0) this.#interrupt(timerFlags[2]);
  }

  #interrupt(flag: number): void {
    const s = this.#s;
    s[f.irqFlags] |= flag;
    s[f.irq] = (s[f.irqFlags] & s[f.registers + 0x0a] & 0x5e) !== 0 ? 1 : 0;
  }

  // ---- registers

  read(register: number): number {
    return readRegister(this.#s, register);
  }

  /** No read has side effects. */
  peek(register: number): number {
    return readRegister(this.#s, register);
  }

  write(register: number, value: number): void {
    writeRegister(this.#s, register, value);
  }

  /** $FF3E and $FF3F. */
  selectRom(isRom: boolean): void {
    this.#s[f.romSelected] = isRom ? 1 : 0;
  }

  /** A write to $FF08 asks the keyboard; this is the answer. */
  latchKeyboard(levels: number): void {
    this.#s[f.keyboard] = levels;
  }
}
