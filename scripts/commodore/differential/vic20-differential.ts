import { join } from 'node:path';
import { pixelsPerCycle } from '../../../src/chips/mos6560/models.ts';
import { fields as via } from '../../../src/chips/via6522/fields.ts';
import { readPrg } from '../../../src/formats/commodore/media/prg.ts';
import { type Expansion, expansions, spanOf } from '../../../src/machines/commodore/vic20/memory-expansion.ts';
import { Vic20Board } from '../../../src/machines/commodore/vic20/vic20-board.ts';
import { vic20Model } from '../../../src/machines/commodore/vic20/vic20-model.ts';
import { vic20Layout } from '../../../src/machines/commodore/vic20/vic20-state.ts';
import { vic20Roms } from '../vic20-test-runner.ts';
import { basicPointers, relinkBasic } from './basic-program.ts';
import type { BinaryMonitor, MonitorPicture } from './binary-monitor.ts';
import { BoardCounterpart } from './board-counterpart.ts';
import type { DifferentialMachine, Moment, ProgramUnderTest, Start } from './machine.ts';

/** Two pixels of VICE's for one of ours, and the first line that it shows. */
const pixelWidth = 2;
const firstLine = 28;
/** On the bare machine. */
const screenAddress = 0x1e00;
/** In cycles, with an interrupt in front. */
const longestInstruction = 16;
/** Files that hold no program: what was measured on real machines, and pictures. */
const dataOnly = /\/dumps\/|\/bitmap\w+\.prg$|\/mix\.00\.prg$/;

export const vic20Differential: DifferentialMachine = {
  executable: 'xvic',
  isExact: true,
  folders: ['VIC20', 'DRIVES', 'common'],
  otherLine: 100,
  readyFrames: 150,
  keyboardBuffer: vic20Model.keyboardBuffer,

  options({ test, file }) {
    const memory = expansionFor(file);
    const ram = ['-raminitstartvalue', '255', '-raminitpatterninvert', '0', '-raminitrandomchance', '0'];
    const video = test.video === 'ntsc' ? ['-ntsc', '-kernal', vic20Model.roms.images.kernal.names[1]] : ['-pal'];
    return [...video, '-memory', memory, '-drive8type', '0', ...ram];
  },

  counterpart: (program, data) => new Vic20Counterpart(program, join(data, 'VIC20')),

  start({ test, file }): Start {
    const { address, bytes: body } = readPrg(file);
    if (dataOnly.test(test.prg ?? '')) return { blocks: [{ address, bytes: body }], typed: '' };
    if (!isBasic(address)) return { blocks: [{ address, bytes: body }], typed: `SYS${address}\r` };
    const { none, large } = vic20Model.basicStart;
    const start = expansionFor(file) === 'none' ? none : large;
    const bytes = relinkBasic(body, start);
    return { blocks: [{ address: start, bytes }, basicPointers(start, start + bytes.length)], typed: 'RUN\r' };
  },
};

/** The smallest machine in which a program has room where it was saved: BASIC begins at $1001, with 8 KiB more at $1201. */
function expansionFor(file: Uint8Array): Expansion {
  const { address, bytes } = readPrg(file);
  const end = address + bytes.length;
  if (address !== vic20Model.basicStart.large && end <= screenAddress) return 'none';
  return end <= spanOf.BLK1.end ? '8k' : '16k';
}

function isBasic(address: number): boolean {
  return (address & 255) === 1;
}

class Vic20Counterpart extends BoardCounterpart<Vic20Board> {
  readonly #spans: readonly { readonly start: number; readonly end: number }[];

  constructor({ test, file }: ProgramUnderTest, folder: string) {
    const isNtsc = test.video === 'ntsc';
    const expansion = expansionFor(file);
    const board = new Vic20Board({ roms: vic20Roms(folder, isNtsc), vic: isNtsc ? '6560' : '6561', expansion });
    super(board, { startCycles: 1000, longestInstruction });
    this.#spans = [
      { start: 0, end: 0x400 },
      { start: 0x1000, end: 0x2000 },
      ...expansions[expansion].map((block) => spanOf[block]),
    ];
  }

  #words(part: keyof typeof vic20Layout.offsets): Int32Array {
    const { bytes } = this.board;
    return new Int32Array(bytes.buffer, bytes.byteOffset + vic20Layout.offsets[part]);
  }

  /** The monitor does not know of interlaced pictures. */
  protected beam(): readonly [number, number] {
    const { cyclesPerLine, lines } = this.board.vic.timing;
    const clock = this.board.cycles - 1;
    return [Math.floor(clock / cyclesPerLine) % lines, clock % cyclesPerLine];
  }

  protected cyclesTo(line: number): number {
    const { cyclesPerLine, lines } = this.board.vic.timing;
    const frame = cyclesPerLine * lines;
    return (line * cyclesPerLine - ((this.board.cycles - 1) % frame) + frame) % frame;
  }

  async adopt(moment: Moment, monitor: BinaryMonitor): Promise<void> {
    this.adoptRegisters(moment);
    this.board.catchUp();
    for (const [part, base] of [['via1', 0x9110] as const, ['via2', 0x9120] as const]) {
      const registers = Buffer.from(await monitor.memory(base, base + 15));
      const words = this.#words(part);
      // VICE shows the counters of the cycle that is about to begin.
      words[via.t1Counter] = registers.readUInt16LE(4) + 1;
      words[via.t2Counter] = (registers.readUInt16LE(8) + 1) & 0xffff;
      words[via.t1Latch] = registers.readUInt16LE(6);
    }
    // Without paddles VICE 3.7 reads what was written last.
    const [x = 0, y = 0] = await monitor.memory(0x9008, 0x9009);
    this.board.setPaddles(1, x, y);
  }

  memory(): Uint8Array {
    return this.comparable(Uint8Array.from({ length: 0x10000 }, (_, address) => this.board.peek('cpu', address)));
  }

  comparable(memory: Uint8Array): Uint8Array {
    const known = new Uint8Array(0x10000);
    for (const { start, end } of this.#spans) known.set(memory.subarray(start, end), start);
    for (let address = 0x9400; address < 0x9800; address += 1) known[address] = (memory[address] ?? 0) & 15;
    return known;
  }

  differingPixels({ width, height, pixels }: MonitorPicture): number | string {
    const { cyclesPerLine, lines } = this.board.vic.timing;
    const ourWidth = cyclesPerLine * pixelsPerCycle;
    if (width !== ourWidth * pixelWidth || firstLine + height > lines + 1) return `VICE shows ${width} x ${height}`;
    let different = 0;
    for (let y = 0; y < height; y += 1) {
      // After its last line VICE shows the first one again.
      const start = ((firstLine + y) % lines) * ourWidth;
      for (let x = 0; x < ourWidth; x += 1) {
        const theirs = pixels[y * width + x * pixelWidth];
        if (theirs !== undefined && theirs !== this.board.frame[start + x]) different += 1;
      }
    }
    return different;
  }
}
