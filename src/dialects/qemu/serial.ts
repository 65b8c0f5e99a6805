import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { answerOf, found } from './machine.ts';

/** At the end of what was shown. */
const reader = 'qemu-dialect';
/** Goes ahead of it, to what is waited for. */
const scout = 'qemu-dialect-wait';
const anything = '/[\\s\\S]/';

type Data = Readonly<Record<string, unknown>>;

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
export async function sendLine(host: ToolHost, caller: Caller, text: string, waiting: Waiting): Promise<SerialOutput> {
  const { wait_for, timeout } = waiting;
  const until =
    wait_for === undefined && timeout !== undefined
      ? untilPrompt(await placeOf(host, caller), timeout)
      : conditions(wait_for, timeout);
  const { data } = await answerOf(host, caller, 'console_send', { text, eol: 'cr', reader: scout, ...until });
  return shown(host, caller, waiting, data);
}

/** Shows everything from the last call to what is waited for, or to now. */
export async function readSerial(host: ToolHost, caller: Caller, waiting: Waiting): Promise<SerialOutput> {
  if (!hasConsole(host)) return { output: '' };
  const { wait_for, timeout } = waiting;
  const wanted = wait_for ?? (timeout ? anything : undefined);
  const { at } = await placeOf(host, caller);
  const { data } = await answerOf(host, caller, 'console_read', {
    ...{ from: String(at), reader: scout },
    ...conditions(wanted, timeout),
  });
  return shown(host, caller, waiting, wait_for === undefined ? undefined : data);
}

/** Until the line that is there now comes again, or else for the whole time: silence is no sign of an end. */
function untilPrompt({ last_line: line }: Data, timeout: number): Data {
  const prompt = String(line ?? '').trimStart();
  if (prompt) return conditions(`/[\\r\\n]\\s*${prompt.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}/`, timeout);
  const timeoutMs = Math.round(timeout * 1000);
  return { quiet_ms: timeoutMs, timeout_ms: timeoutMs };
}

function conditions(expect: string | undefined, timeout: number | undefined): Data {
  return {
    ...(expect !== undefined && { expect }),
    ...(timeout !== undefined && { timeout_ms: Math.round(timeout * 1000) }),
  };
}

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
