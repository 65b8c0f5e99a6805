import { runtimeRoot } from '../host/runtime-dir.ts';
import type { Endpoint } from '../host/server-record.ts';
import { findServers } from '../host/server-sweep.ts';

/** The addresses of this user's servers that serve HTTP now, the one first that has run longest. */
export async function runningServers(env: NodeJS.ProcessEnv): Promise<Endpoint[]> {
  const servers = await findServers(await runtimeRoot(env));
  const running = servers.flatMap(({ alive, record }) =>
    alive && record?.endpoint ? [{ startedAt: Date.parse(record.startedAt), endpoint: record.endpoint }] : [],
  );
  return running.sort((one, other) => one.startedAt - other.startedAt).map(({ endpoint }) => endpoint);
}
