import type { RealDrive } from './real-drive.ts';

/** What is asked after each cycle of a drive that is between two instructions; true where it shall stop. */
export type DriveWatcher = (drive: RealDrive) => boolean;

/**
 * Runs drives with processors of their own side by side, as they may talk to each other. The beat is that of the fastest; a slower one has a
 * tick in the last of the beats that it takes.
 */
export class DriveTimes {
  /** Beats that each drive has to make although they are over for the computer. */
  #held = 0;

  get held(): number {
    return this.#held;
  }

  letGo(): void {
    this.#held = 0;
  }

  together(drives: readonly RealDrive[], due: readonly number[]): void {
    const left = [...due];
    for (let beats = beatsOf(drives, due) - 1; beats >= 0; beats--) {
      drives.forEach((drive, index) => {
        const rest = ticksIn(drives, drive, beats, due[index] ?? 0);
        for (; (left[index] ?? 0) > rest; left[index] = (left[index] ?? 0) - 1) drive.tick();
      });
    }
  }

  /** The same, watched. Where one shall stop, they are held there if that is allowed and what is due is of one cycle of the computer. */
  watched(
    drives: readonly RealDrive[],
    due: readonly number[],
    watch: DriveWatcher,
    holding: { readonly computerHz: number } | undefined,
  ): void {
    const left = [...due];
    const all = beatsOf(drives, due);
    const mayHold = holding && all <= mostBeats(drives);
    for (let beats = all - 1; beats >= 0; beats--) {
      let isStop = false;
      drives.forEach((drive, index) => {
        const rest = ticksIn(drives, drive, beats, due[index] ?? 0);
        for (; (left[index] ?? 0) > rest; left[index] = (left[index] ?? 0) - 1) {
          if (drive.tick() && drive.isBetweenInstructions && watch(drive)) isStop = true;
        }
      });
      if (!isStop || !mayHold || beats === 0) continue;
      drives.forEach((drive, index) => {
        drive.holdBack(left[index] ?? 0, holding.computerHz);
      });
      this.#held = beats;
      return;
    }
  }

  /** Brings them to where they were when they were held by so many beats. */
  hold(drives: readonly RealDrive[], due: readonly number[], beats: number, computerHz: number): void {
    this.#held = beats;
    const rest = drives.map((drive, index) => ticksIn(drives, drive, beats, due[index] ?? 0));
    drives.forEach((drive, index) => {
      drive.holdBack(rest[index] ?? 0, computerHz);
    });
    this.together(
      drives,
      due.map((ticks, index) => ticks - (rest[index] ?? 0)),
    );
  }
}

function fastest(drives: readonly RealDrive[]): number {
  let ticks = 1;
  for (const drive of drives) if (drive.ticksPerMicrosecond > ticks) ticks = drive.ticksPerMicrosecond;
  return ticks;
}

/** More of them are due only after several cycles of the computer. */
function mostBeats(drives: readonly RealDrive[]): number {
  return fastest(drives) + 1;
}

function beatsOf(drives: readonly RealDrive[], due: readonly number[]): number {
  const most = fastest(drives);
  return Math.max(0, ...drives.map((drive, index) => ((due[index] ?? 0) * most) / drive.ticksPerMicrosecond));
}

/** How many of the ticks that are due fall into the last beats. */
function ticksIn(drives: readonly RealDrive[], drive: RealDrive, beats: number, due: number): number {
  const most = fastest(drives);
  return Math.min(due, most === 1 ? beats : Math.floor((beats * drive.ticksPerMicrosecond) / most));
}
