import { join } from 'node:path';
import { fields as cpu, interruptRow } from '../../../src/chips/mos6510/registers.ts';
import { fields as ted } from '../../../src/chips/ted/fields.ts';
import { cyclesPerLine, pixelsPerLine } from '../../../src/chips/ted/models.ts';
import { readPrg } from '../../../src/formats/commodore/media/prg.ts';
import { Plus4Board } from '../../../src/machines/commodore/plus4/plus4-board.ts';
import { plus4Model } from '../../../src/machines/commodore/plus4/plus4-model.ts';
import { plus4Layout } from '../../../src/machines/commodore/plus4/plus4-state.ts';
import { plus4OriginalRoms } from '../plus4-test-runner.ts';
import { basicPointers } from './basic-program.ts';
import type { MonitorPicture } from './binary-monitor.ts';
import type { Counterpart, DifferentialMachine, Moment, ProgramUnderTest, Start } from './machine.ts';

/** Rows of the raster that both show: ours end where the TED begins to blank, one before VICE's last. */
const firstRow = 19;
const rows = 287;
/** Pixels of a line: VICE shows no more than a monitor does. */
const firstPixel = 32;
const width = 384;
/** Where in its line the TED counts lines. */
const lineStart = 98;
const mostInstructions = 100_000;
/** In half cycles, with an interrupt in front and a badline in between. */
const longestInstruction = 250;
const stackStart = 0x100;
/** RAM that the processor sees whatever is selected. */
const compared = { start: 2, end: 0x8000 };

export const plus4Differential: DifferentialMachine = {
  executable: 'xplus4',
  isExact: false,
  folders: ['PLUS4', 'DRIVES', 'common'],
  otherLine: 200,
  readyFrames: 200,
  keyboardBuffer: plus4Model.keyboardBuffer,

  options: () => [
    '-pal',
    '-drive8type',
    '0',
    ...['-raminitstartvalue', '0', '-raminitvalueinvert', '1', '-raminitpatterninvert', '128'],
    ...['-raminitrandomchance', '0'],
  ],

  counterpart: (program, data) => new Plus4Counterpart(program, join(data, 'PLUS4')),

  start({ file }): Start {
    const { address, bytes } = readPrg(file);
    return { blocks: [{ address, bytes }, basicPointers(address, address + bytes.length)], typed: 'RUN\r' };
  },
};

class Plus4Counterpart implements Counterpart {
  readonly #board: Plus4Board;

  constructor(_: ProgramUnderTest, folder: string) {
    this.#board = new Plus4Board({ roms: plus4OriginalRoms(folder) });
  }

  moment(): Moment {
    const { state, status } = this.#board.cpu;
    const [line, cycle] = this.#beam();
    return {
      pc: state[cpu.pc],
      a: state[cpu.a],
      x: state[cpu.x],
      y: state[cpu.y],
      sp: state[cpu.s],
      flags: status & ~0x10,
      line,
      cycle,
    };
  }

  /** Where VICE's monitor says the beam is when the next instruction begins. */
  #beam(): readonly [number, number] {
    const { rasterLine, rasterCycle } = this.#board;
    const { lines } = this.#board.ted.timing;
    const isNext = rasterCycle === cyclesPerLine - 1;
    return isNext ? [(rasterLine + 1) % lines, 0] : [rasterLine, rasterCycle + 1];
  }

  runToPc(address: number): void {
    if (!this.#board.runUntilPc(address, 2000)) throw new Error('our machine does not start where VICE does');
  }

  async adopt({ a, x, y, sp, flags, line, cycle }: Moment): Promise<void> {
    const board = this.#board;
    const { cpu: processor } = board;
    const { lines, syncLine } = board.ted.timing;
    const words = new Int32Array(board.bytes.buffer, board.bytes.byteOffset + plus4Layout.offsets.ted);
    for (const field of [ted.line, ted.lineRead, ted.lineKnown]) words[field] = line;
    words[ted.row] = (line - syncLine + lines) % lines;
    words[ted.horizontal] = (cycle + lineStart - 1) % cyclesPerLine;
    Object.assign(processor.state, { [cpu.a]: a, [cpu.x]: x, [cpu.y]: y, [cpu.s]: sp });
    processor.status = flags;
  }

  runToLine(line: number): boolean {
    const board = this.#board;
    const { lines } = board.ted.timing;
    // The way there in one go, as everybody runs it, the rest by instructions.
    const [now, cycle] = this.#beam();
    const away = ((line - now + lines) % lines) * cyclesPerLine - cycle;
    if (away > longestInstruction) board.runCycles(away - longestInstruction);
    for (let count = 0; count < mostInstructions; count += 1) {
      if (!board.stepInstruction()) return false;
      if (this.#beam()[0] === line && !this.#isInterruptNext()) return true;
    }
    throw new Error(`line ${line} does not come`);
  }

  /** VICE does not stop where an interrupt is about to be taken. */
  #isInterruptNext(): boolean {
    const before = this.#board.snapshot();
    this.#board.tick();
    if (this.#board.cpu.atInstruction) this.#board.tick();
    const isInterrupt = this.#board.cpu.state[cpu.step] >> 3 === interruptRow;
    this.#board.restore(before);
    return isInterrupt;
  }

  write(address: number, bytes: Uint8Array): void {
    bytes.forEach((byte, index) => {
      this.#board.write((address + index) & 0xffff, byte);
    });
  }

  memory(): Uint8Array {
    return this.comparable(this.#board.ram);
  }

  comparable(memory: Uint8Array): Uint8Array {
    const known = new Uint8Array(0x10000);
    known.set(memory.subarray(compared.start, compared.end), compared.start);
    // What was on the stack once is nobody's any more.
    known.fill(0, stackStart, stackStart + this.#board.cpu.state[cpu.s] + 1);
    return known;
  }

  differingPixels(picture: MonitorPicture): number | string {
    if (picture.width !== width || picture.height < rows) return `VICE shows ${picture.width} x ${picture.height}`;
    let different = 0;
    for (let y = 0; y < rows; y += 1) {
      const start = (firstRow + y) * pixelsPerLine + firstPixel;
      for (let x = 0; x < width; x += 1) {
        const theirs = picture.pixels[y * width + x];
        if (theirs !== undefined && theirs !== this.#board.frame[start + x]) different += 1;
      }
    }
    return different;
  }
}
