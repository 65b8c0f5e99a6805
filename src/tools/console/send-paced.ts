import type { ConsolePort, WriteMode, WriteResult } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import { pause } from './pause.ts';

export interface PacedOptions {
  /** Pause between characters; 0 sends everything at once. */
  readonly charDelayMs: number;
  readonly mode: WriteMode;
  /** For the whole of it, in mode `retry`. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends bytes character by character for devices that cannot take them faster. Stops at the first one that is not
 * taken, or when the signal aborts; the rest counts as refused. The counts always add up to all of `bytes`.
 */
export async function sendPaced(port: ConsolePort, bytes: Uint8Array, options: PacedOptions): Promise<WriteResult> {
  const { charDelayMs, mode, timeoutMs, signal } = options;
  const deadline = performance.now() + timeoutMs;
  const total = { written: 0, queued: 0 };
  const sum = (): WriteResult => ({ ...total, refused: bytes.length - total.written - total.queued });
  for (let at = 0; at < bytes.length; ) {
    if (signal?.aborted) break;
    const end = charDelayMs > 0 ? characterEnd(bytes, at) : bytes.length;
    const remainingMs = Math.max(0, Math.ceil(deadline - performance.now()));
    let result: WriteResult;
    try {
      result = await port.write(bytes.subarray(at, end), { mode, timeoutMs: remainingMs, ...(signal && { signal }) });
    } catch (error) {
      throw withCounts(error, sum(), bytes.length);
    }
    total.written += result.written;
    total.queued += result.queued;
    if (result.refused > 0) break;
    at = end;
    if (at < bytes.length) await pause(charDelayMs, signal);
  }
  return sum();
}

/** Where the UTF-8 character at `at` ends. */
function characterEnd(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  let end = at + 1;
  while (end < at + length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}

/** What was sent before a failure is not to be sent again. */
function withCounts(error: unknown, counts: WriteResult, total: number): unknown {
  if (!(error instanceof MachineError) || counts.refused === total) return error;
  const message = `${error.message} ${counts.written + counts.queued} of ${total} bytes had been accepted before that.`;
  return new MachineError(error.type, message, error.advice, { ...error.data, ...counts }, { cause: error });
}
