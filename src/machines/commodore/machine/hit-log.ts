import type { StopAccess, StopEvent } from '../../../machine/state.ts';

type Report = (text: string, data: Record<string, unknown>) => void;

/** In one frame; more are only counted, so that a breakpoint in a tight loop neither floods the events nor takes the time. */
const mostPerFrame = 20;

/** Tells of breakpoints that only log. */
export class HitLog {
  readonly #report: Report;
  #frame = -1;
  readonly #told = new Map<number, number>();
  readonly #untold = new Map<number, number>();

  constructor(report: Report) {
    this.#report = report;
  }

  hit(id: number, frame: number, event: () => StopEvent): void {
    if (frame !== this.#frame) this.flush();
    this.#frame = frame;
    const told = this.#told.get(id) ?? 0;
    if (told >= mostPerFrame) {
      this.#untold.set(id, (this.#untold.get(id) ?? 0) + 1);
      return;
    }
    this.#told.set(id, told + 1);
    const { time, cpu, pc, instruction, access } = event();
    const where = (pc ?? 0n).toString(16).toUpperCase().padStart(4, '0');
    const place = { cycle: time, ...(cpu !== undefined && { cpu }), pc: Number(pc), instruction };
    const data = { id, ...place, ...(access && { access: inNumbers(access) }) };
    const whose = cpu === undefined ? '' : `${cpu} `;
    this.#report(`breakpoint ${id} hit at ${whose}$${where} ${instruction}`, data);
  }

  /** What was only counted is told as a number. */
  flush(): void {
    for (const [id, hits] of this.#untold) {
      this.#report(`breakpoint ${id} hit ${hits} more times in frame ${this.#frame}`, { id, hits, frame: this.#frame });
    }
    this.#told.clear();
    this.#untold.clear();
  }
}

/** Events are JSON. */
function inNumbers({ kind, address, space, value, old }: StopAccess): Record<string, unknown> {
  const rest = { kind, address: Number(address), space, value: Number(value) };
  return old === undefined ? rest : { ...rest, old: Number(old) };
}
