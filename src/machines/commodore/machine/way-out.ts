import { fields, isInterruptNext, resetRow } from '../../../chips/mos6510/registers.ts';
import type { Cause } from '../../shared/cause.ts';
import type { Lookout, PastStop } from '../../shared/history-rewind.ts';
import { atCall, atInterrupt, noCall, type Routines } from '../../shared/steps-back.ts';
import type { CommodoreRun } from './commodore-run.ts';

const calls = [0x20, 0x00];
const returns = [0x40, 0x60];

/** A call that has not returned in the stretch that is looked at. `level`: of the stack pointer before it. */
interface OpenCall {
  readonly level: number;
  readonly time: number;
  readonly cause: Cause;
}

/** Where routines were entered, by the stack alone: a call is over as soon as the stack pointer is where it was before. */
export class WayOut implements Routines<number> {
  readonly #run: CommodoreRun;

  constructor(run: CommodoreRun) {
    this.#run = run;
  }

  level(): number {
    return this.#run.board.cpu.state[fields.s];
  }

  leftHere(before: number): Lookout | undefined {
    const { board, pc } = this.#run;
    if (!returns.includes(board.peek('cpu', pc)) || isInterruptNext(board.cpu.state)) return undefined;
    return this.#entry(signed(before - this.level()));
  }

  underWay(): Lookout {
    return this.#entry(undefined);
  }

  /** `level`: the only one that counts, as the stack pointer is above where it is now; a pushed address to jump to has none. */
  #entry(level: number | undefined): Lookout {
    const { board, time } = this.#run;
    const { state } = board.cpu;
    const here = state[fields.s];
    // Of all that was looked at, which is later.
    let highest = 0;
    return (end) => {
      const open: OpenCall[] = [];
      let highestHere = highest;
      let wasReset = false;
      const note = () => {
        if (state[fields.step] >> 3 === resetRow) {
          // Nobody called what a reset began, whatever was under way before.
          wasReset = true;
          open.length = 0;
          return false;
        }
        const now = signed(state[fields.s] - here);
        while ((open.at(-1)?.level ?? now + 1) <= now) open.pop();
        highestHere = Math.max(highestHere, now);
        const isInterrupted = isInterruptNext(state);
        if (isInterrupted || calls.includes(board.peek('cpu', this.#run.pc))) {
          open.push({ level: now, time: board.cycles, cause: isInterrupted ? atInterrupt : atCall });
        }
        return false;
      };
      let isAsked = false;
      return (until) => {
        while (board.cycles < end) {
          const look = Math.min(end, board.cycles + this.#run.cyclesToLook);
          time.runObserved(look, { isEach: true, isAsked, ask: note });
          isAsked = board.hasAsked;
          if (performance.now() >= until) return undefined;
        }
        const innermost = open.findLast((each) => each.level > highest);
        highest = highestHere;
        if (innermost) return level === undefined || innermost.level === level ? innermost : none;
        return wasReset || (level !== undefined && highest >= level) ? none : null;
      };
    };
  }
}

const none: PastStop = { time: 0, cause: noCall };

/** The stack pointer wraps, so its way is measured as a signed byte. */
function signed(way: number): number {
  return (way << 24) >> 24;
}
