import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const ofUpgrade = new Set(['upgrade', 'http2-settings']);

/**
 * Has a request answered that offers a protocol which is not served here, as if it had not. Some clients, Java's among
 * them, offer HTTP/2 with their first request and expect to be answered either way; Node takes every such request for an
 * upgrade. False if that is not possible.
 */
export function ignoreUpgrade(server: HttpServer, req: IncomingMessage, socket: Duplex, head: Buffer): boolean {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index] ?? '';
    const value = remaining(name, req.rawHeaders[index + 1] ?? '');
    if (value !== undefined) lines.push(`${name}: ${value}`);
  }
  if (lines.some((line) => /[\r\n\0]/.test(line))) return false;
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
  return true;
}

function remaining(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (ofUpgrade.has(lower)) return undefined;
  if (lower !== 'connection') return value;
  const kept = value.split(',').filter((token) => !ofUpgrade.has(token.trim().toLowerCase()));
  return kept.length === 0 ? undefined : kept.join(',');
}
