import { MachineError } from '../machine/errors.ts';
import type { HostFiles } from '../machine/files.ts';
import type { Rack } from '../rack/rack.ts';
import type { KeptConsole } from './console-rows.ts';
import type { Log } from './log.ts';
import { UsageError } from './usage-error.ts';

/** The server is there for others after this long, whatever a console still waits for. */
const patienceMs = 1000;
const firstRetryMs = 1000;
const lastRetryMs = 60_000;

/** A recording is a file as agents name them: one that would lie outside can never begin, and is said so at the start. */
export async function checkRecordings(
  files: Pick<HostFiles, 'resolve'>,
  consoles: Readonly<Record<string, KeptConsole>>,
): Promise<void> {
  for (const [name, { options }] of Object.entries(consoles)) {
    if (options.record === undefined) continue;
    try {
      await files.resolve(options.record, 'write');
    } catch (error) {
      if (!(error instanceof MachineError) || error.type !== 'PATH_NOT_ALLOWED') continue;
      throw new UsageError([`"record" of the console ${name}: ${error.message} ${error.fix}`]);
    }
  }
}

/** Attaches to the consoles that the configuration names. One that cannot be had yet is tried again for ever. */
export async function keepConsoles(
  rack: Rack,
  consoles: Readonly<Record<string, KeptConsole>>,
  log: Log,
): Promise<void> {
  const attached = Object.entries(consoles).map(([name, entry]) => keep(rack, name, entry, log, firstRetryMs));
  if (attached.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([Promise.all(attached), late]);
  clearTimeout(timer);
}

async function keep(
  rack: Rack,
  name: string,
  entry: KeptConsole,
  log: Log,
  retryMs: number,
  complaint?: string,
): Promise<void> {
  try {
    await rack.start('console', entry.options, name, { ...(entry.log && { log: entry.log }) });
  } catch (error) {
    if (rack.isClosed) return;
    const fix = error instanceof MachineError ? ` ${error.fix}` : '';
    const reason = `${error instanceof Error ? error.message : String(error)}${fix}`;
    // What goes on for days is said once.
    if (reason !== complaint) log('error', `console ${name} cannot be attached: ${reason} It is tried again.`);
    const nextMs = Math.min(2 * retryMs, lastRetryMs);
    setTimeout(() => void keep(rack, name, entry, log, nextMs, reason), retryMs).unref();
  }
}
