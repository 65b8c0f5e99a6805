import type { Rack } from '../../src/rack/rack.ts';
import { type HttpEndpoint, type HttpOptions, serveHttp } from '../../src/server/http.ts';
import { nativeSurface } from '../../src/server/native-surface.ts';
import { tokenDigest } from '../../src/server/token-list.ts';
import { LocalToolHost } from '../../src/station/local-tool-host.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { PageServer } from '../../src/view/page-server.ts';

export interface InProcess extends AsyncDisposable {
  readonly url: string;
  readonly endpoint: HttpEndpoint;
  readonly log: string[];
}

/** The HTTP server in this process, for faults and times that cannot be had from outside. */
export async function serveInProcess(rack: Rack, options: Partial<HttpOptions> = {}): Promise<InProcess> {
  const log: string[] = [];
  const toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), (error) => {
    throw error;
  });
  const host = new LocalToolHost(toolbox);
  const surface = nativeSurface(host, { structured: false, omitImages: false });
  const served = await serveHttp(surface, {
    ...{ host: '127.0.0.1', port: 0, version: 'test', audit: host.audit.bind(host) },
    ...{ maxConnections: 100, maxRate: 1000, maxStreams: 10, maxSessions: 10, maxBodyBytes: 1_000_000 },
    ...{ allowedClients: ['127.0.0.1'], allowedHosts: [], allowedOrigins: [], sessionIdleMs: 60_000 },
    tokens: [{ name: undefined, role: 'own', sha256: tokenDigest('token') }],
    log: (level, text) => void log.push(`${level} ${text}`),
    page: new PageServer(host, 10, (text) => void log.push(text)),
    ...options,
  });
  return {
    url: served.url,
    endpoint: served,
    log,
    async [Symbol.asyncDispose]() {
      await served.close();
      await rack.close();
    },
  };
}
