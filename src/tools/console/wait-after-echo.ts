import type { ConsolePort } from '../../machine/console.ts';
import { type WaitOptions, type WaitResult, waitForOutput } from './wait-for-output.ts';

/** Waits for output, and does not take the terminal's echo of what was typed for the answer to it. */
export async function waitAfterEcho(
  port: ConsolePort,
  typed: string | undefined,
  options: WaitOptions,
): Promise<WaitResult> {
  const first = await waitForOutput(port, options);
  if (!typed || !isEcho(first, typed)) return first;
  const timeoutMs = Math.max(0, options.timeoutMs - first.elapsedMs);
  const second = await waitForOutput(port, { ...options, from: first.nextOffset, timeoutMs });
  return {
    ...second,
    text: first.text + second.text,
    droppedChars: first.droppedChars + second.droppedChars,
    lostBytes: first.lostBytes + second.lostBytes,
    elapsedMs: first.elapsedMs + second.elapsedMs,
    linkLosses: first.linkLosses + second.linkLosses,
  };
}

/** Whether the match lies within the first appearance of what was typed, its end of line included. */
function isEcho({ match, text }: WaitResult, typed: string): boolean {
  if (match === undefined) return false;
  const echo = text.indexOf(typed);
  return echo >= 0 && text.length - match.text.length >= echo && text.length <= echo + typed.length + 1;
}
