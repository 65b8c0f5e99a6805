import type { Readable } from 'node:stream';
import { forOneClient } from '../server/instructions.ts';
import { serveStandardStreams } from '../server/stdio.ts';
import type { Surface } from '../server/surface.ts';
import { boundedWriter } from './bounded-writer.ts';
import type { ConfigSections } from './config-sections.ts';
import { exitCodes } from './exit-codes.ts';
import { checkRecordings, keepConsoles } from './keep-consoles.ts';
import { loadFleet } from './load-fleet.ts';
import { type Log, openLog } from './log.ts';
import type { Surroundings } from './main.ts';
import type { EarlyThread } from './new-thread.ts';
import type { OptionName, OptionValues } from './options.ts';
import { overHttp } from './serve-http.ts';
import { StdioPage } from './stdio-page.ts';
import { stopSignal } from './stop-signal.ts';
import { catchStrayErrors } from './stray-errors.ts';
import { openWorld } from './world.ts';

/** Something that serves until the other side is gone. */
export interface Endpoint {
  /** Settles when the other side is gone. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

export interface ServeParts {
  /** Somebody said it. */
  isGiven(option: OptionName): boolean;
  readonly early?: EarlyThread | undefined;
}

/** Serves until it is told to stop, then takes everything down that it started. */
export async function serve(
  how: 'stdio' | 'serve',
  options: OptionValues,
  sections: ConfigSections,
  around: Surroundings,
  { isGiven, early }: ServeParts,
): Promise<number> {
  // A client that dies takes its ends of the pipes along; everything that was started is still to be taken down.
  for (const stream of [around.stdin, around.stdout, around.stderr]) stream.on('error', () => {});
  const log = openLog(options.logLevel, options.logFile, boundedWriter(around.stderr));
  const page = how === 'stdio' && options.page !== 'off' ? new StdioPage(options, around.self.version, log) : undefined;
  // Nothing of a fleet is loaded where there is none.
  const fleet = options.nats === undefined ? undefined : await loadFleet(() => import('./gateway.ts'));
  const gateway = await fleet?.openGateway(options, isGiven, sections, log);
  const introduce = page && (() => page.introduce());
  const world = await openWorld(options, sections, around.env, around.self, log, introduce, gateway && { gateway }, {
    early,
  });
  page?.show(world);
  const gaveUp = new AbortController();
  const ignoreStrays = catchStrayErrors(log, () => gaveUp.abort());
  const stopped = stopSignal();
  try {
    await checkRecordings(world.rack.files, sections.consoles);
    await world.prepare();
    await keepConsoles(world.rack, sections.consoles, log);
    const endpoint =
      how === 'stdio'
        ? overStdio(gateway ? world.surface : forOneClient(world.surface), around, log)
        : await overHttp(world, options, sections, around, log, gateway?.team);
    if (endpoint === undefined) return exitCodes.failed;
    await Promise.race([stopped, endpoint.ended, aborted(gaveUp.signal)]);
    await endpoint.close();
    return gaveUp.signal.aborted ? exitCodes.failed : exitCodes.ok;
  } finally {
    await page?.close();
    await world.close();
    await gateway?.close();
    ignoreStrays();
  }
}

function overStdio(surface: Surface, { stdin, stdout, self }: Surroundings, log: Log): Endpoint {
  const ended = Promise.race([over(stdin), over(stdout)]);
  const served = serveStandardStreams(surface, {
    ...{ stdin, stdout },
    version: self.version,
    log: (text) => log('warning', text),
  });
  return { ended, close: () => served.close() };
}

/** A pipe that fails is as closed as one that was closed: there is nobody left to answer. */
function over(stream: Readable | NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
