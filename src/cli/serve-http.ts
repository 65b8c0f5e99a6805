import { keptToken } from '../host/kept-token.ts';
import { serveHttp } from '../server/http.ts';
import { PageServer } from '../view/page-server.ts';
import { clientLines } from './client-lines.ts';
import type { ConfigSections } from './config-sections.ts';
import { exposureWarnings } from './exposure.ts';
import { type ServerTokens, serverTokens } from './known-tokens.ts';
import type { Log } from './log.ts';
import type { Surroundings } from './main.ts';
import type { OptionValues } from './options.ts';
import { pageUrl, reachable } from './page-url.ts';
import { refusalOfGuest } from './refusal-of-guest.ts';
import type { Endpoint } from './serve.ts';
import { type LoadedTls, loadTls, watchTls } from './tls-files.ts';
import type { World } from './world.ts';

const sessionIdleMs = 30 * 60_000;

/** Serves MCP and the page over HTTP; undefined where it cannot listen, which it has said. */
export async function overHttp(
  world: World,
  options: OptionValues,
  sections: ConfigSections,
  { stderr, self, env }: Surroundings,
  log: Log,
  team?: string,
): Promise<Endpoint | undefined> {
  const tokens = serverTokens(
    options,
    sections.tokens,
    await keptToken(env, (text) => stderr.write(`frontpanel: ${text}\n`), team),
  );
  const { tlsCert, tlsKey } = options;
  const paths = tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined;
  const tls = paths && loadTls(paths);
  for (const warning of [...tokens.warnings, ...exposureWarnings(options)]) stderr.write(`frontpanel: ${warning}\n`);
  const { host: tools } = world;
  const served = await listening();
  if (served === undefined) return undefined;
  try {
    if (options.demo) await world.showDemo();
  } catch (error) {
    await served.close();
    throw error;
  }
  const announce = (loaded: LoadedTls | undefined) =>
    world.announce({
      url: served.url,
      ...(tokens.own !== undefined && { token: tokens.own }),
      ...(loaded && { certificate: loaded.fingerprint }),
    });
  announce(tls);
  const unwatch = paths
    ? watchTls(paths, {
        changed(renewed) {
          served.renewTls(renewed);
          announce(renewed);
          log('notice', `tls: ${paths.cert} was renewed; it is valid until ${renewed.validTo.toISOString()}`);
        },
        failed: (error) => log('error', `tls: the certificate before stays in use: ${String(error)}`),
      })
    : () => {};
  stderr.write(greeting(self.version, reachable(served.url), tokens));
  return {
    ended: new Promise(() => {}),
    async close() {
      unwatch();
      await served.close();
    },
  };

  async function listening() {
    const { maxStreams, maxSessions, maxConnections, maxBodyBytes, maxRate, host, port } = options;
    try {
      return await serveHttp(world.surface, {
        ...{ maxStreams, maxSessions, maxConnections, maxBodyBytes, maxRate, host, port, sessionIdleMs, tls, log },
        tokens: tokens.known,
        allowedClients: options.allowedClients,
        allowedHosts: [...options.allowedHosts, host],
        allowedOrigins: options.allowedOrigins,
        version: self.version,
        audit: (actor, deed) => tools.audit(actor, deed),
        page: new PageServer(tools, maxStreams, (text) => log('error', text)),
        ...(options.noToken && { strangerAt: (socket) => refusalOfGuest(socket, tools) }),
      });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      const why = error.code === 'EADDRINUSE' ? `port ${options.port} is in use` : error.message;
      stderr.write(`frontpanel: cannot listen on ${options.host}: ${why}. Choose another with --port, or 0 for any.\n`);
      return undefined;
    }
  }
}

function greeting(version: string, url: string, { own, isShown, known }: ServerTokens): string {
  const shown = isShown ? own : undefined;
  const access =
    own === undefined
      ? 'No token is needed.'
      : isShown
        ? `Authorization: Bearer ${own}`
        : `Tokens: ${known.flatMap(({ name, role }) => (name === 'local' ? [] : [`${name} (${role})`])).join(', ')}`;
  const connecting = own === shown ? [clientLines(url, shown)] : [];
  return [
    `frontpanel ${version} serves MCP at ${url}`,
    access,
    ...connecting,
    `Live page: ${pageUrl(url, shown)}\n`,
  ].join('\n');
}
