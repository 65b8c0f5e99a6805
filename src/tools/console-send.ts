import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { ConsolePort, WriteMode, WriteResult } from '../machine/console.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import { describeRun } from './console/describe-run.ts';
import { describeEnd, describeLink, describeOutput, waitData } from './console/describe-wait.ts';
import { elide } from './console/elide.ts';
import { endedLink } from './console/ended-link.ts';
import { fenced } from './console/fence.ts';
import { keyBytes } from './console/keys.ts';
import { latestNews } from './console/latest-news.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { portFor } from './console/port-for.ts';
import { portNamed } from './console/port-named.ts';
import { readerOf } from './console/reader-of.ts';
import { requireWritable } from './console/require-writable.ts';
import { sendPaced } from './console/send-paced.ts';
import { type RunCommandOptions, runCommand } from './console/shell-run.ts';
import { standsAt } from './console/stands-at.ts';
import { waitAfterEcho } from './console/wait-after-echo.ts';
import { waitArguments, waitOptionsOf } from './console/wait-arguments.ts';
import { counted } from './debug/code-place.ts';
import { defineTool, type ToolContext } from './tool.ts';

const endsOfLine = { cr: '\r', lf: '\n', crlf: '\r\n', none: '' } as const;
/** Without a condition an answer shows what came back at once. */
const defaultQuietMs = 400;
const defaultGlanceMs = 3000;

const input = z.object({
  port: z.string().optional(),
  text: z.string().max(1_048_576).optional().describe('Typed, then one end of line'),
  eol: z.enum(['cr', 'lf', 'crlf', 'none']).default('cr').describe('cr is Enter'),
  keys: z.array(z.string()).max(200).optional().describe('e.g. ["ctrl-c","up","f10"]'),
  bytes: z.string().max(100_000).optional().describe('Hex'),
  break_ms: z.number().int().min(1).max(5000).optional().describe('Send BREAK first'),
  run: z.string().max(10_000).optional().describe('Instead: a shell command'),
  char_delay_ms: z.number().int().min(0).max(1000).default(0).describe('Pacing'),
  mode: z.enum(['retry', 'buffered', 'nonblocking']).default('retry').describe('If the other side does not read'),
  ...waitArguments,
  max_chars: z.number().int().min(100).max(28_000).optional(),
  reader: z.string().max(48).optional(),
  format: z.enum(['text', 'json']).optional(),
});

type SendInput = z.output<typeof input>;

export const consoleSend = defineTool({
  name: 'console_send',
  title: 'Type on a console',
  description:
    'Type on a serial console and wait for the reply, in one call; "run" returns output and exit code. ' +
    'Examples: {"text":"root","expect":"Password:"}, {"keys":["ctrl-c"]}, {"run":"uname -a"}.',
  toolset: 'console',
  needs: ['console'],
  effect: 'change',
  openWorld: true,
  input,
  confirm(machine, sent) {
    const port = portNamed(machine.console, sent.port);
    if (port.writePolicy !== 'confirm') return undefined;
    return `Send ${describeInput(sent)} to ${port.link.target}?`;
  },
  async run(machine, sent, context) {
    const port = portFor(machine.console, sent.port, context);
    requireWritable(port);
    const parts = partsOf(sent);
    const stands = () => standsAt(machine);
    const starts = () => machine.console.boot?.starts;
    if (sent.run !== undefined) {
      if (parts.length > 0 || sent.break_ms !== undefined) {
        throw new MachineError(
          'INVALID_ARGUMENT',
          '"run" cannot be combined with other input.',
          'Leave out text, keys, bytes and break_ms.',
        );
      }
      return runShell(port, sent, { standsAt: stands, starts }, context);
    }
    if (parts.length === 0 && sent.break_ms === undefined) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to send.', 'Give text, keys, bytes, break_ms or run.');
    }
    return sendAndWait(port, parts, sent, stands, context);
  },
});

async function sendAndWait(
  port: ConsolePort,
  parts: readonly Uint8Array[],
  sent: SendInput,
  stands: () => unknown,
  { signal, progress, session, role }: ToolContext,
): Promise<ToolAnswer> {
  const reader = readerOf(sent.reader, { session, role });
  const unread = port.cursor(reader);
  const from = port.output.end;
  const wait = waitOptionsOf(sent);
  const began = performance.now();
  if (sent.break_ms !== undefined) await port.sendBreak(sent.break_ms);
  const bytes = concatenated(parts);
  const limit = { charDelayMs: sent.char_delay_ms, mode: sent.mode, timeoutMs: wait.timeoutMs, signal };
  // A link that the other side has just closed would take the bytes, and nobody would get them.
  await latestNews();
  const { losses } = port.link;
  const result = await sendPaced(port, bytes, limit);
  if (result.refused > 0) throw notTaken(port, result, sent.mode);
  await latestNews();
  const lost = port.link.losses > losses && result.written > 0;
  const queued = result.queued > 0 ? `, ${result.queued} of them queued` : '';
  const after = sent.break_ms === undefined ? '' : ` after a BREAK of ${sent.break_ms} ms`;
  const perhaps = lost ? '; the link was lost at the same time, so they may not have arrived' : '';
  const summary = `sent ${counted(bytes.length, 'byte')}${queued}${after}${perhaps}`;
  const quietMs = wait.asked ? (sent.quiet_ms === 0 && sent.expect === undefined ? 0 : wait.quietMs) : defaultQuietMs;
  const limitMs = wait.asked || sent.timeout_ms !== undefined ? wait.timeoutMs : defaultGlanceMs;
  if (quietMs === 0) return { text: summary, data: { ...result, ...(lost && { link_lost: true }), from } };
  const output = await waitAfterEcho(port, sent.text === undefined ? undefined : lineOf(sent.text), {
    ...wait,
    quietMs,
    timeoutMs: Math.max(0, limitMs - (performance.now() - began)),
    from,
    standsAt: stands,
    signal,
    onProgress: (state) => progress(`${Math.round(state.elapsedMs / 1000)} s, ${state.bytes} bytes`),
  });
  port.setCursor(reader, output.nextOffset);
  const earlier = from > unread ? `${from - unread} bytes had not been read before: "from":"${unread}"\n` : '';
  const end = wait.asked ? `; ${describeEnd(output)}` : describeLink(output);
  return {
    text: `${summary}${end}\n${earlier}${describeOutput(port, from, output, maxCharsOf(sent))}`,
    data: { ...result, ...(lost && { link_lost: true }), ...waitData(from, output, maxCharsOf(sent)) },
  };
}

async function runShell(
  port: ConsolePort,
  sent: SendInput,
  watch: Pick<RunCommandOptions, 'standsAt' | 'starts'>,
  { signal, progress, session, role }: ToolContext,
): Promise<ToolAnswer> {
  const reader = readerOf(sent.reader, { session, role });
  const from = port.output.end;
  const done = await runCommand(port, sent.run ?? '', {
    timeoutMs: sent.timeout_ms ?? 20_000,
    ...watch,
    signal,
    eol: endsOfLine[sent.eol],
    charDelayMs: sent.char_delay_ms,
    onProgress: (state) => progress(`${Math.round(state.elapsedMs / 1000)} s, ${state.bytes} bytes`),
  });
  port.setCursor(reader, done.nextOffset);
  const link = done.reason === 'link_ended' ? '' : describeLink(done);
  const end = describeRun(done);
  const shown = elide(done.output, maxCharsOf(sent), `read all with "from":"${from}"`);
  const dropped = done.droppedChars > 0 ? `\n${done.droppedChars} characters in the middle were dropped` : '';
  return {
    text: `${end}${link}\n${fenced(shown.text, `output of the command, bytes ${from}-${done.nextOffset}`)}${dropped}`,
    data: {
      exit_code: done.exitCode ?? null,
      output: shown.text,
      left_out_chars: shown.omittedChars + done.droppedChars,
      started: done.started,
      timed_out: done.timedOut,
      reason: done.reason,
      ...(done.over && { over: { command: done.over.command, exit_code: done.over.exitCode } }),
      elapsed_ms: done.elapsedMs,
      from,
      next: done.nextOffset,
      lost_bytes: done.lostBytes,
      link: done.link,
      link_losses: done.linkLosses,
      untrusted: true,
    },
  };
}

function partsOf({ text, eol, keys = [], bytes }: SendInput): Uint8Array[] {
  return [
    ...(text === undefined ? [] : [new TextEncoder().encode(eol === 'none' ? text : lineOf(text) + endsOfLine[eol])]),
    ...keys.map(keyBytes),
    ...(bytes === undefined ? [] : [parseBytes(bytes)]),
  ];
}

/** What is typed before Enter: an end of line that the text has of its own is that Enter, and no second one. */
function lineOf(text: string): string {
  return text.replace(/(?:\r\n|\r|\n)$/, '');
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function notTaken(port: ConsolePort, result: WriteResult, mode: WriteMode): MachineError {
  const { link } = port;
  const counts = `${result.refused} bytes were not taken (${result.written} sent, ${result.queued} queued); nothing of them is lost or half done`;
  const data = { ...result, mode, link: link.state };
  if (link.state === 'ended') return endedLink(port, counts, { ...result, mode });
  if (link.state !== 'up') {
    const retry = link.retryInMs === undefined ? '' : `, next try in ${Math.ceil(link.retryInMs / 1000)} s`;
    const fix = [
      advice`Wait for the link: ${call('console_read')} shows it.`,
      advice`So does ${call('events_read')}.`,
      advice`Send with "mode":"buffered".`,
    ];
    return new MachineError('LINK_DOWN', `The link to ${link.target} is ${link.state}${retry}: ${counts}.`, fix, data);
  }
  const fix = 'The other side does not read. Send the rest later, or with "mode":"buffered".';
  return new MachineError('WRITE_BUFFER_FULL', `Write buffer full: ${counts}.`, fix, data);
}

function describeInput({ text, keys, bytes, break_ms, run }: SendInput): string {
  const parts = [
    break_ms === undefined ? undefined : `a BREAK of ${break_ms} ms`,
    text === undefined ? undefined : JSON.stringify(text.slice(0, 200)),
    keys === undefined ? undefined : `the keys ${keys.slice(0, 20).join(' ')}`,
    bytes === undefined ? undefined : `the bytes ${bytes.slice(0, 60)}`,
    run === undefined ? undefined : `the command ${JSON.stringify(run.slice(0, 200))}`,
  ];
  return parts.filter(Boolean).join(' and ') || 'nothing';
}

/** What was waited for stands at the end. */
function maxCharsOf({ max_chars, expect }: SendInput): number {
  return max_chars ?? (expect === undefined ? 4000 : 1500);
}
