import type { SnapshotImage } from '../../../machine/snapshots.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { DosSystem, type DosTraits } from '../board/dos-system.ts';
import { unpackDos } from '../machine/image/dos-image.ts';
import { refuseUnfit } from '../machine/image/refuse-unfit.ts';

/** A state that somebody else wrote, and the machine that shall take it. */
export interface DosTrial {
  readonly options: DosTraits;
  readonly image: SnapshotImage;
}

const instructions = 2_000_000;
const instructionsAtOnce = 20_000;
const effortAtOnce = 100_000;
/** In rounds of string instructions, which a few instructions can have without end. */
const mostEffort = 20_000_000;
const goesOn: ReadonlySet<string> = new Set(['count', 'stop', 'effort']);

/** What is done to a state that may be meant to take for ever, or to fail: in a thread that can be ended. */
export const dosTrialJobs = {
  /** What is wrong with it; undefined if it is one that a machine can go on from. */
  async run({ options, image }: DosTrial): Promise<string | undefined> {
    const system = new DosSystem(
      { ...options, sink: { active: false, add() {} }, drives: new Map(), disks: new Map(), commands: [] },
      { serial() {}, print() {}, called: () => undefined },
    );
    const content = await unpackDos(image, () => undefined, new TimeSlice());
    refuseUnfit(system, content);
    system.equip(content.session, content.drives, content.disks);
    system.board.restore(content.state);
    system.restore(content.services);
    const { board } = system;
    const end = board.instructions + instructions;
    for (let effort = 0; board.instructions < end && effort < mostEffort; effort += board.cpu.effort) {
      const { reason } = board.run(Math.min(end, board.instructions + instructionsAtOnce), true, effortAtOnce);
      if (!goesOn.has(reason)) break;
    }
    return undefined;
  },
} as const;
