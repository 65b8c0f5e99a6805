import type { BorderChange } from '../../../machine/frame-trace.ts';
import type { TimeSlice } from '../../shared/time-slice.ts';
import type { BoardProbe } from './board-probe.ts';
import type { FrameRecorder } from './frame-recorder.ts';

/** Each colour that the border was given, and the one with which each frame began. */
export async function borderHistory(
  recorder: FrameRecorder,
  { border }: BoardProbe,
  slice: TimeSlice,
): Promise<readonly BorderChange[]> {
  const { events, frames } = recorder;
  const history: BorderChange[] = [];
  let colour = recorder.border;
  let at = 0;
  for (const [index, { frame, start }] of frames.entries()) {
    history.push({ frame, line: 0, lineCycle: 1, cycle: start, colour });
    const end = frames[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    for (; at < events.size && events.at(at).cycle < end; at += 1) {
      const { type, chip, register, value, line, lineCycle, cycle, pc } = events.at(at);
      if (type !== 0 || ((chip << 8) | register) !== border.register) continue;
      colour = border.colourOf(value);
      history.push({ frame, line, lineCycle, cycle, colour, pc: BigInt(pc) });
    }
    if (slice.isOver) await slice.next();
  }
  return history;
}
