import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import type { ResourceContent } from '../api/tool-host.ts';

/** The extension MCP Apps, in which a client shows pages of a server beside the answers of its tools. */
const extension = 'io.modelcontextprotocol/ui';
const mimeType = 'text/html;profile=mcp-app';

/** A page that is shown within a client, with the tools whose answers it is shown beside. */
export interface EmbeddedView {
  /** `ui://…` */
  readonly uri: string;
  readonly tools: readonly string[];
  html(): Promise<string>;
}

/** Whether this client shows such pages; the 2026 protocol says so with each request, before it, it was said once. */
export function showsViews(request: ServerContext, server: Server): boolean {
  const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const settings = fieldOf(fieldOf(capabilities, 'extensions'), extension);
  const types = fieldOf(settings, 'mimeTypes');
  return Array.isArray(types) && types.includes(mimeType);
}

/** The tool with what tells the client to show a page. */
export function withView(tool: Tool, views: readonly EmbeddedView[]): Tool {
  const view = views.find(({ tools }) => tools.includes(tool.name));
  return view ? { ...tool, _meta: { ui: { resourceUri: view.uri } } } : tool;
}

/** A page that needs nothing from outside. */
export function readView(uri: string, views: readonly EmbeddedView[]): Promise<ResourceContent> | undefined {
  return views
    .find((view) => view.uri === uri)
    ?.html()
    .then((text) => ({ uri, mimeType, text, _meta: { ui: { csp: {}, prefersBorder: false } } }));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
