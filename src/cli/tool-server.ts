import type { Endpoint } from '../host/server-record.ts';
import { boundedWriter } from './bounded-writer.ts';
import type { ToolServer } from './call-command.ts';
import type { ConfigSections } from './config-sections.ts';
import { openLog } from './log.ts';
import type { Surroundings } from './main.ts';
import type { OptionValues } from './options.ts';
import type { CommandLine } from './parse.ts';
import { RemoteTools } from './remote-tools.ts';
import { runningServers } from './running-server.ts';
import { openWorld } from './world.ts';

/** Options that mean something to a server that is already running. */
const forRunning: ReadonlySet<string> = new Set(['output', 'json', 'config', 'token']);

/**
 * The tools that `call` and `tools` speak of: at the address given, else of this user's running server, else here.
 * Flags that describe a server of our own ask for one, and so does the environment for a list of tools: calls go to where the machines are.
 */
export async function openToolServer(
  options: OptionValues,
  sources: CommandLine['sources'],
  sections: ConfigSections,
  around: Surroundings,
  isListOnly = false,
): Promise<ToolServer> {
  const { url, token } = options;
  if (url !== undefined) return new RemoteTools({ url, ...(token !== undefined && { token }) }, around.self.version);
  const own =
    Object.entries(sources).some(([name, { place }]) => place === 'flag' && !forRunning.has(name)) ||
    (isListOnly && sources.toolset.place === 'environment');
  const [running, ...others] = own ? [] : await runningServers(around.env);
  if (running) {
    around.stderr.write(`frontpanel: using the server that runs at ${running.url}${beside(others)}\n`);
    return new RemoteTools(running, around.self.version);
  }
  return localTools(options, sections, around);
}

/** What a user needs to know to reach another one. */
function beside(others: readonly Endpoint[]): string {
  return others.length === 0 ? '' : `; --url reaches others: ${others.map(({ url }) => url).join(', ')}`;
}

async function localTools(options: OptionValues, sections: ConfigSections, around: Surroundings): Promise<ToolServer> {
  const log = openLog('error', undefined, boundedWriter(around.stderr));
  const { outcomeText } = await import('../api/outcome-text.ts');
  const world = await openWorld(
    { ...options, threads: 0 },
    sections,
    around.env,
    around.self,
    log,
    undefined,
    {},
    {
      endsWithCall: true,
    },
  );
  const { host } = world;
  return {
    list: async () =>
      host.tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema })),
    async call(name, args) {
      const signal = new AbortController().signal;
      const outcome = await host.call(name, args, {
        client: 'command line',
        role: 'own',
        signal,
        progress: () => {},
      });
      const images = outcome.type === 'answer' ? (outcome.answer.images ?? []) : [];
      return {
        text: outcomeText(outcome),
        isError: outcome.type !== 'answer',
        images: images.map(({ mimeType, base64 }) => ({ mimeType, data: base64 })),
      };
    },
    close: () => world.close(),
  };
}
