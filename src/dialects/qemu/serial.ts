import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { answerOf, found } from './machine.ts';

/** At the end of what was shown. */
const reader = 'qemu-dialect';
/** Goes ahead of it, to what is waited for. */
const scout = 'qemu-dialect-wait';
const anything = '/[\\s\\S]/';

type Data = Readonly<Record<string, unknown>>;

/** How long one wait goes on before it is renewed, by which clock. */
export interface Pace {
  now(): number;
  readonly stretchMs: number;
}

/** No call to a tool takes longer than 55 s. */
const ordinaryPace: Pace = { now: () => performance.now(), stretchMs: 45_000 };

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
  host: ToolHost,
  caller: Caller,
  text: string,
  waiting: Waiting,
  pace = ordinaryPace,
): Promise<SerialOutput> {
  const { wait_for, timeout } = waiting;
  const began = pace.now();
  const prompt = wait_for === undefined && timeout !== undefined ? promptOf(await placeOf(host, caller)) : undefined;
  const wait = { expect: wait_for ?? prompt, timeout, typed: text };
  const args = { text, eol: 'cr', reader: scout, ...conditions(wait, pace.stretchMs) };
  const { data } = await answerOf(host, caller, 'console_send', args);
  return shown(host, caller, waiting, await renewed(host, caller, data, wait, began, pace));
}

/** Shows everything from the last call to what is waited for, or to now. */
export async function readSerial(
  host: ToolHost,
  caller: Caller,
  waiting: Waiting,
  pace = ordinaryPace,
): Promise<SerialOutput> {
  if (!hasConsole(host)) return { output: '' };
  const { wait_for, timeout } = waiting;
  const began = pace.now();
  const wait = { expect: wait_for ?? (timeout ? anything : undefined), timeout };
  const { at } = await placeOf(host, caller);
  const args = { from: String(at), reader: scout, ...(wait.expect !== undefined && conditions(wait, pace.stretchMs)) };
  const { data } = await answerOf(host, caller, 'console_read', args);
  const last = wait.expect === undefined ? data : await renewed(host, caller, data, wait, began, pace);
  return shown(host, caller, waiting, wait_for === undefined ? undefined : last);
}

interface Wait {
  /** Without it, and with a timeout, the whole time is waited: silence is no sign of an end. */
  readonly expect: string | undefined;
  readonly timeout: number | undefined;
  /** Its echo is no answer. */
  readonly typed?: string;
}

/** The end of a line that waits for input, as shells and boot loaders write it: not a bar of such signs that grows. */
const otherPrompt = '(?:[^\\r\\n]{0,120}[^#$>\\r\\n])?[#$>]';

/** The line that is there now, when it comes again; or another that ends like a prompt, as after `cd` or `exit`. */
function promptOf({ last_line: line }: Data): string {
  const prompt = String(line ?? '').trimStart();
  const same = prompt ? `\\s*${prompt.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}|` : '';
  // Where the prompt has a blank, the others will: what comes without one may be the same, with its end on the way.
  const blank = /[#$>] $/.test(prompt) ? ' $' : ' ?$';
  return `/[\\r\\n](?:${same}${otherPrompt}${blank})/`;
}

function conditions({ expect, timeout }: Wait, mostMs: number): Data {
  const timeoutMs = timeout === undefined ? undefined : Math.min(mostMs, Math.round(timeout * 1000));
  return {
    ...(expect !== undefined && { expect }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(expect === undefined && timeoutMs !== undefined && { quiet_ms: timeoutMs }),
  };
}

/** Waits on until its time is up. Each stretch looks at everything again: what is waited for may come in two parts. */
async function renewed(
  host: ToolHost,
  caller: Caller,
  first: Data | undefined,
  wait: Wait,
  began: number,
  pace: Pace,
): Promise<Data | undefined> {
  if (wait.timeout === undefined) return first;
  const end = began + wait.timeout * 1000;
  const progress = () => caller.progress(`${Math.round((pace.now() - began) / 1000)} s`);
  let last = first;
  while (unfinished.has(String(last?.reason)) && pace.now() < end) {
    const timeout = Math.ceil(end - pace.now()) / 1000;
    const { typed } = wait;
    const args = { from: first?.from, ...(typed && { typed }), ...conditions({ ...wait, timeout }, pace.stretchMs) };
    last = (await answerOf(host, { ...caller, progress }, 'serial_wait', args)).data;
  }
  return last;
}

const unfinished = new Set(['timeout', 'quiet']);

async function shown(
  host: ToolHost,
  caller: Caller,
  { wait_for }: Waiting,
  data: Data | undefined,
): Promise<SerialOutput> {
  if (!hasConsole(host)) return { output: '' };
  const end = Number(data?.next) || Number((await placeOf(host, caller)).end);
  const page = (await answerOf(host, caller, 'serial_page', { reader, end })).data ?? {};
  const left = Number(page.left);
  return {
    output: String(page.output),
    ...(wait_for !== undefined && { matched: data?.reason === 'match' }),
    ...(left > 0 && { more_bytes: left }),
  };
}

async function placeOf(host: ToolHost, caller: Caller): Promise<Data> {
  return (await answerOf(host, caller, 'serial_place', { reader })).data ?? {};
}

function hasConsole(host: ToolHost): boolean {
  return (found(host)?.consoles.length ?? 0) > 0;
}
