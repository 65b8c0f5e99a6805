import fc from 'fast-check';
import { connectionCases } from '../fuzz/http-cases.ts';
import type { AttackCase, AttackGroup } from './attack-case.ts';
import type { Battlefield } from './battlefield.ts';

const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'machine_list', arguments: {} },
});

const wrongTokens: readonly (readonly string[])[] = [
  [],
  ['Authorization: Bearer'],
  ['Authorization: Bearer '],
  ['Authorization: Bearer null'],
  ['Authorization: Bearer undefined'],
  ['Authorization: Basic dG9rZW46dG9rZW4='],
  ['Authorization: Bearer token-of-the-owner-012345678'],
  ['Authorization: Bearer token-of-the-owner-01234567890'],
  ['Authorization: Bearer TOKEN-OF-THE-OWNER-0123456789'],
  ['Authorization: bearer\ttoken-of-the-owner-012345678x'],
  ['Authorization: Bearer token-of-the-owner-0123456780\0'],
  ['Cookie: frontpanel=token-of-the-owner-012345678'],
  ['X-Forwarded-For: 127.0.0.1', 'X-Real-IP: 127.0.0.1'],
  ['Proxy-Authorization: Bearer token-of-the-owner-0123456789'],
];
const targets = [
  '/mcp',
  '/mcp/',
  '//mcp',
  '/mcp?token=x',
  '/view',
  '/session',
  '/page.js/../mcp',
  '/%6dcp',
  'http://127.0.0.1/mcp',
];

function request(field: Battlefield, method: string, target: string, headers: readonly string[], body = call): string {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${new URL(field.server.url).host}`];
  const rest = ['Content-Type: application/json', 'Accept: application/json, text/event-stream', 'Connection: close'];
  const length = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    ? []
    : [`Content-Length: ${body.length}`];
  return [`${method} ${target} HTTP/1.1`, ...host, ...headers, ...rest, ...length, '', body].join('\r\n');
}

/** An answer to the call can only come from behind the gate. */
const gotIn = (answer: string) =>
  /"result"|c64 |Sec-WebSocket-Accept/.test(answer) ? answer.slice(0, 200) : undefined;

export const withoutToken: AttackGroup = {
  name: 'HTTP without the token',
  cases: () =>
    targets.flatMap((target) =>
      wrongTokens.map((headers) => ({
        name: `POST ${target} ${headers.join(', ')}`,
        run: async (field) => gotIn(await field.exchange(request(field, 'POST', target, headers))),
      })),
    ),
};

const foreign = [
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '0x7f.1',
  '127.0.0.1@evil.example',
  '[::ffff:8.8.8.8]',
  '',
];
const origins = [
  'https://evil.example',
  'null',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example',
  'file://',
  'http://[::1].evil.example',
  'chrome-extension://abc',
];

export const rebinding: AttackGroup = {
  name: 'HTTP from another site, with the token',
  cases: (field) => {
    const token = `Authorization: Bearer ${field.token}`;
    const attempt = (name: string, headers: readonly string[]): AttackCase => ({
      name,
      run: async () => gotIn(await field.exchange(request(field, 'POST', '/mcp', [token, ...headers]))),
    });
    return [
      ...foreign.map((host) => attempt(`Host ${host}`, [`Host: ${host}`])),
      ...origins.map((origin) => attempt(`Origin ${origin}`, [`Origin: ${origin}`])),
      ...origins.map((origin) => attempt(`Host and Origin ${origin}`, ['Host: evil.example', `Origin: ${origin}`])),
    ];
  },
};

const smuggled = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n';

export const malformed: AttackGroup = {
  name: 'HTTP that is none',
  cases: (field) => {
    const bodies: readonly (readonly string[])[] = [
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Content-Length: -1'],
      ['Content-Length: 99999999999'],
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Transfer-Encoding: chunked, identity'],
      ['Transfer-Encoding: xchunked'],
      ['Content-Encoding: gzip'],
      [`X: ${'a'.repeat(100_000)}`],
      ['Expect: 100-continue'],
      ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings'],
    ];
    const made = bodies.map((headers) => ({
      name: headers.join(', ').slice(0, 60),
      run: async () => gotIn(await field.exchange(request(field, 'POST', '/mcp', headers, `0\r\n\r\n${smuggled}`))),
    }));
    // Without the token, whatever it is: nothing comes back but refusals.
    const noise = fc
      .sample(connectionCases('not-the-token-0123456789'), { numRuns: 110, seed: 4711 })
      .map(({ pieces }, index) => ({
        name: `noise ${index}`,
        run: async () => gotIn(await field.exchange(Buffer.concat(pieces), 150)),
      }));
    return [...made, ...noise];
  },
};
