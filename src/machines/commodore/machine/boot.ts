import type { CommodoreMachine } from './commodore-machine.ts';

/** Frames in which every set of ROMs has come to its prompt. */
const bootFrames = 150;

/** On a computer that has much else to do; a call may take a little longer. */
const longestBootMs = 40_000;

/** To the prompt, if there is time. */
export async function boot(machine: CommodoreMachine, signal: AbortSignal, wallMs = longestBootMs): Promise<void> {
  const { control } = machine;
  await control.run({ frames: bootFrames, wallMs }, signal);
  const passed = control.board.frameCount;
  if (passed >= bootFrames) return;
  const left = bootFrames - passed;
  machine.introduce(
    `It is still booting: ${passed} of ${bootFrames} frames in ${wallMs / 1000} s. It needs ${left} more.`,
  );
}
