import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';

/** The client's own name for itself, for the journal. */
export function clientName(request: ServerContext, server: Server): string {
  const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const name = typeof info === 'object' && info !== null && 'name' in info ? String(info.name) : 'unknown client';
  return name.slice(0, 80);
}
