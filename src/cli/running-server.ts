import { runtimeRoot } from '../host/runtime-dir.ts';
import type { Endpoint } from '../host/server-record.ts';
import { findServers } from '../host/server-sweep.ts';

/** The addresses of this user's servers that serve HTTP now. */
export async function runningServers(env: NodeJS.ProcessEnv): Promise<Endpoint[]> {
  const servers = await findServers(await runtimeRoot(env));
  return servers.flatMap(({ alive, record }) => (alive && record?.endpoint ? [record.endpoint] : []));
}
