import { once } from 'node:events';
import { chmod, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPolicy } from '../../src/host/policy/open-policy-testing.ts';
import { MachineError } from '../../src/machine/errors.ts';
import type { Policy } from '../../src/machine/policy.ts';
import { consoleKind } from '../../src/machines/console/console-kind.ts';
import { makeRack } from '../make-rack.ts';
import { Guest } from '../support/guest.ts';
import { endOf, Sandbox } from '../support/sandbox.ts';
import { Desk } from './desk.ts';

const patience = { timeout: 60_000, interval: 50 };

test('TCP is for this computer alone, by whatever protocol and name, unless the operator says otherwise', async () => {
  await using guest = await Guest.listen();
  const { port } = guest;
  await using desk = await Desk.open();
  for (const options of [
    { host: '192.0.2.1', port },
    { host: '192.0.2.1', port, telnet: true },
    { host: '192.0.2.1', port, rfc2217: true },
    { device: `rfc2217://192.0.2.1:${port}` },
    { device: `rfc2217://[2001:db8::1]:${port}` },
    { host: '[2001:db8::1]', port },
    { host: '3221225985', port },
    { host: '0.0.0.0', port },
    { host: 'nosuch.invalid', port },
  ]) {
    const refusal = await desk.refusal('machine_start', { kind: 'console', options });
    expect(refusal, JSON.stringify(options)).toMatchObject({ error_type: 'DENIED' });
  }
  expect(guest.connections).toBe(0);
  await desk.start({ host: 'localhost', port }, 'near');
  await desk.listed('near LINK UP');
});

test('a host and port that the operator names can be reached, and no other', async () => {
  await using guest = await Guest.listen();
  await using other = await Guest.listen();
  await using desk = await Desk.open(['--allow-tcp', `127.0.0.1:${guest.port}`]);
  await desk.start({ port: guest.port }, 'named');
  await desk.listed('named LINK UP');
  expect(await desk.refusal('machine_start', { kind: 'console', options: { port: other.port } })).toMatchObject({
    error_type: 'DENIED',
  });
});

test('all that the operator allows is shown in one place, also what only the configuration file can say', async () => {
  const config = {
    consoles: { router: { port: 1, write_policy: 'deny' } },
    'console-commands': { virsh: true, ssh: true },
    'allow-devices': ['/dev/pts/*'],
    'allow-tcp': ['127.0.0.1:1-99'],
    audit: 'audit.log',
  };
  await using desk = await Desk.open([], (sandbox) => sandbox.configure(config));
  const kinds = await desk.ask('machine_kinds');
  const { stdout } = await desk.sandbox.run(['doctor', '--quick']);
  for (const rule of [
    'TCP: 127.0.0.1:1-99 (--allow-tcp)',
    'commands as consoles: virsh, ssh ("console-commands")',
    'devices: serial hardware, /dev/pts/* (--allow-devices)',
    'kept consoles: router (writing: deny) ("consoles")',
  ]) {
    expect(kinds).toContain(rule);
    expect(stdout).toContain(`policy: ${rule}`);
  }
  // It would not be the operator's if an agent could write it, in a folder that is allowed.
  for (const record of ['frontpanel.config.json', 'audit.log', 'audit.log.1', 'run/frontpanel/x']) {
    const refusal = await desk.refusal('machine_start', { kind: 'console', options: { port: 9, record } });
    expect(refusal, record).toMatchObject({ error_type: 'PATH_NOT_ALLOWED' });
  }
});

describe('a configuration file that lies where the server is started, and that nobody named', () => {
  const found = (sandbox: Sandbox, config: object, mode = 0o644) =>
    writeFile(join(sandbox.dir, 'frontpanel.config.json'), JSON.stringify(config)).then(() =>
      chmod(join(sandbox.dir, 'frontpanel.config.json'), mode),
    );

  test('may only restrict; what else it says is not done, and is told', async () => {
    const config = {
      consoles: { shell: { command: ['sh', '-c', 'echo here > started; cat'], log: 'shell.log' } },
      'console-commands': { ssh: true },
      'allow-commands': true,
      'allow-path': ['/', 'inner'],
      'allow-kinds': ['console'],
      journal: 'journal.log',
    };
    await using desk = await Desk.open([], async (sandbox) => {
      await mkdir(join(sandbox.dir, 'inner'));
      await found(sandbox, config);
    });
    const { dir } = desk.sandbox;
    const kinds = await desk.ask('machine_kinds');
    for (const rule of [
      'kinds: console (--allow-kinds)',
      'programs that agents name: none (--allow-commands)',
      'commands as consoles: none ("console-commands")',
      'kept consoles: none ("consoles")',
      'configuration found here: may only restrict; not taken: "allow-commands", "allow-path", "journal", "consoles", "console-commands" (--config)',
    ]) {
      expect(kinds).toContain(rule);
    }
    expect(await desk.ask('machine_list')).not.toContain('shell');
    const command = { kind: 'console', options: { command: ['sh'] } };
    expect(await desk.refusal('machine_start', command)).toMatchObject({ error_type: 'DENIED' });
    expect(await desk.refusal('machine_start', { kind: 'c64' })).toMatchObject({ error_type: 'UNKNOWN_KIND' });
    expect((await readdir(dir)).sort()).toEqual(['frontpanel.config.json', 'inner', 'run']);
    const said = 'frontpanel.config.json was found here, not named, so it may only restrict what agents do';
    expect((await desk.sandbox.run([])).stderr).toContain(said);
    expect((await desk.sandbox.run(['dap'])).stderr).toContain(said);
    expect((await desk.sandbox.run(['doctor', '--quick'])).stdout).toContain(
      `over stdio and for dap, call and tools, ${said}`,
    );
    const named = desk.sandbox.spawn(['--config', 'frontpanel.config.json']);
    const ended = endOf(named);
    await expect.poll(() => readdir(dir), patience).toContain('started');
    named.stdin.end();
    expect((await ended).stderr).not.toContain(said);
  });

  test.each([[], ['serve', '--port', '0'], ['dap'], ['tools']])(
    'is refused where others can write it: %s',
    async (...words) => {
      await using sandbox = await Sandbox.open();
      await found(sandbox, { 'allow-kinds': ['console'] }, 0o666);
      const { code, stderr } = await sandbox.run(words);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('others can write it; take that away with chmod go-w frontpanel.config.json'),
      });
    },
  );
});

test('a console of the configuration goes where the operator says, though agents may not', async () => {
  await using guest = await Guest.listen();
  const config = { consoles: { kept: { port: guest.port } }, 'allow-tcp': [], 'allow-kinds': ['c64'] };
  await using desk = await Desk.open([], (sandbox) => sandbox.configure(config));
  await desk.listed('kept LINK UP');
  expect(await desk.refusal('machine_start', { kind: 'console', options: { port: guest.port } })).toMatchObject({
    error_type: 'UNKNOWN_KIND',
  });
});

test('a console of the configuration is the same by every address of this computer', async () => {
  const everywhere = createServer((socket) => void socket.on('error', () => {}).write('hello\r\n'));
  everywhere.listen(0, '::');
  await once(everywhere, 'listening');
  const address = everywhere.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const config = { consoles: { kept: { port, write_policy: 'deny' } }, 'allow-tcp': ['*'] };
  await using desk = await Desk.open([], (sandbox) => sandbox.configure(config));
  await desk.listed('kept LINK UP');
  for (const host of [
    '127.0.0.1',
    '127.0.0.2',
    '::1',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '::',
    '127.1',
  ]) {
    const refusal = await desk.refusal('machine_start', { kind: 'console', options: { host, port } });
    expect(refusal, host).toMatchObject({ error_type: 'NAME_TAKEN', machine: 'kept' });
  }
  await desk[Symbol.asyncDispose]();
  everywhere.close();
});

test('a name that comes to mean an address which is not allowed is not connected to again', async () => {
  await using guest = await Guest.listen();
  let meaning = '127.0.0.1';
  const policy: Policy = {
    ...openPolicy,
    async tcpHost() {
      if (meaning !== '127.0.0.1') throw new MachineError('DENIED', `This server may not connect to ${meaning}.`, '');
      return meaning;
    },
  };
  const rack = makeRack([consoleKind], {}, { policy });
  try {
    const { machine } = await rack.start('console', { host: 'changing.example', port: guest.port });
    const [port] = machine.console?.ports ?? [];
    await expect.poll(() => port?.link.state, patience).toBe('up');
    meaning = '192.0.2.1';
    guest.hangUp();
    await expect.poll(() => port?.link.lastError, patience).toContain('may not connect to 192.0.2.1');
    expect(guest.connections).toBe(1);
    meaning = '127.0.0.1';
    await expect.poll(() => port?.link.state, patience).toBe('up');
  } finally {
    await rack.close();
  }
});

test('a socket whose folder comes to be a link is not connected to again', async () => {
  await using sandbox = await Sandbox.open();
  const [inside, outside] = [join(sandbox.dir, 'inside'), join(sandbox.dir, 'outside')];
  for (const folder of [inside, join(inside, 'run'), outside]) await mkdir(folder);
  const reached: Record<string, Socket[]> = { inside: [], outside: [] };
  const servers = await Promise.all(
    ['inside/run', 'outside'].map(async (folder) => {
      const server = createServer(
        (socket) => void reached[folder.split('/')[0] ?? '']?.push(socket.on('error', () => {})),
      );
      server.listen(join(sandbox.dir, folder, 'vm.sock'));
      await once(server, 'listening');
      return server;
    }),
  );
  await using desk = await Desk.open(['--allow-path', inside]);
  await desk.start({ socket: join(inside, 'run/vm.sock') }, 'vm');
  await desk.listed('vm LINK UP');
  await rename(join(inside, 'run'), join(inside, 'was'));
  await symlink(outside, join(inside, 'run'));
  for (const socket of reached.inside ?? []) socket.destroy();
  await desk.listed(/vm (LINK DOWN|CONNECTING)[\s\S]*outside the directories/);
  expect(reached.outside).toEqual([]);
  for (const server of servers) server.close();
});
