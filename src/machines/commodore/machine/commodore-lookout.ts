import type { RunLimits } from '../../../machine/control.ts';
import type { Cause } from '../../shared/cause.ts';
import type { Lookout, PastStop } from '../../shared/history-rewind.ts';
import type { CommodoreRun } from './commodore-run.ts';
import { checkFor } from './run-check.ts';

/** Finds the last place in a stretch of the past at which something would have stopped the machine; none if nothing can. */
export function lookoutFor(run: CommodoreRun, limits: RunLimits): Lookout | undefined {
  const check = checkFor(limits, run, false);
  const { board, breakpoints } = run;
  const { drives } = breakpoints;
  if (!check.isNeeded() && !drives.isOn) return undefined;
  const present = board.cycles;
  return (end) => {
    let last: PastStop | undefined;
    check.arm();
    breakpoints.forget();
    const note = (cause: Cause | undefined) => {
      // Where the machine was is no way back.
      if (cause && board.cycles < present) last = { time: board.cycles, cause };
      return false;
    };
    let isAsked = false;
    const observe = (look: number) => {
      const line = board.cycles + breakpoints.cyclesToLine;
      const gate = board.cycles + check.cyclesToGate();
      const ask = () => note(check.stops());
      const { isEach, asks, isMomentary, gates } = check;
      run.time.runObserved(Math.min(look, line, gate), { isEach, asks, isMomentary, gates, isAsked, ask });
      isAsked = board.hasAsked;
      if (board.cycles === gate && isAsked && run.time.isAtBorder) note(check.holds());
      if (board.cycles === line) {
        breakpoints.lineBegan();
        if (run.time.isAtBorder && breakpoints.isPending) note(check.pending());
      }
      return undefined;
    };
    return (until) => {
      while (board.cycles < end) {
        const look = Math.min(end, board.cycles + run.cyclesToLook);
        if (!drives.isOn) observe(look);
        else {
          run.besideDrives(look, observe, () => {
            const cause = run.metByDrive(false);
            if (cause && board.cycles < present) last = { time: board.cycles, cause, isWithin: true };
            return undefined;
          });
        }
        if (performance.now() >= until) return undefined;
      }
      // What an instruction has done that goes on in the stretch after this one.
      note(check.pending());
      return last ?? null;
    };
  };
}
