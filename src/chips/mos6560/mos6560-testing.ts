import { fields, type Mos6560State, stateWords } from './fields.ts';
import { frameBytes, type Mos6560Model, pixelsPerCycle } from './models.ts';
import { Mos6560 } from './mos6560.ts';

/** A chip with 16 KiB of its own: registers as the KERNAL sets them, character N in column N of the matrix. */
export class VicBench {
  readonly state = new Int32Array(stateWords) as Mos6560State;
  readonly memory = new Uint8Array(0x4000);
  readonly pages = Int32Array.from({ length: 64 }, (_, page) => page * 256);
  readonly color = new Uint8Array(0x400).fill(2);
  readonly frame: Uint8Array;
  readonly chip: Mos6560;

  constructor(model: Mos6560Model = '6561', eager = false) {
    this.frame = new Uint8Array(frameBytes(model));
    const { memory, pages, color, frame } = this;
    this.chip = new Mos6560(this.state, { memory, pages, color, frame }, model, eager);
    this.chip.powerOn();
    for (const [register, value] of [12, 38, 22, 0x2e, 0, 0xf0].entries()) this.chip.write(register, value);
    this.chip.write(15, 0x1b);
    for (let at = 0; at < 0x200; at += 1) this.memory[0x3c00 + at] = at & 255;
  }

  run(cycles: number): void {
    for (let left = cycles; left > 0; left -= 1) this.chip.tick();
  }

  /** Runs to the given cycle of the picture. */
  runTo(line: number, cycle = 0): void {
    do this.chip.tick();
    while (this.state[fields.line] !== line || this.state[fields.cycle] !== cycle);
  }

  /** Pixels of a line that is drawn. */
  pixels(line: number, from: number, length: number): number[] {
    const width = this.chip.timing.cyclesPerLine * pixelsPerCycle;
    return Array.from(this.frame.subarray(line * width + from, line * width + from + length));
  }
}
