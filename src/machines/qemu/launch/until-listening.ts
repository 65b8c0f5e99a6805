import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { TiedProcess } from '../../../links/tied-process.ts';

const readyMs = 20_000;
const lookEveryMs = 10;

/** Waits until a program that QEMU needs has its socket. The answer is why it never will: then it has been ended. */
export async function untilListening(
  program: TiedProcess,
  socket: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const end = performance.now() + readyMs;
  while (!existsSync(socket)) {
    if (program.end || signal.aborted || performance.now() > end) {
      const why = program.complaints.slice(-300) || program.end?.text || 'it does not listen';
      await program.kill();
      signal.throwIfAborted();
      return why;
    }
    await setTimeout(lookEveryMs);
  }
  return undefined;
}
