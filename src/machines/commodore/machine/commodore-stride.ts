import { hex, hexWord } from '../../../formats/hex.ts';
import type { StepRequest } from '../../../machine/control.ts';
import type { Stride } from '../../shared/built-in-engine.ts';
import type { Cause } from '../../shared/cause.ts';
import type { RealDrive } from '../drive/real-drive.ts';
import type { CommodoreRun } from './commodore-run.ts';
import { driveNamed, mainProcessor } from './drive-watch.ts';
import { checkFor } from './run-check.ts';
import { type StepGoal, stepGoal } from './step-goal.ts';

const instructionsBetweenLooks = 64;
/** No instruction of a drive's takes longer, an interrupt included, in the halves of cycles that some boards count. */
const longestDriveStep = 64;
/** Of the machine's time, which is the same on every computer. */
const longestStepFrames = 300;

interface WantedStride {
  readonly kind: StepRequest['kind'];
  readonly cpu: string | undefined;
  /** Another one has ended here: breakpoints at this instruction have not been seen. */
  readonly isLater: boolean;
}

/** A step into, over or out, of the computer's processor or of a drive's. `keep`: a frame is over. */
export function strideOf(run: CommodoreRun, { kind, cpu, isLater }: WantedStride, keep: () => void): Stride {
  if (cpu !== undefined && cpu !== mainProcessor) return driveStride(run, kind, driveNamed(run.board, cpu), keep);
  const peek = (address: number) => run.board.peek('cpu', address);
  const goal = stepGoal(kind, { state: run.board.cpu.state, pc: () => run.pc, peek });
  return through(run, goal, keep, (isFirst) => {
    const cause = isFirst && !isLater ? run.jam() : run.met(run.pc, true);
    goal.pass();
    return cause ?? run.step();
  });
}

/** The computer runs meanwhile, and what stops it stops the step. */
function driveStride(run: CommodoreRun, kind: StepRequest['kind'], drive: RealDrive, keep: () => void): Stride {
  const peek = (address: number) => drive.peek(address);
  run.board.catchUp();
  run.stoppedBy = drive;
  const goal = stepGoal(kind, { state: drive.parts.cpu, pc: () => drive.pc, peek });
  return through(run, goal, keep, () => {
    goal.pass();
    const cause = stepDrive(run, drive);
    run.stoppedBy = drive;
    return cause;
  });
}

/** Instruction by instruction to where a step ends. */
function through(
  run: CommodoreRun,
  { isOne, isThere }: StepGoal,
  keep: () => void,
  step: (isFirst: boolean) => Cause | undefined,
): Stride {
  const { board } = run;
  const end = board.frameCount + longestStepFrames;
  let isFirst = true;
  let frame = board.frameCount;
  return (until) => {
    if (isFirst) {
      const cause = step(true);
      isFirst = false;
      if (isOne || cause) return cause ?? run.metAtBorder() ?? 'done';
    }
    for (let count = 1; !isThere(); count++) {
      const cause = step(false);
      if (cause) return cause;
      if (board.frameCount !== frame) {
        frame = board.frameCount;
        keep();
      }
      if (count % instructionsBetweenLooks !== 0 || performance.now() < until) continue;
      if (board.frameCount <= end) return undefined;
      return { cause: 'limit', reason: `the subroutine did not return within ${longestStepFrames} frames` };
    }
    return run.metAtBorder() ?? 'done';
  };
}

function stepDrive(run: CommodoreRun, drive: RealDrive): Cause | undefined {
  const { drives } = run.breakpoints;
  const check = checkFor({ wallMs: 0 }, run, true);
  if (check.isNeeded()) check.arm();
  drives.step(drive);
  try {
    const cause = run.withDrives(run.board.cycles + longestDriveStep, check, () => drives.hasStepped);
    if (cause || drives.hasStepped) return cause;
    const opcode = hex(drive.peek(drive.pc), 2);
    const where = `opcode $${opcode} at ${hexWord(drive.pc)}`;
    return { cause: 'limit', reason: `the processor of drive ${drive.unit} is jammed by ${where}; a reset frees it` };
  } finally {
    drives.step(undefined);
  }
}
