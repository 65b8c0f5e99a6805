import { isInterruptNext } from '../../../chips/mos6510/registers.ts';
import { hex } from '../../../formats/hex.ts';
import type { RunLimits } from '../../../machine/control.ts';
import { MachineError } from '../../../machine/errors.ts';
import { type Cause, conditionCause, reachedAddress } from '../../shared/cause.ts';
import type { Gates } from '../board/gates.ts';
import { compileOnBoard } from './breakpoints/compile-on-board.ts';
import { cyclesToChange } from './breakpoints/condition-scope.ts';
import { either } from './breakpoints/gates.ts';
import type { CommodoreRun } from './commodore-run.ts';

/** What may end a run. */
export interface Check {
  /** Whether anything may. */
  isNeeded(): boolean;
  /** Every instruction has to be looked at, not only those that are marked; for as long as the beam is in this line. */
  readonly isEach: boolean;
  /** Which of these have to be asked about, if a run can tell on its own. */
  readonly asks: (() => boolean) | undefined;
  /** As in `Questions`. */
  readonly isMomentary: boolean;
  readonly gates: () => Gates | undefined;
  /** Until a line begins where its condition can hold, or no longer can, in cycles. */
  cyclesToGate(): number;
  /** The condition alone, where the beam has come to such a line. */
  holds(): Cause | undefined;
  /** Asked before an instruction. */
  stops(): Cause | undefined;
  /** The same where the instruction that comes next has been asked about. */
  pending(): Cause | undefined;
  /** Has the board end its runs where something has to be asked. */
  arm(): void;
}

function neverReached(last: number): MachineError {
  const range = `$0000 to $${hex(last)}`;
  return new MachineError('ADDRESS_OUT_OF_BOUNDS', 'The address to run to is outside memory.', `Use ${range}.`);
}

/** Looking back leaves no trace: nothing is counted. */
export function checkFor({ condition, address }: RunLimits, run: CommodoreRun, counting: boolean): Check {
  const { board, breakpoints, interrupts, looks } = run;
  const holds = condition === undefined ? undefined : compileOnBoard(condition, run.vocabulary, false);
  const goal = address === undefined ? undefined : Number(address);
  if (goal !== undefined && (goal < 0 || goal >= board.addressSpace)) throw neverReached(board.addressSpace - 1);
  const scope = condition === undefined ? undefined : breakpoints.scopeOf(condition);
  const canHold = () => scope !== undefined && scope.lines[board.rasterLine] !== 0;
  const isTrue = () => holds !== undefined && holds() !== 0;
  const held = () => (condition !== undefined && isTrue() ? conditionCause(condition) : undefined);
  const isAskable = scope !== undefined && (scope.isPlain || scope.gates !== undefined);
  return {
    get isEach() {
      return canHold() || breakpoints.asksEach || (counting && looks.size > 0);
    },
    get asks() {
      const isOwn = canHold();
      if ((counting && looks.size > 0) || (isOwn && !isAskable)) return undefined;
      const { asks } = breakpoints;
      if (!breakpoints.asksEach) return isTrue;
      return isOwn && asks ? () => isTrue() || asks() : asks;
    },
    get isMomentary() {
      return (canHold() && scope?.isPlain !== true) || (breakpoints.asksEach && breakpoints.isMomentary);
    },
    gates: () => {
      if (!breakpoints.asksEach) return scope?.gates;
      return canHold() ? either(scope?.gates, breakpoints.gates) : breakpoints.gates;
    },
    cyclesToGate: () => (scope ? cyclesToChange(board, scope) : Number.POSITIVE_INFINITY),
    holds: held,
    isNeeded: () =>
      goal !== undefined ||
      holds !== undefined ||
      breakpoints.active ||
      (counting && (interrupts.isOn || looks.size > 0)),
    arm: () => breakpoints.alsoEndAt(goal, counting && interrupts.isOn),
    stops: () => {
      const { pc } = run;
      if (pc === goal && !isInterruptNext(board.cpu.state)) return reachedAddress;
      return held() ?? run.met(pc, counting);
    },
    pending: () => run.metBefore(counting),
  };
}
