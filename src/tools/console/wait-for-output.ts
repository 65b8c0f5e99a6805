import type { ConsolePort, LinkStatus } from '../../machine/console.ts';
import { nextTurn } from '../../machines/shared/time-slice.ts';
import { type ExpectMatch, Matcher } from './expect.ts';
import { OutputReader } from './output-reader.ts';
import type { Pattern } from './pattern-search.ts';
import { SignOfLife } from './sign-of-life.ts';

const progressMs = 2_000;
/** How long output that had arrived at the deadline may still be searched. */
const graceMs = 2_000;
const maxRestMs = 100;
/** So long must a machine have been stopped and silent before nobody waits for it any more: what it sent may be on its way. */
const stillMs = 2_000;
const lookMs = 500;
/** What a system said last may come after the news that it was reset. */
const afterRestartMs = 500;
/** After a failure: how long silence must last, and how long its story may. */
const quietAfterFailureMs = 300;
const lastWordsMs = 2000;

export interface WaitOptions {
  /** Ring offset to read from. */
  readonly from: number;
  readonly patterns?: readonly Pattern[] | undefined;
  readonly failPatterns?: readonly Pattern[] | undefined;
  /** Shows even where a program left an escape sequence open; it must not occur in any other place. */
  readonly landmark?: string | undefined;
  /** Also ends when nothing came for this long. */
  readonly quietMs?: number | undefined;
  readonly timeoutMs: number;
  /** After a failure, also what is said next: its reason. */
  readonly withReason?: boolean | undefined;
  /** Where the machine whose console it is stands still, so that nothing more comes; undefined while it runs. */
  readonly standsAt?: (() => unknown) | undefined;
  /** How often the system has been started, where that is known: what ran before another start says no more. Not with `console_read`, which may wait for what comes then. */
  readonly starts?: (() => number | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called every two seconds. */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
}

interface WaitProgress {
  readonly elapsedMs: number;
  readonly bytes: number;
  readonly link: LinkStatus['state'];
}

type WaitReason = 'match' | 'fail_match' | 'quiet' | 'timeout' | 'stopped' | 'restarted' | 'cancelled' | 'link_ended';

export interface WaitResult {
  readonly reason: WaitReason;
  /** Stripped, not folded: everything from `from` to `nextOffset`, in the middle of very much a line that counts. */
  readonly text: string;
  /** Characters in the middle that `text` does not have. */
  readonly droppedChars: number;
  /** Where to go on: just after the match, or after what was read. */
  readonly nextOffset: number;
  /** Bytes that had left the ring before they could be read. */
  readonly lostBytes: number;
  readonly match?: ExpectMatch;
  readonly elapsedMs: number;
  /** State of the link at the end, and how often it was lost meanwhile. */
  readonly link: LinkStatus['state'];
  readonly linkLosses: number;
}

/**
 * Reads a console from an offset on until a pattern appears, it falls quiet, or time is up, all of which are normal
 * results. So is a machine that is stopped and therefore has no more to say. With neither patterns nor `quietMs` it returns what is there now (`quiet`). A link that is down may come
 * back and is waited for.
 */
export async function waitForOutput(port: ConsolePort, options: WaitOptions): Promise<WaitResult> {
  const { patterns = [], failPatterns = [], quietMs, timeoutMs, standsAt, starts, signal, onProgress } = options;
  const lossesBefore = port.link.losses;
  const matcher = await Matcher.create({ patterns, failPatterns });
  const waits = patterns.length + failPatterns.length > 0 || quietMs !== undefined;
  const started = performance.now();
  const deadline = started + timeoutMs;
  const reader = new OutputReader(port, Math.min(options.from, port.output.end), matcher, options.landmark);
  const activity = new SignOfLife(port, signal);
  const elapsedMs = () => Math.round(performance.now() - started);
  const progress =
    onProgress &&
    setInterval(() => onProgress({ elapsedMs: elapsedMs(), bytes: reader.bytes, link: port.link.state }), progressMs);
  let lastOutput = started;
  let lastTurn = started;
  let lastMotion = started;
  let stood = standsAt?.();
  const startsBefore = starts?.();
  let restartedAt: number | undefined;
  let endAtDeadline: number | undefined;
  const endAtStart = port.output.end;

  const next = async (): Promise<WaitReason> => {
    for (;;) {
      if (signal?.aborted) return 'cancelled';
      const now = performance.now();
      if (now >= deadline) {
        endAtDeadline ??= port.output.end;
        if (reader.offset >= endAtDeadline || now >= deadline + graceMs) return 'timeout';
      }
      activity.reset();
      const linkEnded = port.link.state === 'ended';
      const before = performance.now();
      const step = await reader.read(signal);
      if (step === 'match') return reader.match?.kind === 'failure' ? 'fail_match' : 'match';
      if (starts?.() !== startsBefore) restartedAt ??= before;
      if (restartedAt !== undefined && before - restartedAt >= afterRestartMs) return 'restarted';
      if (step === 'read') {
        lastOutput = performance.now();
        // Output may come faster than it can be read.
        if (!waits && reader.offset >= endAtStart) return 'quiet';
        if (reader.offset < port.output.end) {
          if (lastOutput - lastTurn > 8) {
            await nextTurn();
            lastTurn = performance.now();
          }
        } else if (lastOutput - before > 5) {
          // A costly search after every few bytes would eat the processor: rest as long as it took.
          await activity.rest(Math.min(maxRestMs, lastOutput - before));
        }
        continue;
      }
      if (linkEnded) return 'link_ended';
      if (!waits) return 'quiet';
      const quietAt = quietMs === undefined ? Number.POSITIVE_INFINITY : lastOutput + quietMs;
      if (performance.now() >= quietAt) return 'quiet';
      const stands = standsAt?.();
      if (stands === undefined || stands !== stood) lastMotion = performance.now();
      stood = stands;
      if (performance.now() >= Math.max(lastMotion, lastOutput) + stillMs && standsAt) return 'stopped';
      const look = standsAt || starts ? performance.now() + lookMs : Number.POSITIVE_INFINITY;
      await activity.wait(Math.min(quietAt, deadline, look) - performance.now());
    }
  };

  try {
    let reason = await next();
    const lateMatch = await reader.finish(reason === 'link_ended');
    if (lateMatch) reason = lateMatch.kind === 'failure' ? 'fail_match' : 'match';
    const words =
      reason === 'fail_match' && options.withReason
        ? await lastWords(port, reader.nextOffset, activity, signal)
        : undefined;
    return {
      reason,
      text: reader.text + (words?.text ?? ''),
      droppedChars: reader.droppedChars + (words?.droppedChars ?? 0),
      nextOffset: words?.nextOffset ?? reader.nextOffset,
      lostBytes: reader.lostBytes + (words?.lostBytes ?? 0),
      ...(reader.match && { match: reader.match }),
      elapsedMs: elapsedMs(),
      link: port.link.state,
      linkLosses: port.link.losses - lossesBefore,
    };
  } finally {
    clearInterval(progress);
    activity.stop();
  }
}

/** What is said of a failure stands after its first words: read until it falls quiet, or goes on without end. */
async function lastWords(
  port: ConsolePort,
  from: number,
  activity: SignOfLife,
  signal: AbortSignal | undefined,
): Promise<OutputReader> {
  const reader = new OutputReader(port, from, await Matcher.create({ patterns: [], failPatterns: [] }));
  const end = performance.now() + lastWordsMs;
  let quietAt = performance.now() + quietAfterFailureMs;
  while (!signal?.aborted && performance.now() < Math.min(end, quietAt)) {
    activity.reset();
    if ((await reader.read(signal)) !== 'nothing') quietAt = performance.now() + quietAfterFailureMs;
    else if (port.link.state === 'ended') break;
    else await activity.wait(Math.min(end, quietAt) - performance.now());
  }
  await reader.finish(port.link.state === 'ended');
  return reader;
}
