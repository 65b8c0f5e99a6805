import { hex } from '../../../../formats/hex.ts';
import type { StopEvent, StoppingBreakpoint } from '../../../../machine/state.ts';

type Report = (text: string, data: Record<string, unknown>) => void;

/** In one frame; more are only counted, so that a breakpoint in a tight loop neither floods the events nor takes the time. */
const mostPerFrame = 20;

/** Tells of breakpoints that only log. */
export class HitLog {
  readonly #report: Report;
  #frame = -1;
  readonly #told = new Map<number, number>();
  readonly #untold = new Map<number, number>();
  readonly #types = new Map<number, string>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** Counts a hit in a frame that has no room to tell of it; false where there is room. */
  countOnly(id: number, frame: number): boolean {
    if (frame !== this.#frame) this.flush();
    this.#frame = frame;
    if ((this.#told.get(id) ?? 0) < mostPerFrame) return false;
    this.#untold.set(id, (this.#untold.get(id) ?? 0) + 1);
    return true;
  }

  /** `what` is asked only where there is room to tell it. */
  hit(
    id: number,
    frame: number,
    what: () => { readonly breakpoint: StoppingBreakpoint; readonly event: StopEvent },
  ): void {
    if (this.countOnly(id, frame)) return;
    this.#told.set(id, (this.#told.get(id) ?? 0) + 1);
    const { breakpoint, event } = what();
    this.#types.set(id, breakpoint.type);
    const { cpu, pc = 0n, instruction = '' } = event;
    const whose = cpu === undefined ? '' : `${cpu} `;
    const where = hex(pc, 4);
    const logged = breakpoint.logged === undefined ? '' : `: log = ${breakpoint.logged}`;
    this.#report(`breakpoint ${id} hit at ${whose}$${where} ${instruction}${logged}`, { ...breakpoint, event });
  }

  /** What was only counted is told as a number. */
  flush(): void {
    for (const [id, hits] of this.#untold) {
      const type = this.#types.get(id);
      this.#report(`breakpoint ${id} hit ${hits} more times in frame ${this.#frame}`, {
        ...{ id, type, hits },
        frame: this.#frame,
      });
    }
    this.#told.clear();
    this.#untold.clear();
    this.#types.clear();
  }
}
