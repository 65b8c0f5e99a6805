import type { ClientOptions } from '@modelcontextprotocol/client';
import { HttpProgram } from './http-program.ts';
import { type Era, eras, httpClient, type McpClient, stdioClient } from './mcp-client.ts';
import { Sandbox } from './sandbox.ts';

export type Way = 'stdio' | 'HTTP';

/** Every way to reach the server, with every sort of protocol. */
export const ways: readonly (readonly [Way, Era])[] = (['stdio', 'HTTP'] as const).flatMap((way) =>
  eras.map((era) => [way, era] as const),
);

export interface Served extends AsyncDisposable {
  readonly client: McpClient;
  readonly sandbox: Sandbox;
}

/** A server of its own and a client connected to it. */
export async function serve(
  way: Way,
  era: Era,
  args: readonly string[] = [],
  options: ClientOptions = {},
): Promise<Served> {
  const sandbox = await Sandbox.open();
  const server = way === 'HTTP' ? await HttpProgram.start(sandbox, ...args) : undefined;
  const client = server ? await httpClient(server, era, options) : await stdioClient(sandbox, era, args, options);
  return {
    client,
    sandbox,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server?.[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** Subscribes in the way of the client's protocol; the answer ends it. */
export async function subscribe(client: McpClient, ...uris: readonly string[]): Promise<() => Promise<unknown>> {
  if (client.getProtocolEra() === 'modern') {
    const subscription = await client.listen({ resourceSubscriptions: [...uris], resourcesListChanged: true });
    return () => subscription.close();
  }
  for (const uri of uris) await client.subscribeResource({ uri });
  return () => Promise.all(uris.map((uri) => client.unsubscribeResource({ uri })));
}
