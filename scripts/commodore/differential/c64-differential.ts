import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPrg } from '../../../src/formats/commodore/media/prg.ts';
import type { C64Board } from '../../../src/machines/commodore/c64/c64-board.ts';
import { c64Model } from '../../../src/machines/commodore/c64/c64-model.ts';
import { C64Twin } from '../../../src/machines/commodore/vice/twin/c64-twin.ts';
import { basicPointers } from './basic-program.ts';
import type { BinaryMonitor, MonitorPicture } from './binary-monitor.ts';
import { BoardCounterpart } from './board-counterpart.ts';
import type { DifferentialMachine, Moment, ProgramUnderTest, Start } from './machine.ts';

/** In cycles, with an interrupt in front, sprites and a bad line in between. */
const longestInstruction = 120;
const ramBank = 1;
/** What of VICE's picture is compared: as much as our own machine shows. */
const left = 32;
const top = { pal: 36, ntsc: 23 } as const;

export const c64Differential: DifferentialMachine = {
  executable: 'x64sc',
  isExact: true,
  folders: ['C64', 'DRIVES', 'common'],
  otherLine: 8,
  readyFrames: 150,
  keyboardBuffer: { start: c64Model.cells.keyBuffer, count: c64Model.cells.keysWaiting },
  memoryBank: ramBank,

  // A sound device that is never full: without one VICE makes up what the SID answers.
  options: ({ test }) => [
    ...['-VICIImodel', test.video === 'ntsc' ? '6567' : '6569', '-sidenginemodel', 'resid', '-ciamodel', '1'],
    ...['-drive8type', '0', '-raminitrandomchance', '0'],
    ...['-sound', '-sounddev', 'fs', '-soundarg', '/dev/null'],
  ],

  counterpart: (program, data) => new C64Counterpart(program, join(data, 'C64')),

  start({ file }): Start {
    const { address, bytes } = readPrg(file);
    const isBasic = address === c64Model.basicStarts[0];
    const blocks = [{ address, bytes }, ...(isBasic ? [basicPointers(address, address + bytes.length)] : [])];
    return { blocks, typed: isBasic ? 'RUN\r' : `SYS${address}\r` };
  },
};

class C64Counterpart extends BoardCounterpart<C64Board> {
  readonly #twin: C64Twin;
  readonly #isNtsc: boolean;

  constructor({ test }: ProgramUnderTest, folder: string) {
    const rom = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
    const roms = {
      basic: rom('basic-901226-01.bin'),
      kernal: rom('kernal-901227-03.bin'),
      chargen: rom('chargen-901225-01.bin'),
    };
    const isNtsc = test.video === 'ntsc';
    const twin = new C64Twin(roms, { vic: isNtsc ? '6567' : '6569', cia1: '6526A', cia2: '6526A', sid: '6581' });
    super(twin.board, { startCycles: 1000, longestInstruction });
    this.#twin = twin;
    this.#isNtsc = isNtsc;
  }

  /** VICE counts cycles from 0, and has begun a line when ours is in its last cycle. */
  protected beam(): readonly [number, number] {
    const { rasterLine, rasterCycle, rasterLines, cyclesPerLine } = this.board;
    if (rasterCycle === cyclesPerLine) return [(rasterLine + 1) % rasterLines, 0];
    const isLate = rasterCycle === 1 && this.board.cyclesToLine(0) === 1;
    return [isLate ? 0 : rasterLine, rasterCycle];
  }

  protected cyclesTo(line: number): number {
    return this.board.cyclesToLine(line);
  }

  /** `adopt` does it: where the beam is decides how. */
  override runToPc(): void {}

  async adopt(moment: Moment, monitor: BinaryMonitor): Promise<void> {
    if (!(await this.#twin.align({ ...moment, time: 0 })))
      throw new Error('our machine does not start where VICE does');
    this.#twin.adopt(await monitor.memory(0, 0xffff, ramBank), await monitor.memory(0xd800, 0xdbff));
  }

  memory(): Uint8Array {
    return this.comparable(this.board.ram);
  }

  /** RAM below the port is whatever was on the bus. */
  comparable(memory: Uint8Array): Uint8Array {
    const known = Uint8Array.from(memory);
    known.fill(0, 0, 2);
    return known;
  }

  differingPixels({ width, pixels, textX, textY }: MonitorPicture): number | string {
    const { visible } = this.board.vic.timing;
    const shown = new Uint8Array(visible.width * visible.height);
    const first = textY - top[this.#isNtsc ? 'ntsc' : 'pal'];
    for (let row = 0; row < visible.height; row += 1) {
      const start = (first + row) * width + textX - left;
      shown.set(pixels.subarray(start, start + visible.width), row * visible.width);
    }
    return this.#twin.differingPixels(shown, visible)?.count ?? `VICE shows ${width} pixels in a line`;
  }
}
