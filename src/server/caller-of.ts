import { createHash } from 'node:crypto';
import {
  type AuthInfo,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Actor } from '../api/roles.ts';
import type { Caller } from '../api/tool-host.ts';
import { progressReporter } from './progress.ts';
import type { Bearer } from './token-list.ts';

/** Somebody who came in over HTTP. */
export interface HttpClient extends Bearer {
  readonly address: string | undefined;
}

/** The SDK hands an `AuthInfo` through to each request's context; this is who stands for it. */
const clients = new WeakMap<AuthInfo, HttpClient>();

export function authInfoFor(client: HttpClient): AuthInfo {
  const info: AuthInfo = { token: '', clientId: client.name ?? '', scopes: [client.role] };
  clients.set(info, client);
  return info;
}

/** Who makes a request. Whoever has our standard streams started us; over HTTP the token says it. */
export function actorOf(request: ServerContext, server: Server): Actor {
  const agent = agentName(request, server);
  if (request.http === undefined) return { client: agent, role: 'own', agent, address: 'stdio' };
  const client = request.http.authInfo && clients.get(request.http.authInfo);
  if (!client) throw new ProtocolError(ProtocolErrorCode.InternalError, 'Nobody knows who sent this request');
  return { client: client.name ?? agent, role: client.role, agent, address: client.address };
}

export function callerOf(request: ServerContext, server: Server): Caller {
  const { signal } = request.mcpReq;
  return { ...actorOf(request, server), session: sessionOf(request), signal, progress: progressReporter(request) };
}

/**
 * Whose readers and claims on consoles a call means: the session where the protocol has one, the one client of our
 * standard streams, else what a stateless request tells of its sender. Two clients of the same name and token that keep
 * no session cannot be told apart.
 */
function sessionOf(request: ServerContext): string {
  if (request.sessionId !== undefined) return request.sessionId;
  if (request.http === undefined) return 'stdio';
  const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
  const token = request.http.authInfo && clients.get(request.http.authInfo)?.name;
  const sender = JSON.stringify([envelope[CLIENT_INFO_META_KEY], token]);
  return createHash('sha256').update(sender).digest('hex').slice(0, 16);
}

/** The client's own name for itself. */
function agentName(request: ServerContext, server: Server): string {
  const envelope: Record<string, unknown> = request.mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const name = typeof info === 'object' && info !== null && 'name' in info ? String(info.name) : 'unknown client';
  return name.slice(0, 80);
}
