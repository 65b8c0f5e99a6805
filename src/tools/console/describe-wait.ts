import type { ConsolePort } from '../../machine/console.ts';
import { elide } from './elide.ts';
import { fenced } from './fence.ts';
import { foldLines } from './fold-lines.ts';
import { foldRepeats } from './fold-repeats.ts';
import { offsetOfLine } from './offset-of-line.ts';
import { describePattern } from './pattern-argument.ts';
import type { WaitResult } from './wait-for-output.ts';

/** What became of the link during a wait, if not all is well with it. */
export function describeLink({ link, linkLosses }: Pick<WaitResult, 'link' | 'linkLosses'>): string {
  const now = link === 'ended' ? 'has ended' : `is ${link}`;
  if (linkLosses > 0) return `; the link was lost ${linkLosses}× meanwhile${link === 'up' ? '' : ` and ${now}`}`;
  return link === 'up' ? '' : `; the link ${now}`;
}

/** How a wait ended, in one line. */
export function describeEnd(wait: WaitResult): string {
  const after = `after ${(wait.elapsedMs / 1000).toFixed(1)} s`;
  const links = describeLink(wait);
  const pattern = wait.match ? describePattern(wait.match.pattern) : '';
  switch (wait.reason) {
    case 'match':
      return `matched ${pattern} ${after}${links}`;
    case 'fail_match':
      return `FAILED: ${pattern} appeared ${after}${links}`;
    case 'quiet':
      return `quiet ${after}${links}`;
    case 'timeout':
      return `not seen within the limit (${after}); it may still come: read again with the same condition${links}`;
    case 'stopped':
      return `not seen ${after}: the machine is stopped and prints nothing; let it run, then read again with the same condition${links}`;
    case 'restarted':
      return `not seen ${after}: the machine was reset or put back to a snapshot meanwhile${links}`;
    case 'cancelled':
      return `cancelled ${after}${links}`;
    case 'link_ended':
      return `the console has ended ${after}`;
  }
}

/** The text of a wait for the agent: folded, shortened, fenced, with the offsets to go on. */
export function describeOutput(port: ConsolePort, from: number, wait: WaitResult, maxChars: number): string {
  const whole = foldRepeats(foldLines(wait.text).replace(/\n+$/, ''));
  const shown = elide(whole.text, maxChars, 'read on with the "from" named below');
  const lost = wait.lostBytes > 0 ? [`[${wait.lostBytes} bytes were lost before they could be read]`] : [];
  const label = `bytes ${from + wait.lostBytes}-${wait.nextOffset} of ${port.name}`;
  const gap =
    shown.omittedChars > 0
      ? offsetOfLine(port.output, from, whole.lineBefore(shown.headLines), shown.headColumn)
      : undefined;
  const rest = gap === undefined ? [] : [`the part left out begins at "from":"${gap}"`];
  return [...lost, fenced(shown.text, label), ...rest].join('\n');
}

/** The same for programs. */
export function waitData(from: number, wait: WaitResult, maxChars: number): Record<string, unknown> {
  const { text, omittedChars } = elide(foldLines(wait.text), maxChars);
  return {
    reason: wait.reason,
    output: text,
    left_out_chars: omittedChars + wait.droppedChars,
    from,
    next: wait.nextOffset,
    lost_bytes: wait.lostBytes,
    elapsed_ms: wait.elapsedMs,
    link: wait.link,
    link_losses: wait.linkLosses,
    untrusted: true,
    ...(wait.match && {
      match: wait.match.text,
      groups: wait.match.groups,
      pattern: describePattern(wait.match.pattern),
    }),
  };
}
