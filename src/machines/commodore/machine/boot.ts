import type { Host } from '../../../machine/host.ts';
import type { CommodoreMachine } from './commodore-machine.ts';
import { startTemplates } from './start-templates.ts';

/** Frames in which every set of ROMs has come to its prompt. */
const bootFrames = 150;

/** On a computer that has much else to do; a call may take a little longer. */
const longestBootMs = 40_000;

/** To the prompt, if there is time. What has booted before is not run again: it would become the same, byte for byte. */
export async function boot(machine: CommodoreMachine, host: Host, givenMs?: number): Promise<void> {
  const { control, recipe } = machine;
  if (givenMs === undefined && (await startTemplates.apply(recipe, control, (text) => host.log('error', text)))) return;
  const wallMs = givenMs ?? longestBootMs;
  const passage = startTemplates.record(control, bootFrames);
  const { cause, reason } = await control.run({ frames: bootFrames, wallMs }, host.signal);
  const passed = control.board.frameCount;
  if (passed >= bootFrames && cause === 'limit' && reason === 'frames') passage.keep(recipe);
  else passage.discard();
  if (passed >= bootFrames) return;
  const left = bootFrames - passed;
  machine.introduce(
    `It is still booting: ${passed} of ${bootFrames} frames in ${wallMs / 1000} s. Run it for ${left} more frames.`,
  );
}
