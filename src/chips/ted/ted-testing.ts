import { fields, stateWords, type TedState } from './fields.ts';
import { frameBytes, pixelsPerLine, type TedModel } from './models.ts';
import { Ted } from './ted.ts';

/** A TED with 64 KiB of RAM and nobody else on the bus. */
export class TedBench {
  readonly state = new Int32Array(stateWords) as TedState;
  readonly memory = new Uint8Array(0x10000);
  readonly frame = new Uint8Array(frameBytes);
  readonly ted: Ted;

  constructor(model: TedModel = 'pal') {
    const all = new Int32Array(256);
    const { memory, frame } = this;
    this.ted = new Ted(this.state, { memory, ram: all, rom: all, frame, cpuByte: () => 0xc0 }, model);
    this.ted.powerOn();
  }

  /** To the beginning of a half cycle of a line, as the raster counts: 0 is where the line counter moves. */
  to(line: number, cycle: number): this {
    for (let most = 2 * 114 * 312; most > 0; most -= 1) {
      this.ted.tick();
      if (this.state[fields.line] === line && this.cycle === cycle) return this;
    }
    throw new Error(`line ${line} cycle ${cycle} does not come`);
  }

  get cycle(): number {
    const horizontal = this.state[fields.horizontal];
    return horizontal >= 98 ? horizontal - 98 : horizontal + 16;
  }

  /** The half cycles of this line that are the processor's. */
  clockedInLine(line: number): readonly number[] {
    this.to(line, 0);
    const cycles: number[] = [];
    for (let left = 114; left > 0; left -= 1) {
      if (this.state[fields.clocked] !== 0 && this.state[fields.rdy] !== 0) cycles.push(this.cycle);
      this.ted.tick();
    }
    return cycles;
  }

  /** Pixels of the row that is drawn: 64 is the first of 40 columns. */
  pixels(from: number, count: number): readonly number[] {
    const start = this.state[fields.row] * pixelsPerLine + from;
    return Array.from(this.frame.subarray(start, start + count));
  }
}
