import fc from 'fast-check';

/**
 * What anybody could send to the server, as fast-check arbitraries: bytes on a connection, frames on the page's socket,
 * messages of the protocol. Nothing in here knows how to reach one; `http.test.ts` does, and so can others.
 */

/** How a connection ends after everything was sent. */
export type Farewell = 'wait' | 'end' | 'reset';

export interface ConnectionCase {
  /** Sent one after the other, each in a packet of its own. */
  readonly pieces: readonly Uint8Array[];
  readonly farewell: Farewell;
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const junk = (maxLength: number) =>
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength });

const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD') },
  fc.constantFrom('PUT', 'PATCH', 'TRACE', 'CONNECT', 'PRI', 'get', 'M-SEARCH', 'QUERY'),
  junk(12),
);

const targets = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/mcp', '/', '/view', '/session', '/page.js', '/mcp?x=1', '/view?token=x') },
  fc.constantFrom(
    '//',
    '*',
    '',
    '/%',
    '/%00',
    '/../../etc/passwd',
    '/..%2f',
    'http://',
    'http://[',
    'http://127.0.0.1/mcp',
  ),
  fc.constantFrom('//evil.example/', '/__proto__', '/constructor', 'view', `/${'a'.repeat(20_000)}`, '127.0.0.1:22'),
  fc.webPath().map((path) => `/${path}`),
  junk(40),
);

const versions = fc.oneof(
  { weight: 8, arbitrary: fc.constant('HTTP/1.1') },
  fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', 'HTTP/9.9', 'http/1.1', ''),
  junk(10),
);

/** Headers that mean something here, with values from right to absurd. */
const headers = (token: string) => {
  const of = (name: string, ...values: string[]) =>
    fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...values), junk(30)));
  return fc.oneof(
    of('Host', '127.0.0.1', 'localhost', 'evil.example', '', '[::1]', '127.0.0.1:99999', 'a@127.0.0.1', '127.0.0.1, x'),
    of('Origin', 'http://127.0.0.1', 'null', '', 'https://evil.example', 'http://[', 'file://', 'http://127.0.0.1:1/x'),
    of(
      'Authorization',
      `Bearer ${token}`,
      'Bearer',
      'Bearer  ',
      'Basic Og==',
      `bearer ${token} x`,
      `Bearer ${'x'.repeat(9000)}`,
    ),
    of(
      'Content-Type',
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/json;;;',
      'a/b/c',
    ),
    of('Accept', 'application/json, text/event-stream', '*/*', '', 'text/event-stream'),
    of('Content-Length', '0', '5', '40', '-1', '99999999999', '0x10', '1e3', '5, 5'),
    of('Transfer-Encoding', 'chunked', 'identity', 'gzip, chunked', 'chunked, chunked', 'xchunked'),
    of('Connection', 'close', 'keep-alive', 'Upgrade', 'Upgrade, close', 'TE'),
    of('Upgrade', 'websocket', 'h2c', 'WebSocket', 'TLS/1.0', ''),
    of('Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', 'x', ''),
    of('Sec-WebSocket-Version', '13', '8', '99', '13, 8'),
    of(
      'Sec-WebSocket-Protocol',
      'frontpanel',
      `frontpanel, frontpanel.token.${btoa(token)}`,
      'frontpanel.token.',
      ',,,',
      '=;',
    ),
    of('Sec-WebSocket-Extensions', 'permessage-deflate', 'permessage-deflate; client_max_window_bits=99', ';;='),
    of('Mcp-Session-Id', '0', '__proto__', '00000000-0000-0000-0000-000000000000'),
    of('Mcp-Protocol-Version', '2025-11-25', '2026-07-28', '1999-01-01'),
    of('Mcp-Method', 'tools/list', 'ping', 'tools/call'),
    of('Mcp-Name', 'machine_list', '__proto__'),
    of('Last-Event-Id', '0', '1._GET_stream', '99999999999999999999.x', '1.'),
    of('Expect', '100-continue', '200-ok'),
    of('Access-Control-Request-Method', 'POST', 'BREW'),
    fc.tuple(junk(20), junk(200)),
    fc.tuple(fc.constant('X-Long'), fc.constant('x'.repeat(20_000))),
  );
};

/** Any of a request's ids, and some that are none. */
const ids = fc.oneof(fc.integer(), fc.string({ maxLength: 20 }), fc.double(), fc.constantFrom(null, true, {}, []));

const protocolMethods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list'],
  ...['resources/subscribe', 'resources/unsubscribe', 'completion/complete', 'logging/setLevel', 'prompts/list'],
  ...[
    'prompts/get',
    'server/discover',
    'notifications/initialized',
    'notifications/progress',
    'tasks/get',
    'roots/list',
  ],
];

const meta = fc.oneof(
  fc.constant({}),
  fc.constant({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Tools that answer at once and change nothing, whatever they are given. */
const quickTools = [
  'machine_list',
  'machine_kinds',
  'events_read',
  'screen_read',
  'memory_read',
  'batch',
  'no_such_tool',
];

/** Stands for so many brackets in each other, which only fit into text: whatever follows them runs out of stack. */
const deep = fc.integer({ min: 1, max: 50_000 }).map((depth) => `deep ${depth}`);
const written = (message: unknown) =>
  (JSON.stringify(message) ?? '').replace(
    /"deep (\d+)"/g,
    (_, depth) => '['.repeat(Number(depth)) + ']'.repeat(Number(depth)),
  );

const params = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      name: fc.oneof(fc.constantFrom(...quickTools), fc.jsonValue({ maxDepth: 1 })),
      arguments: fc.oneof(fc.constant({}), fc.jsonValue({ maxDepth: 3 }), deep),
      uri: fc.oneof(
        fc.constantFrom('kind://c64', 'machine://x/status', 'console://x/y/output', 'file:///etc/passwd', '::'),
        fc.jsonValue(),
      ),
      level: fc.constantFrom('debug', 'loud', 7, null),
      ref: fc.jsonValue({ maxDepth: 2 }),
      argument: fc.jsonValue({ maxDepth: 2 }),
      cursor: fc.jsonValue({ maxDepth: 1 }),
      protocolVersion: fc.constantFrom('2025-11-25', '2026-07-28', 'x', 5),
      capabilities: fc.oneof(fc.constant({}), fc.jsonValue({ maxDepth: 2 })),
      clientInfo: fc.oneof(fc.constant({ name: 'x', version: '1' }), fc.jsonValue({ maxDepth: 1 })),
      inputResponses: fc.jsonValue({ maxDepth: 2 }),
      requestState: fc.jsonValue({ maxDepth: 1 }),
      _meta: meta,
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  deep,
);

const messages: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.jsonValue({ maxDepth: 1 })),
        id: ids,
        method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...protocolMethods) }, fc.jsonValue({ maxDepth: 1 })),
        params,
        result: fc.jsonValue({ maxDepth: 2 }),
        error: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: ['jsonrpc', 'method'] },
    ),
  },
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.record({ jsonrpc: fc.constant('2.0'), id: ids, method: fc.constantFrom('ping', 'tools/list') }), {
    maxLength: 30,
  }),
);

/** The text of a message of the protocol, or of something like one. */
export const rpcTexts: fc.Arbitrary<string> = messages.map(written);

/** One line on standard input: mostly a message, sometimes anything. */
export const rpcLines: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: rpcTexts },
  junk(200).map((text) => text.replaceAll('\n', ' ')),
  rpcTexts.chain((text) => fc.nat(text.length).map((length) => text.slice(0, length))),
  fc.constantFrom('', ' ', '\uFEFF{}', 'null', '[]', '{', '"', '\0'),
);

const bodies = fc.oneof(
  rpcTexts.map((text) => Buffer.from(text)),
  junk(300).map(latin1),
  fc.constant(Buffer.alloc(0)),
  fc.constantFrom('0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', 'fffffffff\r\n', '5;a=b\r\nhel', '-1\r\n').map(latin1),
);

/** A request as text, right, nearly right, or wrong, with a body that fits its head or does not. */
function requests(token: string): fc.Arbitrary<Buffer> {
  const right = ['Host: 127.0.0.1', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  const accept = 'Accept: application/json, text/event-stream';
  return fc
    .tuple(methods, targets, versions, fc.array(headers(token), { maxLength: 8 }), bodies, fc.boolean(), fc.boolean())
    .map(([method, target, version, extra, body, isRight, hasLength]) => {
      const lines = [
        `${method} ${target} ${version}`,
        ...(isRight ? [...right, accept] : []),
        ...extra.map(([name, value]) => `${name}: ${value}`),
        ...(hasLength ? [`Content-Length: ${body.length}`] : []),
        '\r\n',
      ];
      return Buffer.concat([latin1(lines.join('\r\n')), body]);
    });
}

/** A request to become a socket, to any target, with and without a token. */
function upgrades(token: string): fc.Arbitrary<Buffer> {
  const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const offer = fc.constantFrom([], ['Sec-WebSocket-Protocol: frontpanel'], [`Authorization: Bearer ${token}`]);
  return fc
    .tuple(targets, offer, fc.array(headers(token), { maxLength: 3 }), bodies)
    .map(([target, offered, extra, body]) => {
      const more = extra.map(([name, value]) => `${name}: ${value}`);
      const lines = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...handshake, key, ...offered, ...more, '\r\n'];
      return Buffer.concat([latin1(lines.join('\r\n')), body]);
    });
}

/** Some bytes other than they were. */
function mutated(bytes: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat(Math.max(0, bytes.length - 1));
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(bytes) },
    place.map((length) => bytes.subarray(0, length)),
    fc.tuple(place, fc.nat(255)).map(([at, byte]) => {
      const copy = Buffer.from(bytes);
      copy[at] = byte;
      return copy;
    }),
    fc
      .tuple(place, junk(10))
      .map(([at, text]) => Buffer.concat([bytes.subarray(0, at), latin1(text), bytes.subarray(at)])),
    place.map((at) => Buffer.concat([bytes, bytes.subarray(at)])),
  );
}

function cut(bytes: Buffer): fc.Arbitrary<readonly Uint8Array[]> {
  return fc.uniqueArray(fc.nat(bytes.length), { maxLength: 3 }).map((places) => {
    const edges = [0, ...places.sort((a, b) => a - b), bytes.length];
    return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
  });
}

const farewells = fc.constantFrom<Farewell>('wait', 'wait', 'end', 'reset');

/** One to three requests on one connection, whatever became of the one before. */
export function connectionCases(token: string): fc.Arbitrary<ConnectionCase> {
  const one = fc.oneof({ weight: 2, arbitrary: requests(token) }, upgrades(token));
  const bytes = fc.array(one, { minLength: 1, maxLength: 3 }).chain((all) => mutated(Buffer.concat(all)));
  return fc.record({ pieces: bytes.chain(cut), farewell: farewells });
}

const frame = fc
  .tuple(
    fc.nat(255),
    fc.boolean(),
    fc.constantFrom<'right' | 'short' | 'long' | 'huge'>('right', 'right', 'short', 'long', 'huge'),
    bodies,
  )
  .map(([first, isMasked, length, payload]) => {
    const said = { right: payload.length, short: payload.length >> 1, long: payload.length + 50, huge: 0x7fffffff }[
      length
    ];
    const size = Buffer.alloc(9);
    if (said < 126) size[0] = said;
    else {
      size[0] = 127;
      size.writeBigUInt64BE(BigInt(said), 1);
    }
    const head = Buffer.concat([Buffer.from([first]), said < 126 ? size.subarray(0, 1) : size]);
    if (!isMasked) return Buffer.concat([head, payload]);
    head[1] = (head[1] ?? 0) | 0x80;
    const mask = Buffer.from([1, 2, 3, 4]);
    return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0))]);
  });

const pageCommands = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom('watch', 'look', 'listen', 'keys', 'repeat', 'type', 'break', 'joystick', 'moveTo', 'moveBy'),
      fc.constantFrom('buttons', 'wheel', 'stopTyping', 'paste', '__proto__'),
    ),
    machine: fc.oneof(fc.constant('c64-1'), fc.jsonValue({ maxDepth: 1 })),
    console: fc.jsonValue({ maxDepth: 1 }),
    keys: fc.oneof(fc.array(fc.constantFrom('a', 'shift', 'nothing')), fc.jsonValue({ maxDepth: 1 })),
    text: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
    port: fc.oneof(fc.integer(), fc.constantFrom(1, 2)),
    directions: fc.oneof(fc.array(fc.constantFrom('up', 'fire', 'x')), fc.jsonValue({ maxDepth: 1 })),
    dx: fc.oneof(fc.maxSafeInteger(), fc.double()),
    dy: fc.maxSafeInteger(),
    x: fc.maxSafeInteger(),
    y: fc.maxSafeInteger(),
    clicks: fc.maxSafeInteger(),
    isLooking: fc.jsonValue({ maxDepth: 1 }),
    isListening: fc.boolean(),
    buttons: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ['type'] },
);

/** What is sent on the page's socket after the handshake: text of commands, or raw bytes of frames. */
export interface SocketCase {
  readonly steps: readonly ({ readonly text: string } | { readonly bytes: Uint8Array })[];
  readonly farewell: Farewell;
}

export const socketCases: fc.Arbitrary<SocketCase> = fc.record({
  steps: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: pageCommands.map((command) => ({ text: written(command) })) },
      frame.map((bytes) => ({ bytes })),
      rpcTexts.map((text) => ({ text })),
    ),
    { maxLength: 12 },
  ),
  farewell: farewells,
});
