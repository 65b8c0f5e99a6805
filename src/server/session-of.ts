import { createHash } from 'node:crypto';
import { CLIENT_INFO_META_KEY, type ServerContext } from '@modelcontextprotocol/server';

/**
 * Who calls, so that readers and claims can belong to them: the session where the protocol has one, the one client of
 * our standard streams, else what a stateless request tells of its sender. Two clients of the same name and token that
 * keep no session cannot be told apart.
 */
export function sessionOf(request: ServerContext): string {
  if (request.sessionId !== undefined) return request.sessionId;
  if (request.http === undefined) return 'stdio';
  const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
  const token = request.http.req?.headers.get('authorization') ?? '';
  const sender = JSON.stringify([envelope[CLIENT_INFO_META_KEY], token]);
  return createHash('sha256').update(sender).digest('hex').slice(0, 16);
}
