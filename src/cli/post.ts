import { request } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The server is known by the SHA-256 fingerprint of its certificate; who signed it for which name does not matter. */
  readonly certificate?: string | undefined;
}

export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

/** One request to a server, whose certificate may be one of its own. */
export async function post(url: string, { headers, body, certificate }: PostOptions): Promise<PostAnswer> {
  if (certificate === undefined) {
    const response = await fetch(url, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  }
  const socket = await pinned(new URL(url), certificate);
  return new Promise((resolve, reject) => {
    const sent = request(url.replace(/^https:/, 'http:'), { method: 'POST', headers, createConnection: () => socket });
    sent.on('error', reject);
    sent.on('response', (response) => {
      readAll(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
    sent.end(body);
  }).finally(() => socket.destroy()) as Promise<PostAnswer>;
}

function pinned({ hostname, port }: URL, certificate: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || 443, rejectUnauthorized: false });
    socket.on('error', reject);
    socket.once('secureConnect', () => {
      if (socket.getPeerCertificate().fingerprint256 === certificate) resolve(socket);
      else socket.destroy(new Error('its certificate is not the one that the server has announced'));
    });
  });
}
