import { runtimeRoot } from '../host/runtime-dir.ts';
import type { Endpoint } from '../host/server-record.ts';
import { findServers } from '../host/server-sweep.ts';

/** The address of a server of this user's that serves HTTP now, if there is one. */
export async function runningServer(env: NodeJS.ProcessEnv): Promise<Endpoint | undefined> {
  const servers = await findServers(await runtimeRoot(env));
  return servers.find(({ alive, record }) => alive && record?.endpoint !== undefined)?.record?.endpoint;
}
