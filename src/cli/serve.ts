import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Rack } from '../rack/rack.ts';
import { serveHttp } from '../server/http.ts';
import { serveStandardStreams } from '../server/stdio.ts';
import { PageServer } from '../view/page-server.ts';
import type { ConfigSections } from './config-sections.ts';
import { startDemo } from './demo.ts';
import { exitCodes } from './exit-codes.ts';
import { keepConsoles } from './keep-consoles.ts';
import { openLog } from './log.ts';
import type { Surroundings } from './main.ts';
import type { OptionValues } from './options.ts';
import { openWorld, type World } from './world.ts';

/** Serves until it is told to stop, then takes everything down that it started. */
export async function serve(
  how: 'stdio' | 'serve',
  options: OptionValues,
  sections: ConfigSections,
  around: Surroundings,
): Promise<number> {
  // A client that dies takes its ends of the pipes along; everything that was started is still to be taken down.
  for (const stream of [around.stdout, around.stderr]) stream.on('error', () => {});
  const log = openLog(options.logLevel, options.logFile, (line) => around.stderr.write(line));
  const world = await openWorld(options, sections, around.env, around.self, log);
  const stopped = stopSignal();
  try {
    if (options.exe !== undefined) await startProgram(world.toolbox.rack, options.exe);
    await keepConsoles(world.toolbox.rack, sections.consoles, log);
    const endpoint = how === 'stdio' ? overStdio(world, around, log) : await overHttp(world, options, around, log);
    if (endpoint === undefined) return exitCodes.failed;
    await Promise.race([stopped, endpoint.ended]);
    await endpoint.close();
    return exitCodes.ok;
  } finally {
    await world.close();
  }
}

/** The machine that the dialect spice86 speaks of: its program runs before anybody connects. */
async function startProgram(rack: Rack, program: string): Promise<void> {
  await rack.start('dos', { program, clock: 'real' });
}

interface Endpoint {
  /** Settles when the other side is gone. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

function overStdio(world: World, { stdin, self }: Surroundings, log: ReturnType<typeof openLog>): Endpoint {
  const ended = Promise.race([once(stdin, 'end'), once(stdin, 'close')]);
  const served = serveStandardStreams(world.surface, {
    version: self.version,
    log: (text) => log('warning', text),
  });
  return { ended, close: () => served.close() };
}

async function overHttp(
  world: World,
  options: OptionValues,
  { stderr, self }: Surroundings,
  log: ReturnType<typeof openLog>,
): Promise<Endpoint | undefined> {
  const token = options.noToken ? undefined : (options.token ?? randomBytes(24).toString('base64url'));
  const gate = {
    token,
    allowedClients: options.allowedClients,
    allowedHosts: [...options.allowedHosts, options.host],
    allowedOrigins: options.allowedOrigins,
    maxRate: options.maxRate,
  };
  try {
    const { maxStreams, maxSessions, maxBodyBytes, host, port } = options;
    const served = await serveHttp(world.surface, {
      ...gate,
      ...{ maxStreams, maxSessions, maxBodyBytes, host, port },
      version: self.version,
      log: (text) => log('warning', text),
      page: new PageServer(world.toolbox.rack, maxStreams),
    });
    if (options.demo) await startDemo(world.toolbox.rack);
    world.announce({ url: served.url, ...(token !== undefined && { token }) });
    stderr.write(`frontpanel ${self.version} serves MCP at ${served.url}\n`);
    stderr.write(token === undefined ? 'No token is needed.\n' : `Authorization: Bearer ${token}\n`);
    const page = new URL('/', served.url);
    if (token !== undefined) page.searchParams.set('token', token);
    stderr.write(`Live page: ${page}\n`);
    return { ended: new Promise(() => {}), close: () => served.close() };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const why = error.code === 'EADDRINUSE' ? `port ${options.port} is in use` : error.message;
    stderr.write(`frontpanel: cannot listen on ${options.host}: ${why}. Choose another with --port, or 0 for any.\n`);
    return undefined;
  }
}

function stopSignal(): Promise<unknown> {
  return Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal)));
}
