import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Client, cleanUp, lineTo, Peer, runtimeDir, until } from './console-line-testing.ts';

afterEach(cleanUp);

/** What a server that was killed leaves behind: a socket that nobody serves. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = 'require("net").createServer().listen(process.argv[1], () => console.log("up"))';
  const server = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  server.kill('SIGKILL');
  await once(server, 'exit');
  expect(statSync(path).isSocket()).toBe(true);
}

test('what a killed server left is replaced: its sockets, and the links to them', async () => {
  const peer = await Peer.listen();
  const [dir, oldDir] = [runtimeDir(), runtimeDir()];
  await leaveStaleSocket(join(dir, 'vm.out'));
  await leaveStaleSocket(join(oldDir, 'vm.in'));
  symlinkSync(join(oldDir, 'vm.in'), join(dir, 'serial_vm.in'));
  const { line } = await lineTo(peer, { runtimeDir: dir, serialLinks: true, serialLinkDir: dir });
  const client = await Client.connect(line.humans.socketOut);
  const typist = await Client.connect(join(dir, 'serial_vm.in'));
  typist.socket.write('hello');
  await until(() => peer.text === 'hello');
  await peer.send('welcome');
  await until(() => client.all.toString() === 'welcome');
});

test('sockets are private, and nothing is taken from another server or overwritten', async () => {
  const peer = await Peer.listen();
  const dir = runtimeDir();
  const { line } = await lineTo(peer, { runtimeDir: dir });
  expect([line.humans.socketIn, line.humans.socketOut]).toEqual([join(dir, 'vm.in'), join(dir, 'vm.out')]);
  for (const path of [line.humans.socketIn, line.humans.socketOut]) expect(statSync(path).mode & 0o777).toBe(0o600);

  await expect(lineTo(peer, { runtimeDir: dir })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
  const client = await Client.connect(line.humans.socketOut);
  await peer.send('still mine');
  await until(() => client.all.toString() === 'still mine');

  writeFileSync(join(dir, 'file.out'), 'precious');
  await expect(lineTo(peer, { runtimeDir: dir, name: 'file' })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
  expect(statSync(join(dir, 'file.out')).size).toBe(8);
  expect(existsSync(join(dir, 'file.in'))).toBe(false);

  await expect(lineTo(peer, { runtimeDir: dir, name: 'n'.repeat(100) })).rejects.toMatchObject({
    type: 'INVALID_ARGUMENT',
  });
  await expect(lineTo(peer, { runtimeDir: dir, name: '../up' })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  await expect(lineTo(peer, { ringBytes: 4095 })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
});

test('links at the traditional place are made only where nothing of somebody else lies, and removed only if still ours', async () => {
  const peer = await Peer.listen();
  const links = runtimeDir();
  const [inLink, outLink] = [join(links, 'serial_vm.in'), join(links, 'serial_vm.out')];
  symlinkSync(join(links, 'nowhere'), inLink);
  writeFileSync(outLink, 'precious');
  const first = await lineTo(peer, { serialLinks: true, serialLinkDir: links });
  expect(readlinkSync(inLink)).toBe(first.line.humans.socketIn);
  expect(statSync(outLink).size).toBe(8);
  expect(first.events.map(({ type }) => type)).toContain('serial_link_refused');
  const second = await lineTo(peer, { serialLinks: true, serialLinkDir: links });
  expect(readlinkSync(inLink)).toBe(first.line.humans.socketIn);
  await second.line.close();
  expect(readlinkSync(inLink)).toBe(first.line.humans.socketIn);
  await first.line.close();
  expect(existsSync(inLink)).toBe(false);
  expect(statSync(outLink).size).toBe(8);
});
