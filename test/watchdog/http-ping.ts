import type { HttpProgram } from '../support/http-program.ts';

const version = '2025-11-25';
const clientInfo = { name: 'watchdog', version: '1' };

/** A session that only pings, with bare requests: the official client keeps something of each for as long as it lives. */
export async function openPing(server: HttpProgram): Promise<() => Promise<void>> {
  let id = 0;
  const post = async (method: string, params: Record<string, unknown>, headers: Record<string, string>) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const response = await server.fetch({ headers, body });
    const text = await response.text();
    if (!response.ok || !text.includes('"result"')) throw new Error(`${method}: ${response.status} ${text}`);
    return response;
  };
  const opened = await post('initialize', { protocolVersion: version, capabilities: {}, clientInfo }, {});
  const session = opened.headers.get('mcp-session-id');
  const headers = { 'mcp-protocol-version': version, ...(session !== null && { 'mcp-session-id': session }) };
  return () => again(() => post('ping', {}, headers));
}

/** After a long block the server closes connections that it takes for idle: then it is asked once more. */
async function again(ask: () => Promise<unknown>): Promise<void> {
  await ask().catch(ask);
}
