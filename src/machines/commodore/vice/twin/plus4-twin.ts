import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import { fields as ted } from '../../../../chips/ted/fields.ts';
import { cyclesPerLine, pixelsPerCycle, pixelsPerLine } from '../../../../chips/ted/models.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { TwinPixel } from '../../../../machine/twin.ts';
import { Plus4Board } from '../../plus4/plus4-board.ts';
import { plus4Layout } from '../../plus4/plus4-state.ts';
import { numberOf } from '../held-settings.ts';
import type { VideoStandard } from '../vice-models.ts';
import type { ViceScreen } from '../vice-screen.ts';
import type { ViceSession } from '../vice-session.ts';
import { BoardTwin, type DifferingPixels, type Meeting, type Moment } from './board-twin.ts';
import { registersOf } from './registers.ts';

/** Within them it comes to where VICE first stops. */
const startCycles = 2000;
/** Where in its line the TED counts lines. */
const lineStart = 98;
const stackStart = 0x100;
/** Pixels of a line that VICE shows. */
const firstPixel = 32;
const width = 384;
/** Rows of the picture that both show, and which of VICE's is the first of them: it has more of NTSC. */
const rows = { pal: { first: 19, count: 287, theirs: 0 }, ntsc: { first: 19, count: 240, theirs: 0 } } as const;
/** In half cycles: so far before and after VICE's time an instruction of ours is looked for that it is at. */
const nearby = 600;
const mostInstructions = 2000;
/** Nothing answers at the addresses of a ROM that is not there. */
const empty = 0xff;

/** A Plus/4 beside an xplus4, which takes the TED's share of the time from whole instructions: the two processors are near each other, not in the same cycle. */
export class Plus4Twin extends BoardTwin<Plus4Board> {
  override readonly isExact = false;
  readonly #standard: VideoStandard;
  /** How much later ours was than VICE when they last met. */
  #late = 0;
  #metAt = 0;

  constructor(board: Plus4Board, standard: VideoStandard) {
    super(board);
    this.#standard = standard;
  }

  /** With the ROMs, the RAM and the standard that VICE has. */
  static async of(session: ViceSession, standard: VideoStandard): Promise<Plus4Twin> {
    if ((await numberOf(session, 'MemoryHack')) !== 0) {
      throw new MachineError('UNAVAILABLE', 'This VICE has more RAM than a Plus/4.', 'Set its MemoryHack to 0.');
    }
    const image = async (bank: string, at: number) => {
      const bytes = await session.peek(session.banks.get(bank) ?? 0, at, 0x4000);
      return bytes.some((byte) => byte !== empty && byte !== 0) ? bytes : undefined;
    };
    const roms = {
      basic: (await image('rom', 0x8000)) ?? new Uint8Array(),
      kernal: (await image('rom', 0xc000)) ?? new Uint8Array(),
      functionLow: await image('funcrom', 0x8000),
      functionHigh: await image('funcrom', 0xc000),
    };
    const kilobytes = await numberOf(session, 'RamSize');
    const ram = kilobytes === 16 || kilobytes === 32 ? kilobytes : 64;
    return new Plus4Twin(new Plus4Board({ roms, ram, video: standard }), standard);
  }

  /** The TED is set to where VICE's beam is: that begins with its clock. */
  async align(moment: Moment): Promise<boolean> {
    const { board } = this;
    board.powerUp();
    if (!board.runUntilPc(moment.pc, startCycles)) return false;
    const { lines, syncLine } = board.ted.timing;
    const words = new Int32Array(board.bytes.buffer, board.bytes.byteOffset + plus4Layout.offsets.ted);
    for (const field of [ted.line, ted.lineRead, ted.lineKnown]) words[field] = moment.line;
    words[ted.row] = (moment.line - syncLine + lines) % lines;
    words[ted.horizontal] = (moment.cycle + lineStart - 1) % cyclesPerLine;
    this.meet(moment);
    return true;
  }

  async adoptFrom(session: ViceSession): Promise<void> {
    const memory = await session.peek(session.banks.get('ram') ?? 0, 0, 0x10000);
    this.board.ram.set(memory.subarray(2), 2);
  }

  /** From here on both do the same: what they did on their way to the prompt is forgotten. */
  override async beginFrom(session: ViceSession): Promise<void> {
    const { board } = this;
    await this.adoptFrom(session);
    if (!board.cpu.atInstruction) board.stepInstruction();
    const { pc, a, x, y, sp, flags } = registersOf(session.now.registers);
    Object.assign(board.cpu.state, { [cpu.pc]: pc, [cpu.instructionPc]: pc });
    this.setRegisters({ pc, a, x, y, sp, flags });
    // Since power-up both count the frames alike, and so the blinks of the cursor.
    const frames = Math.floor((session.now.cycles ?? 0) / board.frameSpan);
    const words = new Int32Array(board.bytes.buffer, board.bytes.byteOffset + plus4Layout.offsets.ted);
    words[ted.flashCounter] = frames & 15;
    words[ted.flash] = (frames & 16) === 0 ? 0 : 0xff;
    this.#late = 0;
  }

  /**
   * Looks for an instruction of ours near VICE's time with the same registers and memory. A program that does not wait for the beam gets further
   * away from VICE with time, so it is also looked for where it would be by what was last found.
   */
  override async arrive({ time, registers, comparesProcessor, hasSameMemory }: Meeting): Promise<boolean> {
    const { board } = this;
    this.#metAt = time;
    const [from, expected] = [time + Math.min(0, this.#late) - nearby, time + this.#late];
    const until = time + Math.max(0, this.#late) + nearby;
    await this.runToInTurns(from);
    if (!board.cpu.atInstruction) board.stepInstruction();
    const start = board.snapshot();
    const near = (at: number) => Math.abs(at - this.ahead - expected);
    let best: { readonly steps: number; readonly at: number; readonly isSame: boolean } | undefined;
    for (let steps = 0; steps < mostInstructions && board.cycles - this.ahead <= until; steps++) {
      const at = board.cycles;
      const isFound = !comparesProcessor || this.agrees(registers);
      const isWorse = best !== undefined && near(best.at) <= near(at);
      if (isFound && !(best?.isSame && isWorse)) {
        const isSame = hasSameMemory();
        if (isSame ? !best?.isSame || !isWorse : !best?.isSame && !isWorse) best = { steps, at, isSame };
      }
      if (!board.stepInstruction()) break;
    }
    board.restore(start);
    if (!best) {
      this.runTo(time);
      if (!board.cpu.atInstruction) board.stepInstruction();
      return false;
    }
    for (let steps = best.steps; steps > 0; steps--) board.stepInstruction();
    if (best.isSame) this.#late = board.cycles - this.ahead - time;
    return best.isSame;
  }

  /** Or as far from it as it was found to be. */
  override isAt(time: number): boolean {
    return this.#metAt === time;
  }

  /** From 2 on, without what is dead on the stack: interrupts leave it, and do not come at the same instruction. */
  differingBytes(memory: Uint8Array): readonly number[] {
    const { ram, memory: map, cpu: processor } = this.board;
    const stackEnd = stackStart + processor.state[cpu.s];
    const found: number[] = [];
    for (let at = 2; at <= map.ramMask; at++) {
      if (ram[at] !== memory[at] && !(at >= stackStart && at <= stackEnd)) found.push(at);
    }
    return found;
  }

  async pixels(screen: ViceScreen): Promise<DifferingPixels | undefined> {
    const drawn = await screen.drawn();
    const { first: firstRow, count: rowCount, theirs: firstTheirs } = rows[this.#standard];
    if (drawn.width !== width || drawn.height < firstTheirs + rowCount) return undefined;
    const { lines, syncLine } = this.board.ted.timing;
    let count = 0;
    let first: TwinPixel | undefined;
    for (let y = 0; y < rowCount; y++) {
      const start = (firstRow + y) * pixelsPerLine + firstPixel;
      for (let x = 0; x < width; x++) {
        const [ours = 0, theirs] = [this.board.frame[start + x], drawn.pixels[(firstTheirs + y) * width + x]];
        if (theirs === undefined || theirs === ours) continue;
        count++;
        const cycle = Math.floor((firstPixel + x) / pixelsPerCycle);
        first ??= { x, y, line: (firstRow + y + syncLine) % lines, cycle, ours, theirs };
      }
    }
    return { count, ...(first && { first }) };
  }
}
