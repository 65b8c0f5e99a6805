import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { eras, httpClient, type McpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const secrets = {
  alice: 'alice-owns-all-of-it-0123',
  bob: 'bob-uses-what-there-is-0123',
  carol: 'carol-only-looks-at-it-0123',
};
type Name = keyof typeof secrets;

let sandbox: Sandbox;
let guest: Guest;
let server: HttpProgram;
let audit: string;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  guest = await Guest.listen();
  audit = join(sandbox.dir, 'audit.jsonl');
  await writeFile(join(sandbox.dir, 'bob.token'), `${secrets.bob}\n`, { mode: 0o600 });
  const tokens = [
    { name: 'alice', role: 'own', token: secrets.alice },
    { name: 'bob', role: 'use', file: 'bob.token' },
    { name: 'carol', role: 'observe', 'token-sha256': createHash('sha256').update(secrets.carol).digest('hex') },
  ];
  await writeFile(join(sandbox.dir, 'frontpanel.config.json'), JSON.stringify({ tokens }));
  server = await HttpProgram.start(sandbox, '--toolset', 'all', '--audit', audit, '--yes', '--journal', 'calls.jsonl');
  await using owner = await clientOf('alice');
  await owner.call('machine_start', { kind: 'c64', name: 'c64' });
  await owner.startConsole(guest.port, {}, 'line');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await guest[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const clientOf = (name: Name, era: 'legacy' | 'modern' = 'modern'): Promise<McpClient> =>
  httpClient({ url: server.url, token: secrets[name] } as HttpProgram, era);

interface AuditLine {
  readonly time: string;
  readonly client?: string;
  readonly role?: string;
  readonly address?: string;
  readonly agent?: string;
  readonly tool: string;
  readonly machine?: string;
  readonly outcome: string;
  readonly why?: string;
}
const audited = (): AuditLine[] =>
  // What follows the last line feed is being written.
  readFileSync(audit, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditLine);

/** The least role that each of these calls needs; every tool of the effect is like it. */
const calls: readonly [needed: 'observe' | 'use' | 'own', tool: string, args: Record<string, unknown>][] = [
  ['observe', 'machine_list', {}],
  ['observe', 'screen_read', { machine: 'c64' }],
  ['observe', 'memory_read', { machine: 'c64', address: '$0400', length: 4 }],
  ['observe', 'console_read', { machine: 'line', quiet_ms: 0, reader: 'roles' }],
  ['use', 'memory_write', { machine: 'c64', address: '$0400', bytes: '01' }],
  ['use', 'run', { machine: 'c64', frames: 1 }],
  ['use', 'console_send', { machine: 'line', text: 'x', quiet_ms: 0 }],
  ['use', 'machine_reset', { machine: 'c64' }],
  ['use', 'snapshot_save', { machine: 'c64', name: 'one' }],
  ['own', 'machine_reset', { machine: 'c64', mode: 'hard' }],
  ['own', 'snapshot_restore', { machine: 'c64', name: 'one', into: 'fork' }],
  ['own', 'machine_start', { kind: 'c64', name: 'another' }],
  ['own', 'snapshot_delete', { machine: 'c64', name: 'one' }],
  ['own', 'media_detach', { machine: 'c64', slot: 'drive8' }],
  ['own', 'machine_stop', { machine: 'another' }],
];
const rank = { observe: 0, use: 1, own: 2 };

describe.each([
  ['carol', 'observe'],
  ['bob', 'use'],
  ['alice', 'own'],
] as const)('%s, who may %s,', (name, role) => {
  const denial = (needed: string) => `the role "${needed}"; ${name} has the role "${role}".`;

  test.each(calls)('needs %s for %s %j', async (needed, tool, args) => {
    await using client = await clientOf(name);
    const { text, isError } = await client.call(tool, args);
    if (rank[role] >= rank[needed]) expect(text).not.toContain('needs the role');
    else {
      expect(isError).toBe(true);
      expect(text).toContain(denial(needed));
      expect(text).toContain(`Fix: Ask the operator of this server for a token with the role "${needed}".`);
    }
  });

  test.each(calls)('has no other way by a batch: %s %s %j', async (needed, tool, args) => {
    if (tool === 'machine_stop') return;
    await using client = await clientOf(name);
    const steps = [{ tool: 'machine_list' }, { tool, arguments: args }];
    const { text, isError } = await client.call('batch', { steps });
    if (rank[role] < rank[needed]) {
      expect(isError).toBe(true);
      expect(text).toContain(denial(needed));
      // Nothing was run, not even what would have been allowed.
      expect(text).not.toContain('machine_list: ok');
    } else expect(text).not.toContain('needs the role');
  });

  test.each(eras)('lists only tools that can be used (%s)', async (era) => {
    await using client = await clientOf(name, era);
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).toContain('machine_list');
    expect(names).toContain('batch');
    expect(names.includes('memory_write')).toBe(role !== 'observe');
    expect(names.includes('machine_reset')).toBe(role !== 'observe');
    expect(names.includes('machine_stop')).toBe(role === 'own');
    expect(names.includes('machine_start')).toBe(role === 'own');
  });

  test('reads resources and subscribes to them', async () => {
    await using client = await clientOf(name, 'legacy');
    expect((await client.readResource({ uri: 'machine://c64/status' })).contents).toHaveLength(1);
    await client.subscribeResource({ uri: 'console://line/line/output' });
    await guest.print(`for ${name}\r\n`);
    await expect.poll(() => client.updates.length, { timeout: 60_000 }).toBeGreaterThan(0);
  });
});

test('tools of a dialect need the same roles, also where they reach machines on their own', async () => {
  await using served = await HttpProgram.start(sandbox, '--dialect', 'serencp');
  const as = async (name: Name, tool: string, args: Record<string, unknown> = {}) => {
    await using client = await httpClient({ url: served.url, token: secrets[name] } as HttpProgram, 'modern');
    const call = client.callTool({ name: tool, arguments: { vm_name: 'vm', ...args } });
    return await call.then((result) => JSON.stringify(result), String);
  };
  const { port } = guest;
  expect(await as('carol', 'start', { port })).toContain('needs the role "use"');
  expect(await as('bob', 'start', { port })).toMatch(/needs the role .{0,4}own/);
  expect(await as('alice', 'start', { port })).not.toContain('needs the role');
  expect(await as('carol', 'read')).not.toContain('needs the role');
  expect(await as('carol', 'write', { text: 'x' })).toContain('needs the role "use"');
  expect(await as('bob', 'write', { text: 'x' })).not.toContain('needs the role');
  expect(await as('bob', 'stop')).toContain('needs the role "own"');
  expect(await as('bob', 'start', { port })).toMatch(/needs the role .{0,4}own/);
  expect(await as('carol', 'status')).toContain('vm');
});

test('a session belongs to the token that opened it', async () => {
  const open = await server.fetch({
    headers: { authorization: `Bearer ${secrets.alice}` },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    }),
  });
  await open.text();
  const id = open.headers.get('mcp-session-id') ?? '';
  const ping = (name: Name) =>
    server.fetch({
      headers: { authorization: `Bearer ${secrets[name]}`, 'mcp-session-id': id },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
    });
  expect((await ping('carol')).status).toBe(404);
  expect((await ping('alice')).status).toBe(200);
});

test('whom a token belongs to can be asked', async () => {
  const who = async (token: string) => {
    const answer = await fetch(new URL('/session', server.url), { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.json()];
  };
  expect(await who(secrets.bob)).toEqual([200, { name: 'bob', role: 'use' }]);
  expect((await who('nobody-has-this-token'))[0]).toBe(401);
});

test('programs of the same user find a token of their own, which is printed nowhere', async () => {
  expect(server.log).toContain('Tokens: alice (own), bob (use), carol (observe)');
  expect(server.log).not.toMatch(/Bearer/);
  const called = await sandbox.run(['call', 'machine_list']);
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('c64') });
  await expect
    .poll(audited, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ client: 'local', role: 'own', agent: 'frontpanel command line' }));
});

test('the journal and the audit log name who it was, what they did, to which machine, and how it ended', async () => {
  await using bob = await clientOf('bob', 'legacy');
  await bob.call('memory_read', { machine: 'c64', address: '$0400', length: 1 });
  await bob.call('machine_stop', { machine: 'c64' });
  await bob.call('memory_read', { machine: 'nobody', address: '$0400', length: 1 });
  await expect.poll(() => audited().filter(({ machine }) => machine === 'nobody'), { timeout: 60_000 }).toHaveLength(1);
  const lines = audited().slice(-3);
  const who = { client: 'bob', role: 'use', agent: 'test legacy', address: '127.0.0.1' };
  expect(lines).toEqual([
    {
      ...who,
      time: expect.any(String),
      tool: 'memory_read',
      machine: 'c64',
      outcome: 'done',
      durationMs: expect.any(Number),
    },
    {
      ...who,
      ...{ time: expect.any(String), tool: 'machine_stop', machine: 'c64', outcome: 'denied' },
      durationMs: expect.any(Number),
      why: 'DENIED: machine_stop needs the role "own"; bob has the role "use".',
    },
    {
      ...who,
      ...{ time: expect.any(String), tool: 'memory_read', machine: 'nobody', outcome: 'failed' },
      durationMs: expect.any(Number),
      why: expect.stringMatching(/^UNKNOWN_MACHINE: No machine "nobody"/),
    },
  ]);
  for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
  const written = () => readFileSync(join(sandbox.dir, 'calls.jsonl'), 'utf8');
  await expect.poll(written, { timeout: 60_000 }).toMatch(/"client":"bob","tool":"machine_stop"/);
  const journal = written();
  for (const secret of Object.values(secrets)) expect(journal + readFileSync(audit, 'utf8')).not.toContain(secret);
});

test.for(eras)('reading a resource is noted like a call (%s)', async (era) => {
  await using carol = await clientOf('carol', era);
  const { resources } = await carol.listResources();
  const uri = resources.find((resource) => resource.uri.includes('line'))?.uri ?? '';
  const missing = `console://nobody-${era}/${'x'.repeat(900)}`;
  await carol.readResource({ uri });
  await carol.readResource({ uri: missing }).catch(() => {});
  const read = () => audited().filter(({ tool, agent }) => tool === 'resources/read' && agent === `test ${era}`);
  await expect.poll(() => read().at(-1)?.outcome, { timeout: 60_000 }).toBe('failed');
  const who = { client: 'carol', role: 'observe', agent: `test ${era}`, address: '127.0.0.1' };
  expect(read().slice(-2)).toEqual([
    expect.objectContaining({ ...who, resource: uri, machine: 'line', outcome: 'done' }),
    expect.objectContaining({ ...who, resource: `${missing.slice(0, 299)}…`, outcome: 'failed' }),
  ]);
});

test('a token that is none is noted once, however often it is tried', async () => {
  for (let round = 0; round < 20; round++) {
    await server.fetch({ headers: { authorization: 'Bearer somebody-elses-token' }, body: '{}' });
  }
  await expect
    .poll(() => audited().filter(({ tool }) => tool === 'http'), { timeout: 60_000 })
    .toEqual([
      expect.objectContaining({ address: '127.0.0.1', outcome: 'denied', why: 'a token that is none of ours' }),
    ]);
});

test('who may only look takes no output away from others, by whatever name', async () => {
  await using looker = await clientOf('carol');
  await using owner = await clientOf('alice');
  await guest.print('for the owner\r\n');
  const asked = { machine: 'line', reader: 'build', expect: 'for the owner' };
  const looked = await looker.call('console_read', asked);
  expect(looked).toMatchObject({ isError: false, text: expect.stringContaining('for the owner') });
  for (let name = 0; name < 1001; name++) {
    await looker.call('console_read', { machine: 'line', view: 'raw', reader: `r${name}` });
  }
  expect((await owner.call('console_read', asked)).text).toContain('for the owner');
});

test('in the dialect qemu each client reads all output itself', async () => {
  await using elsewhere = await Sandbox.open();
  const tokens = [
    { name: 'alice', role: 'own', token: secrets.alice },
    { name: 'carol', role: 'observe', token: secrets.carol },
  ];
  await elsewhere.configure({ tokens });
  await using other = await HttpProgram.start(elsewhere, '--dialect', 'qemu');
  const as = (name: Name) => httpClient({ url: other.url, token: secrets[name] } as HttpProgram, 'modern');
  await using owner = await as('alice');
  await using looker = await as('carol');
  // Firmware that prints a line on the serial port and halts: mov dx, 3f8h; mov al, C; out dx, al …; cli; hlt
  const image = new Uint8Array(65_536);
  const code = [...'for the owner\r\n'].flatMap((letter) => [0xb0, letter.charCodeAt(0), 0xee]);
  image.set([0xba, 0xf8, 3, ...code, 0xfa, 0xf4], 0);
  image.set([0xea, 0, 0, 0, 0xf0], 0xfff0);
  await writeFile(join(elsewhere.dir, 'bios.bin'), image);
  const booted = await owner.call('qemu_boot', { arch: 'i386', options: { bios: 'bios.bin', memory: 16 } });
  expect(booted.isError, booted.text).toBe(false);
  const read = async (client: McpClient) => (await client.call('qemu_read')).text;
  await expect.poll(() => read(looker), { timeout: 60_000 }).toContain('for the owner');
  expect(await read(owner)).toContain('for the owner');
});

describe('a configuration is refused with', () => {
  const good = { name: 'dave', role: 'use', token: 'dave-has-a-long-token' };
  test.each([
    ['a role that is none', [{ ...good, role: 'root' }], /"tokens"\[0\]\.role .*"observe"\|"use"\|"own"/],
    ['a short token', [{ ...good, token: 'short' }], /"tokens"\[0\]\.token must be 16 to 200 characters/],
    [
      'no token',
      [{ name: 'dave', role: 'use' }],
      /"tokens"\[0\] must have exactly one of "token", "token-sha256", "file"/,
    ],
    ['two tokens', [{ ...good, file: 'x' }], /must have exactly one of/],
    ['one name twice', [good, { ...good, token: 'another-token-of-dave' }], /"tokens" must have different names/],
    ['one token twice', [good, { ...good, name: 'erin' }], /The token of "erin" is also somebody else's/],
    ['a digest that is none', [{ name: 'dave', role: 'use', 'token-sha256': 'abc' }], /must be 64 hexadecimal digits/],
    [
      'a file that is missing',
      [{ name: 'dave', role: 'use', file: 'gone' }],
      /token file of "dave" cannot be read: ENOENT/,
    ],
    ['a key that nobody knows', [{ ...good, admin: true }], /admin/],
    ['something that is no list', good, /"tokens" is wrong: .*array/],
  ])('%s', async (_what, tokens, problem) => {
    await using elsewhere = await Sandbox.open();
    await writeFile(join(elsewhere.dir, 'frontpanel.config.json'), JSON.stringify({ tokens }));
    const { code, stderr } = await elsewhere.run(['serve', '--port', '0']);
    expect(stderr).toMatch(problem);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });

  test('--no-token beside tokens', async () => {
    await using elsewhere = await Sandbox.open();
    await writeFile(join(elsewhere.dir, 'frontpanel.config.json'), JSON.stringify({ tokens: [good] }));
    const { code, stderr } = await elsewhere.run(['serve', '--port', '0', '--no-token']);
    expect(stderr).toContain('--no-token and the "tokens" of the configuration file exclude each other.');
    expect(code).toBe(2);
  });

  test('a warning, if others can read a token file', async () => {
    await using elsewhere = await Sandbox.open();
    await writeFile(join(elsewhere.dir, 'dave.token'), 'dave-has-a-long-token\n');
    await chmod(join(elsewhere.dir, 'dave.token'), 0o644);
    const tokens = [{ name: 'dave', role: 'use', file: 'dave.token' }];
    await writeFile(join(elsewhere.dir, 'frontpanel.config.json'), JSON.stringify({ tokens }));
    await using opened = await HttpProgram.start(elsewhere);
    expect(opened.log).toContain('dave.token can be read by other users of this computer; chmod 600 closes it.');
  });
});
