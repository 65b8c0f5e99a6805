/** The least that answers JSON-RPC, on stdio or with `http` over HTTP: what the transport and Node cost on their own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

function answer(text: string): string {
  const { id, params } = JSON.parse(text) as { id: unknown; params: unknown };
  return JSON.stringify({ jsonrpc: '2.0', id, result: params });
}

if (process.argv[2] === 'http') {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    response.setHeader('content-type', 'application/json').end(answer(body));
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  process.stdin.resume().on('end', () => process.exit());
} else {
  createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(`${answer(line)}\n`));
}
