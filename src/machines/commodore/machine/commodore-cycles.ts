import type { CyclesCapability, InterruptLog, RasterBeam } from '../../../machine/cycles.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

export class CommodoreCycles implements CyclesCapability {
  readonly #engine: CommodoreEngine;
  #marked: number | undefined;

  constructor(engine: CommodoreEngine) {
    this.#engine = engine;
  }

  get now(): number {
    return this.#engine.board.cycles;
  }

  mark(): void {
    this.#marked = this.now;
  }

  get sinceMark(): number | undefined {
    return this.#marked === undefined || this.#marked > this.now ? undefined : this.now - this.#marked;
  }

  get interrupts(): InterruptLog {
    return this.#engine.interrupts;
  }

  get beam(): RasterBeam {
    const { frameCount, rasterLine, rasterCycle, frameSpan, cyclesPerLine } = this.#engine.board;
    const linesPerFrame = frameSpan / cyclesPerLine;
    return { frame: frameCount, line: rasterLine, cycle: rasterCycle, linesPerFrame, cyclesPerLine };
  }
}
