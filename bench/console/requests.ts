const clientInfo = { name: 'bench', version: '1' };

/** The protocols with a handshake, and the one of 2026-07-28 that has none. */
export type Era = 'legacy' | 'modern';

export interface Message {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: object;
}

export interface Request extends Message {
  readonly id: number;
}

/** Whatever sends one JSON-RPC request and waits for its result. */
export interface Caller extends AsyncDisposable {
  request(message: Request): Promise<unknown>;
  notify(message: Message): void | Promise<void>;
}

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What HTTP asks for beside the body. */
export function httpHeaders(era: Era, tool: string): Record<string, string> {
  if (era === 'legacy') return {};
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool };
}

export async function initialize(caller: Caller): Promise<void> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await caller.request({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await caller.notify({ jsonrpc: '2.0', method: 'notifications/initialized', params: {} });
}

export function toolCall(era: Era, id: number, name: string): Request {
  const meta = era === 'modern' ? { _meta: modernMeta } : {};
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...meta } };
}

export function checkedResult(text: string): unknown {
  const { result, error } = JSON.parse(text) as { result?: unknown; error?: unknown };
  if (result === undefined) throw new Error(`no result: ${JSON.stringify(error)}`);
  return result;
}
