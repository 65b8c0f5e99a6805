import type { ViceModel } from './vice-models.ts';
import type { Moment } from './vice-session.ts';

type Beam = Pick<Moment, 'cycles' | 'line' | 'cycle'>;

/** VICE meets a line at each instruction in it; what is meant is once for each time that the beam comes to it. */
export class RasterPass {
  readonly #model: Pick<ViceModel, 'hasFixedFrames' | 'frameCycles' | 'longestInstruction'>;
  #last: Beam | undefined;

  constructor(model: Pick<ViceModel, 'hasFixedFrames' | 'frameCycles' | 'longestInstruction'>) {
    this.#model = model;
  }

  /** `each`: coming to another of its lines counts as well. To be told of everything that VICE meets. */
  isNew(now: Beam, each: boolean): boolean {
    const last = this.#last;
    this.#last = now;
    return last === undefined || (each && now.line !== last.line) || this.#hasLeft(last, now);
  }

  #hasLeft(last: Beam, now: Beam): boolean {
    const { hasFixedFrames, frameCycles, longestInstruction } = this.#model;
    const isBefore = now.line < last.line || (now.line === last.line && now.cycle < last.cycle);
    if (now.cycles === undefined || last.cycles === undefined) return isBefore;
    if (hasFixedFrames) return Math.floor(now.cycles / frameCycles) !== Math.floor(last.cycles / frameCycles);
    const passed = now.cycles - last.cycles;
    return isBefore || passed < 0 || passed > longestInstruction;
  }
}
