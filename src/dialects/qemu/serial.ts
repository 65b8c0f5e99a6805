import type { ConsolePort } from '../../machine/console.ts';
import { foldLines } from '../../tools/console/fold-lines.ts';
import { StripStream } from '../../tools/console/strip-stream.ts';
import type { Caller, Toolbox } from '../../tools/toolbox.ts';
import { answerOf, found } from './machine.ts';

/** Stands behind what was shown. */
const reader = 'qemu-dialect';
/** Goes ahead of it, to what is waited for. */
const scout = 'qemu-dialect-wait';
/** What clients take in one answer. */
const maxChars = 28_000;
const maxBytes = 4 * maxChars;
const maxPromptBytes = 400;
const anything = '/[\\s\\S]/';

export interface Waiting {
  readonly wait_for?: string | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

export interface SerialOutput {
  readonly output: string;
  /** Whether what was waited for came. */
  readonly matched?: boolean;
  /** Bytes that came and did not fit: the next call goes on with them. */
  readonly more_bytes?: number;
}

/** Sends a line and shows everything from the last call to the end of the response. */
export async function sendLine(
  toolbox: Toolbox,
  caller: Caller,
  text: string,
  waiting: Waiting,
): Promise<SerialOutput> {
  const { data } = await answerOf(toolbox, caller, 'console_send', {
    ...{ text, eol: 'cr', reader: scout },
    ...(waiting.wait_for === undefined && waiting.timeout !== undefined
      ? untilPrompt(portOf(toolbox), waiting.timeout)
      : conditions(waiting.wait_for, waiting.timeout)),
  });
  return shown(toolbox, waiting, data);
}

/** Until the line that stands there now comes again, or else for the whole time: silence is no sign of an end. */
function untilPrompt(port: ConsolePort | undefined, timeout: number): Record<string, unknown> {
  const prompt = port && lastLine(port).trimStart();
  if (prompt) return conditions(`/[\\r\\n]\\s*${prompt.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}/`, timeout);
  const timeoutMs = Math.round(timeout * 1000);
  return { quiet_ms: timeoutMs, timeout_ms: timeoutMs };
}

/** What was printed after the last end of a line. */
function lastLine({ output }: ConsolePort): string {
  const from = Math.max(output.start, output.end - maxPromptBytes);
  const strip = new StripStream(from);
  const text = strip.push(output.read(from, maxPromptBytes).bytes);
  return withEnd((text + strip.end(true).text).split('\n').at(-1) ?? '');
}

/** Lines as a terminal shows them. A prompt ends with a blank, and whoever waits for it has it with it. */
function withEnd(text: string): string {
  const [blanks = ''] = /[ \t]*$/.exec(text) ?? [];
  return foldLines(text) + blanks;
}

/** Shows everything from the last call to what is waited for, or to now. */
export async function readSerial(toolbox: Toolbox, caller: Caller, waiting: Waiting): Promise<SerialOutput> {
  const port = portOf(toolbox);
  if (!port) return { output: '' };
  const { wait_for, timeout } = waiting;
  const wanted = wait_for ?? (timeout ? anything : undefined);
  const { data } = await answerOf(toolbox, caller, 'console_read', {
    ...{ from: String(Math.max(port.cursor(reader), port.output.start)), reader: scout },
    ...conditions(wanted, timeout),
  });
  return shown(toolbox, waiting, wait_for === undefined ? { next: port.output.end } : data);
}

function conditions(expect: string | undefined, timeout: number | undefined): Record<string, unknown> {
  return {
    ...(expect !== undefined && { expect }),
    ...(timeout !== undefined && { timeout_ms: Math.round(timeout * 1000) }),
  };
}

function shown(
  toolbox: Toolbox,
  { wait_for }: Waiting,
  data: Readonly<Record<string, unknown>> | undefined,
): SerialOutput {
  const port = portOf(toolbox);
  if (!port) return { output: '' };
  const left = Number(data?.next) || port.output.end;
  const output = nextPage(port, left);
  const more = left - port.cursor(reader);
  return {
    output,
    ...(wait_for !== undefined && { matched: data?.reason === 'match' }),
    ...(more > 0 && { more_bytes: more }),
  };
}

/** What follows the last page, at most up to `end`, and no more than fits: nothing is ever left out between two pages. */
function nextPage(port: ConsolePort, end: number): string {
  const from = port.cursor(reader);
  const { bytes, from: first, lost } = port.output.read(from, Math.max(0, Math.min(end - from, maxBytes)));
  const strip = new StripStream(first);
  const text = strip.push(bytes);
  const rest = strip.end(false);
  const whole = text + rest.text;
  const cut = whole.length > maxChars ? whole.lastIndexOf('\n', maxChars - 1) + 1 || maxChars : undefined;
  // Half a character or sequence at the end waits for its rest, unless it is all there is.
  const next = rest.offset > first ? rest.offset : first + bytes.length;
  port.setCursor(reader, cut === undefined ? next : strip.offsetAt(cut));
  const gap = lost > 0 ? `[${lost} bytes were lost before they could be read]\n` : '';
  return gap + withEnd(cut === undefined ? whole : whole.slice(0, cut));
}

function portOf(toolbox: Toolbox): ConsolePort | undefined {
  return found(toolbox)?.machine.console?.ports[0];
}
