import type { ConsolePort, OutputRing, WriteResult } from '../../machine/console.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { endedLink } from './ended-link.ts';
import { foldLines } from './fold-lines.ts';
import { randomWord } from './random-word.ts';
import { sendPaced } from './send-paced.ts';
import { buildCommand, sentinels } from './shell-command.ts';
import { type WaitOptions, type WaitResult, waitForOutput } from './wait-for-output.ts';

export interface RunCommandOptions {
  readonly timeoutMs: number;
  readonly standsAt?: WaitOptions['standsAt'];
  readonly starts?: WaitOptions['starts'];
  readonly signal?: AbortSignal | undefined;
  /** What ends the typed line; `\r`, as the Enter key does, unless told. */
  readonly eol?: string | undefined;
  /** Letters and digits that occur nowhere else; random unless told. */
  readonly nonce?: string | undefined;
  readonly charDelayMs?: number | undefined;
  readonly onProgress?: WaitOptions['onProgress'];
}

export interface RunCommandResult {
  /** Folded, without the echo of the command and without the last line end. */
  readonly output: string;
  /** Characters in the middle that `output` does not have. */
  readonly droppedChars: number;
  /** Undefined when the command did not end in time. */
  readonly exitCode: number | undefined;
  /** Whether the shell began to run the line. If not: no shell at a prompt, or a syntax error. */
  readonly started: boolean;
  readonly timedOut: boolean;
  readonly reason: WaitResult['reason'];
  /** The command that this one was typed into, a shell mostly, if that ended before this one did. */
  readonly over?: OverCommand | undefined;
  readonly nextOffset: number;
  readonly lostBytes: number;
  readonly elapsedMs: number;
  readonly link: WaitResult['link'];
  readonly linkLosses: number;
}

export interface OverCommand {
  readonly command: string;
  readonly exitCode: number;
}

/** Commands of each console whose end has not been seen, by their nonces: shells that later commands are typed into among them. */
const unfinished = new WeakMap<OutputRing, Map<string, string>>();
const maxUnfinished = 8;

/** Runs a command in the POSIX shell that waits at its prompt on this console. */
export async function runCommand(
  port: ConsolePort,
  command: string,
  options: RunCommandOptions,
): Promise<RunCommandResult> {
  const {
    timeoutMs,
    standsAt,
    starts,
    signal,
    eol = '\r',
    nonce = randomWord(),
    charDelayMs = 0,
    onProgress,
  } = options;
  const marks = sentinels(nonce);
  const bytes = new TextEncoder().encode(buildCommand(command, nonce) + eol);
  const began = performance.now();
  const from = port.output.end;
  const { losses } = port.link;
  const sent = await sendPaced(port, bytes, { charDelayMs, mode: 'retry', timeoutMs, signal });
  if (sent.refused > 0 && !signal?.aborted) throw notTyped(port, sent, bytes.length);
  const open = unfinished.get(port.output) ?? new Map<string, string>();
  unfinished.set(port.output, open);
  const ask = (at: number): WaitOptions => ({
    from: at,
    // The rest of the line too, so that the next reader begins on a fresh one.
    patterns: [nonce, ...open.keys()].map((word) => ({ regex: `${endOf(word)}[^\\n]*\\n` })),
    landmark: marks.landmark,
    timeoutMs: Math.max(0, timeoutMs - (performance.now() - began)),
    standsAt,
    starts,
    signal,
    onProgress,
  });
  let wait = await waitForOutput(port, ask(from));
  let over = overIn(wait, open);
  // What ended before this command began was typed ahead of it.
  while (over && !wait.text.includes(marks.begin)) {
    open.delete(over.nonce);
    wait = joined(wait, await waitForOutput(port, ask(wait.nextOffset)));
    over = overIn(wait, open);
  }
  const { output, exitCode, started } = readOutput(over ? wait.text.replace(over.mark, '') : wait.text, nonce);
  if (over) open.delete(over.nonce);
  else if (wait.reason === 'restarted' || wait.reason === 'link_ended') open.clear();
  else if (exitCode === undefined) keep(open, nonce, command);
  return {
    output,
    droppedChars: wait.droppedChars,
    exitCode,
    started,
    timedOut: exitCode === undefined && (wait.reason === 'timeout' || wait.reason === 'stopped'),
    reason: exitCode === undefined ? wait.reason : 'match',
    ...(over && exitCode === undefined && { over: { command: over.command, exitCode: over.exitCode } }),
    nextOffset: wait.nextOffset,
    lostBytes: wait.lostBytes,
    elapsedMs: Math.round(performance.now() - began),
    link: wait.link,
    linkLosses: port.link.losses - losses,
  };
}

function endOf(nonce: string): string {
  return `${sentinels(nonce).landmark}-?[0-9]+@@`;
}

/** Which of the earlier commands the wait ended with. */
function overIn({ match, text }: WaitResult, open: ReadonlyMap<string, string>) {
  for (const [nonce, command] of match ? open : []) {
    const [mark, digits] = new RegExp(`@{0,2}${nonce}:(-?[0-9]+)@@\\r?\\n?`).exec(text) ?? [];
    if (mark !== undefined) return { nonce, command, mark, exitCode: Number(digits) };
  }
  return undefined;
}

function joined(first: WaitResult, second: WaitResult): WaitResult {
  return {
    ...second,
    text: first.text + second.text,
    droppedChars: first.droppedChars + second.droppedChars,
    lostBytes: first.lostBytes + second.lostBytes,
  };
}

function keep(open: Map<string, string>, nonce: string, command: string): void {
  open.set(nonce, command);
  const [oldest] = open.keys();
  if (open.size > maxUnfinished && oldest !== undefined) open.delete(oldest);
}

function notTyped(port: ConsolePort, sent: WriteResult, total: number): MachineError {
  const { state, target } = port.link;
  const taken = total - sent.refused;
  if (state === 'ended')
    return endedLink(port, `${taken} of the ${total} bytes of the command line were sent`, { ...sent });
  const [type, reason] =
    state === 'up'
      ? (['WRITE_BUFFER_FULL', 'The other side does not read'] as const)
      : (['LINK_DOWN', `The link to ${target} is ${state}`] as const);
  const message = `${reason}: ${taken} of the ${total} bytes of the command line were accepted.`;
  const fix =
    taken > 0
      ? 'Something is half typed on the console: send the key ctrl-c, read the console, then run the command again.'
      : [
          advice`Nothing was typed: run the command again when the other side is back.`,
          advice`${call('machine_list')} shows when it is.`,
        ];
  return new MachineError(type, message, fix, { ...sent, link: state });
}

/** What of the stripped text is the command's, and how it ended. */
export function readOutput(
  text: string,
  nonce: string,
): { readonly output: string; readonly exitCode: number | undefined; readonly started: boolean } {
  const marks = sentinels(nonce);
  const isWhole = new RegExp(`${marks.landmark}-?\\d+@@`).test(text);
  const whole = isWhole ? text : withoutSplitSentinel(text, marks.end);
  // The last one: `set -x` shows each echo before it is run.
  const begin = whole.lastIndexOf(marks.begin);
  const started = begin >= 0;
  const afterBegin = started ? whole.indexOf('\n', begin) + 1 : 0;
  const end = new RegExp(`(?:^\\++ echo ['"]?)?@{0,2}${marks.landmark}(-?\\d+)@@`, 'm').exec(whole.slice(afterBegin));
  const body = end ? whole.slice(afterBegin, afterBegin + end.index) : whole.slice(afterBegin);
  return {
    output: foldLines(body).replace(/\n$/, ''),
    exitCode: end ? Number(end[1]) : undefined,
    started: started || end !== null,
  };
}

/** Kernel messages go straight to the wire and may land in the middle of the sentinel: puts it together again. */
function withoutSplitSentinel(text: string, sentinel: string): string {
  const tail = text.slice(-16_384);
  const kernelLine = '(?:\\n?(?:<\\d>)?\\[ *\\d+\\.\\d+\\][^\\n]*\\n){0,8}';
  const pattern = [...sentinel].map((character) => `${character}(${kernelLine})`).join('');
  const split = new RegExp(`${pattern}(-?\\d+)(${kernelLine})@(${kernelLine})@`).exec(tail);
  if (!split) return text;
  const groups = split.slice(1);
  const code = groups.splice(sentinel.length, 1);
  const joined = `${sentinel}${code}@@\n`;
  return text.slice(0, text.length - tail.length + split.index) + groups.join('') + joined;
}
