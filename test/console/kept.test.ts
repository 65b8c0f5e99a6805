import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { checkConfiguration } from '../../src/cli/doctor/configuration-check.ts';
import { Guest } from '../support/guest.ts';
import { program, Sandbox } from '../support/sandbox.ts';
import { UnixGuest } from '../support/unix-guest.ts';
import { Desk, outputOf } from './desk.ts';

const patience = { timeout: 60_000, interval: 50 };

/** A server with a configuration file beside it. */
function configured(config: object, args: readonly string[] = []): Promise<Desk> {
  return Desk.open(args, (sandbox) => sandbox.configure(config));
}

describe('a console of the configuration', () => {
  test('is attached at the start, comes back, is never idle and cannot be stopped', async () => {
    const first = await Guest.listen();
    const { port } = first;
    await using desk = await configured({ consoles: { router: { port } } }, ['--idle-timeout', '1']);
    await first.print('hello\r\n');
    expect(await desk.listed('router LINK UP')).toContain('kept by the configuration');
    expect(outputOf(await desk.read({ machine: 'router', expect: 'hello' }))).toBe('hello');
    await first[Symbol.asyncDispose]();
    await desk.listed('lost 1×');
    await using second = await Guest.listen(port);
    await second.print('back\r\n');
    await desk.listed('router LINK UP');
    // Another one, which nobody keeps, is stopped meanwhile.
    await using other = await Guest.listen();
    await desk.start({ port: other.port }, 'unused');
    await vi.waitFor(async () => expect(await desk.ask('machine_list')).not.toContain('unused'), patience);
    expect(await desk.ask('machine_list')).toContain('router LINK UP');
    expect(await desk.refusal('machine_stop', { machine: 'router' })).toMatchObject({ error_type: 'DENIED' });
    expect(await desk.refusal('machine_start', { kind: 'console', name: 'router' })).toMatchObject({
      error_type: 'NAME_TAKEN',
    });
    expect(await desk.json('machine_list')).toMatchObject({ machines: [{ machine: 'router', kept: true }] });
  });

  test('does not count among the machines that agents may start', async () => {
    await using guest = await Guest.listen();
    const consoles = { a: { port: guest.port }, b: { host: '127.0.0.2', port: guest.port } };
    await using desk = await configured({ consoles }, ['--max-machines', '1']);
    await using other = await Guest.listen();
    await desk.start({ port: other.port }, 'mine');
    expect(await desk.refusal('machine_start', { kind: 'console' })).toMatchObject({ error_type: 'LIMIT_REACHED' });
  });

  test('that is a command is run again when it ends', async () => {
    await using desk = await configured({ consoles: { job: { command: ['sh', '-c', 'echo run $$; sleep 0.2'] } } });
    await vi.waitFor(async () => {
      const text = await desk.read({ machine: 'job', from: 'start' });
      expect(text.match(/run \d+/g)?.length).toBeGreaterThan(1);
    }, patience);
    expect(await desk.ask('events_read', { machine: 'job' })).toContain('link_lost: Link lost: the command ended');
  });

  test('is there once: another way to the same place is refused', async () => {
    await using guest = await Guest.listen();
    await using desk = await Desk.open([], async (sandbox) => {
      const socket = join(sandbox.dir, 'vm.sock');
      await symlink(socket, join(sandbox.dir, 'alias.sock'));
      const consoles = {
        tcp: { port: guest.port, write_policy: 'deny' },
        unix: { socket: 'vm.sock', write_policy: 'deny' },
        shell: { command: ['cat'], write_policy: 'deny' },
      };
      const presets = { 'console-commands': { cat: { argv: ['cat'] } } };
      await sandbox.configure({ consoles, ...presets });
    });
    await using unix = await UnixGuest.listen(join(desk.sandbox.dir, 'vm.sock'));
    await desk.listed('unix LINK UP');
    const before = guest.connections;
    const ways = {
      tcp: [
        { port: guest.port },
        { host: 'localhost', port: guest.port },
        { port: guest.port, telnet: true },
        { port: guest.port, rfc2217: true },
        { device: `rfc2217://127.0.0.1:${guest.port}` },
      ],
      unix: [{ socket: unix.path }, { socket: join(desk.sandbox.dir, 'alias.sock') }],
      shell: [{ preset: 'cat' }],
    };
    for (const [owner, each] of Object.entries(ways)) {
      for (const options of each) {
        const refusal = await desk.refusal('machine_start', { kind: 'console', options });
        expect(refusal, JSON.stringify(options)).toMatchObject({ error_type: 'NAME_TAKEN', machine: owner });
      }
    }
    expect(guest.connections).toBe(before);
  });
});

describe('the write policy of the configuration', () => {
  test('deny holds for every tool that would write', async () => {
    await using guest = await Guest.listen();
    await using desk = await configured({
      consoles: { router: { port: guest.port, telnet: true, write_policy: 'deny' } },
    });
    await guest.connected();
    await writeFile(join(desk.sandbox.dir, 'f'), 'x');
    const path = join(desk.sandbox.dir, 'f');
    const writes: readonly [string, Record<string, unknown>][] = [
      ['console_send', { text: 'x' }],
      ['console_send', { keys: ['enter'] }],
      ['console_send', { run: 'reboot' }],
      ['console_send', { break_ms: 10 }],
      ['console_login', { user: 'root' }],
      ['console_setup', { writer: 'claim' }],
      ['console_setup', { writer: 'force' }],
      ['file_put', { path, to: 'f' }],
      ['file_put', { path, to: 'f', protocol: 'zmodem' }],
      ['file_get', { from: 'f', path: `${path}.got` }],
      ['file_get', { from: 'f', path: `${path}.got`, protocol: 'ymodem' }],
    ];
    for (const [tool, args] of writes) {
      const refusal = await desk.refusal(tool, { machine: 'router', ...args });
      expect(refusal, `${tool} ${JSON.stringify(args)}`).toMatchObject({ error_type: 'DENIED' });
    }
    expect(guest.received.replaceAll(/\xff[\xfb-\xfe]./g, '')).toBe('');
    await guest.print('readable\r\n');
    expect(outputOf(await desk.read({ expect: 'readable' }))).toBe('readable');
  });

  test('confirm asks each time, and people type as they like', async () => {
    await using guest = await Guest.listen();
    await using desk = await configured({ consoles: { router: { port: guest.port, write_policy: 'confirm' } } });
    await desk.listed('router LINK UP');
    expect(await desk.ask('console_send', { text: 'reload' })).toContain('NOT DONE YET');
    const typist = connect((await desk.port('router')).socket_in);
    typist.write('typed');
    await vi.waitFor(() => expect(guest.received).toBe('typed'), patience);
    typist.destroy();
  });
});

test('the log has times, marks, links, who came and who wrote, and its old files', async () => {
  await using guest = await Guest.listen();
  const log = { file: 'logs/router.log', max_bytes: 2000, keep: 2, mark_minutes: 0.02 };
  await using desk = await Desk.open([], async (sandbox) => {
    await mkdir(join(sandbox.dir, 'logs'));
    const config = { consoles: { router: { port: guest.port, log } } };
    await sandbox.configure(config);
  });
  const file = join(desk.sandbox.dir, 'logs/router.log');
  const text = () =>
    ['.2', '.1', ''].map((end) => (existsSync(file + end) ? readFileSync(file + end, 'utf8') : '')).join('');
  await guest.print('Router>\r\n');
  const { socket_out } = await desk.port('router');
  const person = connect(socket_out.replace(/out$/, 'people'));
  await once(person, 'connect');
  person.write(`${JSON.stringify({ hello: { name: 'alice', place: 'pts/7', spy: false } })}\n`);
  await desk.send({ text: 'show version', quiet_ms: 0 });
  person.write(
    `${JSON.stringify({ type: Buffer.from('x').toString('base64') })}\n${JSON.stringify({ do: 'claim' })}\n`,
  );
  await vi.waitFor(() => {
    const said = text();
    for (const wanted of [
      /\[-- Log opened by frontpanel, process \d+ -- [\dT:.-]+Z\]\n/,
      /\[-- Link up: tcp 127\.0\.0\.1:\d+ -- /,
      /\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z Router>\r\n/,
      /\[-- alice on pts\/7 attached -- /,
      /\[-- test modern \(agent\) writes -- /,
      /\[-- alice on pts\/7 writes -- /,
      /\[-- alice on pts\/7 has the line -- /,
      /\[-- MARK -- /,
    ]) {
      expect(said).toMatch(wanted);
    }
    expect(said, 'what was typed is not in it').not.toContain('show version');
  }, patience);
  person.destroy();
  for (let i = 0; i < 100; i++) await guest.print(`a line of output number ${i}\r\n`);
  await vi.waitFor(() => expect(text()).toContain('number 99\r\n'), patience);
  expect(existsSync(`${file}.2`)).toBe(true);
  for (const end of ['', '.1', '.2']) {
    const one = await readFile(file + end, 'utf8');
    expect(one.length).toBeLessThanOrEqual(2000);
    expect(one).toMatch(/^(\[-- |\d{4}-)/);
  }
});

describe('commands that the user allows', () => {
  const presets = {
    'console-commands': {
      greet: {
        argv: ['sh', '-c', 'echo hello "$0" "$1"; cat', '{name}', 'to-{place}'],
        parameters: { place: '[a-z]{1,8}' },
      },
      virsh: { argv: ['./virsh', 'console', '{domain}'], pty: true },
    },
  };

  test('run with parameters that fit, without a shell and without --allow-commands', async () => {
    await using desk = await configured(presets);
    const parameters = { name: 'vm-1', place: 'here' };
    await desk.start({ preset: 'greet', parameters });
    expect(outputOf(await desk.read({ expect: 'hello' }))).toContain('hello');
    expect(await desk.read({ from: 'start' })).toContain('hello vm-1 to-here');
    expect(await desk.ask('machine_kinds', { kind: 'console' })).toContain(
      'preset greet: {"preset":"greet","parameters":{"name":…,"place":…}}',
    );
  });

  const refused: readonly [string, Record<string, unknown>][] = [
    ['an option', { preset: 'greet', parameters: { name: '-x', place: 'here' } }],
    ['a shell’s words', { preset: 'greet', parameters: { name: 'a;id', place: 'here' } }],
    ['a substitution', { preset: 'greet', parameters: { name: '$(id)', place: 'here' } }],
    ['a line end', { preset: 'greet', parameters: { name: 'a\nb', place: 'here' } }],
    ['a pattern that does not fit', { preset: 'greet', parameters: { name: 'a', place: 'Here!' } }],
    ['nothing', { preset: 'greet', parameters: { name: '', place: 'here' } }],
    ['one too few', { preset: 'greet', parameters: { name: 'a' } }],
    ['one too many', { preset: 'greet', parameters: { name: 'a', place: 'b', more: 'c' } }],
    ['the name of a preset that is not allowed', { preset: 'ssh', parameters: { host: 'x' } }],
    ['the name of something every object has', { preset: 'constructor' }],
    ['a command beside', { preset: 'greet', command: ['id'], parameters: { name: 'a', place: 'b' } }],
    ['a command of its own', { command: ['id'] }],
    ['parameters without a preset', { parameters: { a: 'b' } }],
  ];

  test('are refused with anything else', async () => {
    await using desk = await configured(presets);
    for (const [what, options] of refused) {
      const refusal = await desk.refusal('machine_start', { kind: 'console', options });
      expect(refusal.error_type, what).toMatch(/INVALID_ARGUMENT|DENIED/);
    }
    expect(await desk.ask('machine_list')).toContain('No machine is running');
  });

  test('on a terminal: a stand-in that refuses anything else, as virsh console does', async () => {
    const standIn = [
      '#!/bin/sh',
      '[ -t 0 ] && [ -t 1 ] || { echo "error: Cannot run interactive console without a controlling TTY" >&2; exit 1; }',
      'stty raw -echo',
      'printf "Connected to domain %s\\r\\nsize %s\\r\\n" "$2" "$(stty size)"',
      'exec cat',
    ].join('\n');
    await using desk = await Desk.open([], async (sandbox) => {
      await writeFile(join(sandbox.dir, 'virsh'), standIn);
      await chmod(join(sandbox.dir, 'virsh'), 0o755);
      const bare = { argv: ['./virsh', 'console', '{domain}'] };
      const config = { 'console-commands': { ...presets['console-commands'], bare } };
      await sandbox.configure(config);
    });
    await desk.start({ preset: 'bare', parameters: { domain: 'db1' } }, 'bare');
    await desk.listed('bare OFF');
    expect(await desk.read({ machine: 'bare', from: 'start' })).toContain('without a controlling TTY');
    await desk.start({ preset: 'virsh', parameters: { domain: 'db1' } }, 'db1');
    expect(await desk.read({ machine: 'db1', expect: 'size 24 80' })).toContain('Connected to domain db1');
    await desk.send({ machine: 'db1', text: 'typed once, not twice', quiet_ms: 0 });
    const echoed = await desk.read({ machine: 'db1', from: 'start', expect: 'not twice' });
    expect(outputOf(echoed).match(/typed once/g)).toHaveLength(1);
    expect(await desk.ask('machine_list')).toContain('db1 LINK UP · command ./virsh console db1');
    await desk.ask('machine_stop', { machine: 'db1' });
  });
});

describe('a configuration that is wrong', () => {
  test.each<[string, object, RegExp]>([
    ['an unknown option', { consoles: { a: { prot: 1 } } }, /"consoles"\.a .*prot/],
    ['a wrong value', { consoles: { a: { port: 70_000 } } }, /"consoles"\.a\.port /],
    ['a name that is a path', { consoles: { '../a': {} } }, /"consoles"\.\.\.\/a /],
    ['a log without a file', { consoles: { a: { log: { keep: 1 } } } }, /"consoles"\.a\.log/],
    ['an unknown preset', { 'console-commands': { nosuch: true } }, /only ssh, virsh, ipmi-sol can be true/],
    [
      'a pattern that is none',
      { 'console-commands': { a: { argv: ['x', '{b}'], parameters: { b: '(' } } } },
      /regular/,
    ],
    [
      'a parameter that is not used',
      { 'console-commands': { a: { argv: ['x'], parameters: { b: 'c' } } } },
      /does not occur/,
    ],
    ['a program by parameter', { 'console-commands': { a: { argv: ['{p}'] } } }, /cannot be a parameter/],
    ['a misspelt part', { console: {} }, /unknown key "console".*consoles/],
  ])('%s is named, by the server and by doctor', async (_what, config, reason) => {
    await using sandbox = await Sandbox.open();
    await sandbox.configure(config);
    const { code, stderr } = await sandbox.run([]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) });
    const examined = await checkConfiguration({
      env: sandbox.env,
      fix: false,
      config: undefined,
      readConfigFile: () => JSON.stringify(config),
      selfCommand: [],
    });
    expect(examined.map(({ detail }) => detail).join('\n')).toMatch(reason);
  });
});

test('a recording outside the allowed folders is refused when the server starts', async () => {
  await using sandbox = await Sandbox.open();
  const config = (record: string) => sandbox.configure({ consoles: { router: { port: 1, record } } });
  await config('/var/log/router.log');
  const refused = await sandbox.run([]);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/"record" of the console router: .*\/var\/log\/router\.log.*--allow-path/);
  await config('router.log');
  expect((await sandbox.run([])).code).toBe(0);
});

test('a place is held from the start, however long it takes to look up the name of its host', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const config = join(sandbox.dir, 'kept.json');
  const found = join(sandbox.dir, 'found');
  await writeFile(config, JSON.stringify({ consoles: { router: { host: 'slow.example', port: guest.port } } }));
  await writeFile(join(sandbox.dir, 'slow-names.mjs'), slowNames(found));
  const slow = ['--import', join(sandbox.dir, 'slow-names.mjs'), program];
  await using desk = await Desk.openIn(process.execPath, [...slow, '--config', config]);
  const another = { kind: 'console', options: { port: guest.port } };
  const refusal = desk.refusal('machine_start', another);
  for (let calls = 0; calls < 10; calls++) await desk.ask('machine_list');
  expect(guest.connections).toBe(0);
  await writeFile(found, '');
  expect(await refusal).toMatchObject({ error_type: 'NAME_TAKEN', message: expect.stringContaining('router') });
  await desk.listed('router LINK UP');
  expect(guest.connections).toBe(1);
});

/** Finds out where `slow.example` is when that file is there. */
function slowNames(file: string): string {
  return `
    import dns from 'node:dns';
    import { existsSync } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { lookup, promises } = dns;
    const byPromise = promises.lookup;
    const found = async () => {
      while (!existsSync(${JSON.stringify(file)})) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    promises.lookup = async (name, ...rest) => {
      if (name !== 'slow.example') return byPromise(name, ...rest);
      await found();
      return [{ address: '127.0.0.1', family: 4 }];
    };
    dns.lookup = (name, ...rest) => {
      if (name !== 'slow.example') return lookup(name, ...rest);
      found().then(() => lookup('127.0.0.1', ...rest));
    };
    syncBuiltinESMExports();
  `;
}
