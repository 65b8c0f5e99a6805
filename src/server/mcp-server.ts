import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { mayAct } from '../api/roles.ts';
import type { Deed, ResourceFamily } from '../api/tool-host.ts';
import { visibleText } from '../api/visible.ts';
import { actorOf } from './caller-of.ts';
import { CheckedServer, type OnWork } from './checked-server.ts';
import { readView, showsViews, withView } from './embedded-views.ts';
import type { Surface } from './surface.ts';

export interface ServerIdentity {
  readonly version: string;
}

/** Signs what a client carries from one round of a call to the next. */
export const requestState = createRequestStateCodec<{ readonly call: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
  ttlSeconds: 600,
});

/** Lists change only with machines that come and go; clients may keep them this long. */
const listCache = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** In `_meta` of a request for the list of tools, by programs that want all that can be called. */
const allToolsKey = 'frontpanel/allTools';

/** One protocol endpoint over a surface. HTTP makes a fresh one per request, so this must stay cheap. */
export function createMcpServer(surface: Surface, { version }: ServerIdentity, onWork?: OnWork): Server {
  const server = new CheckedServer(
    { name: 'frontpanel', version, title: 'frontpanel: emulated machines and consoles' },
    {
      instructions: surface.instructions,
      capabilities: {
        tools: surface.onToolsListed ? { listChanged: true } : {},
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
        ...(surface.prompts.length > 0 && { prompts: {} }),
      },
      requestState: { verify: requestState.verify },
      cacheHints: { 'tools/list': listCache, 'server/discover': listCache },
    },
    onWork,
  );
  serveTools(server, surface);
  serveResources(server, surface);
  serveCompletions(server, surface);
  if (surface.prompts.length > 0) servePrompts(server, surface);
  return server;
}

function serveTools(server: Server, { tools, isListed = () => true, unknownTool, views = [] }: Surface): void {
  server.setRequestHandler('tools/list', async (request, context) => {
    const { role } = actorOf(context, server);
    const all = request.params?._meta?.[allToolsKey] === true;
    const usable = tools.filter((tool) => mayAct(role, tool.role) && (all || isListed(tool.definition.name)));
    const shown = showsViews(context, server) ? views : [];
    return { tools: usable.map(({ definition }) => withView(definition, shown)) };
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: input } = request.params;
    const tool = tools.find(({ definition }) => definition.name === name);
    if (!tool && unknownTool) throw unknownTool(name);
    if (!tool) {
      const known = tools.map(({ definition }) => definition.name).join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${visibleText(name)}. Tools: ${known}`);
    }
    return tool.call(input, context, server);
  });
}

function serveResources(server: Server, { resources: families, views = [], audit }: Surface): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: families.flatMap((family) => family.list().map((entry) => ({ ...entry }))),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: families.flatMap(({ template }) => (template ? [{ ...template }] : [])),
  }));
  server.setRequestHandler('resources/read', async (request, context) => {
    const { uri } = request.params;
    const actor = actorOf(context, server);
    const machine = families.map(({ owner }) => owner?.(uri)).find((owner) => owner !== undefined);
    const began = performance.now();
    const noted = (outcome: Deed['outcome'], why?: string) =>
      audit(actor, {
        ...{ tool: 'resources/read', resource: uri, machine, outcome, why },
        durationMs: Math.round(performance.now() - began),
      });
    try {
      const content = await (readView(uri, views) ?? readResource(families, uri));
      noted('done');
      return { contents: [{ ...content }] };
    } catch (error) {
      noted('failed', error instanceof Error ? error.message : String(error));
      throw error;
    }
  });
}

function readResource(families: readonly ResourceFamily[], uri: string) {
  for (const family of families) {
    const reading = family.read(uri);
    if (reading !== undefined) return reading;
  }
  throw new ResourceNotFoundError(uri, `Resource not found: ${visibleText(uri)}`);
}

function serveCompletions(server: Server, { resources, prompts }: Surface): void {
  server.setRequestHandler('completion/complete', async (request) => {
    const { ref, argument } = request.params;
    const source =
      ref.type === 'ref/resource'
        ? resources.find(({ template }) => template?.uriTemplate === ref.uri)
        : prompts.find(({ definition }) => definition.name === ref.name);
    const values = source?.complete?.(argument.name, argument.value) ?? [];
    return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
  });
}

function servePrompts(server: Server, { prompts }: Surface): void {
  server.setRequestHandler('prompts/list', async () => ({ prompts: prompts.map(({ definition }) => definition) }));
  server.setRequestHandler('prompts/get', async (request, context) => {
    const { name, arguments: args = {} } = request.params;
    const prompt = prompts.find(({ definition }) => definition.name === name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt ${visibleText(name)}`);
    return prompt.get(args, context);
  });
}
