import type { Checkpoint, CyclesCapability, InterruptLog, RasterBeam } from '../../../machine/cycles.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

const mostCheckpoints = 64;

export class CommodoreCycles implements CyclesCapability {
  readonly #engine: CommodoreEngine;
  readonly #checkpoints = new Map<string, number>();
  #marked: number | undefined;

  constructor(engine: CommodoreEngine) {
    this.#engine = engine;
  }

  get spans(): { readonly line: number; readonly frame: number } {
    const { cyclesPerLine, frameSpan } = this.#engine.board;
    return { line: cyclesPerLine, frame: frameSpan };
  }

  get now(): number {
    return this.#engine.board.cycles;
  }

  mark(name?: string): void {
    if (name === undefined) {
      this.#marked = this.now;
      return;
    }
    if (!this.#checkpoints.delete(name) && this.#checkpoints.size >= mostCheckpoints) {
      const message = `There are ${mostCheckpoints} checkpoints already.`;
      throw new MachineError('LIMIT_REACHED', message, 'Use one of their names again.');
    }
    this.#checkpoints.set(name, this.now);
  }

  get sinceMark(): number | undefined {
    return this.#marked === undefined || this.#marked > this.now ? undefined : this.now - this.#marked;
  }

  get checkpoints(): readonly Checkpoint[] {
    return [...this.#checkpoints].map(([name, cycle]) => ({ name, cycle })).filter(({ cycle }) => cycle <= this.now);
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
