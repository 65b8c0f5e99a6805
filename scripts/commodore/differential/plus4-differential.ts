import { join } from 'node:path';
import { fields as cpu } from '../../../src/chips/mos6510/registers.ts';
import { fields as ted } from '../../../src/chips/ted/fields.ts';
import { cyclesPerLine, pixelsPerLine } from '../../../src/chips/ted/models.ts';
import { readPrg } from '../../../src/formats/commodore/media/prg.ts';
import { Plus4Board } from '../../../src/machines/commodore/plus4/plus4-board.ts';
import { plus4Model } from '../../../src/machines/commodore/plus4/plus4-model.ts';
import { plus4Layout } from '../../../src/machines/commodore/plus4/plus4-state.ts';
import { plus4OriginalRoms } from '../plus4-test-runner.ts';
import { basicPointers } from './basic-program.ts';
import type { MonitorPicture } from './binary-monitor.ts';
import { BoardCounterpart } from './board-counterpart.ts';
import type { DifferentialMachine, Moment, ProgramUnderTest, Start } from './machine.ts';

/** Rows of the raster that both show: ours end where the TED begins to blank, one before VICE's last. */
const firstRow = 19;
const rows = 287;
/** Pixels of a line: VICE shows no more than a monitor does. */
const firstPixel = 32;
const width = 384;
/** Where in its line the TED counts lines. */
const lineStart = 98;
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

class Plus4Counterpart extends BoardCounterpart<Plus4Board> {
  constructor(_: ProgramUnderTest, folder: string) {
    super(new Plus4Board({ roms: plus4OriginalRoms(folder) }), { startCycles: 2000, longestInstruction });
  }

  /** Where VICE's monitor says the beam is when the next instruction begins. */
  protected beam(): readonly [number, number] {
    const { rasterLine, rasterCycle } = this.board;
    const { lines, syncLine } = this.board.ted.timing;
    const isNext = rasterCycle === cyclesPerLine - 1;
    // VICE counts lines of the picture, from the one on at which a monitor starts it.
    const line = (rasterLine - syncLine + lines) % lines;
    return isNext ? [(line + 1) % lines, 0] : [line, rasterCycle + 1];
  }

  protected cyclesTo(line: number): number {
    const { lines } = this.board.ted.timing;
    const [now, cycle] = this.beam();
    return ((line - now + lines) % lines) * cyclesPerLine - cycle;
  }

  async adopt(moment: Moment): Promise<void> {
    const { board } = this;
    const { line, cycle } = moment;
    const { lines, syncLine } = board.ted.timing;
    const words = new Int32Array(board.bytes.buffer, board.bytes.byteOffset + plus4Layout.offsets.ted);
    for (const field of [ted.line, ted.lineRead, ted.lineKnown]) words[field] = (line + syncLine) % lines;
    words[ted.row] = line;
    words[ted.horizontal] = (cycle + lineStart - 1) % cyclesPerLine;
    this.adoptRegisters(moment);
  }

  memory(): Uint8Array {
    return this.comparable(this.board.ram);
  }

  comparable(memory: Uint8Array): Uint8Array {
    const known = new Uint8Array(0x10000);
    known.set(memory.subarray(compared.start, compared.end), compared.start);
    // What was on the stack once is nobody's any more.
    known.fill(0, stackStart, stackStart + this.board.cpu.state[cpu.s] + 1);
    return known;
  }

  differingPixels(picture: MonitorPicture): number | string {
    if (picture.width !== width || picture.height < rows) return `VICE shows ${picture.width} x ${picture.height}`;
    let different = 0;
    for (let y = 0; y < rows; y += 1) {
      const start = (firstRow + y) * pixelsPerLine + firstPixel;
      for (let x = 0; x < width; x += 1) {
        const theirs = picture.pixels[y * width + x];
        if (theirs !== undefined && theirs !== this.board.frame[start + x]) different += 1;
      }
    }
    return different;
  }
}
