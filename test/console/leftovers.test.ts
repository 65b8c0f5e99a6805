import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { endOf, program, Sandbox } from '../support/sandbox.ts';
import { SerencpVm } from '../support/serencp-vm.ts';
import { Desk } from './desk.ts';

const run = promisify(execFile);

test('doctor --fix removes the links of a server that was killed, and nobody else’s', async () => {
  await using sandbox = await Sandbox.open();
  const serve = async () => {
    const raw = new RawStdio(sandbox, ['--dialect', 'serencp']);
    await raw.initialize();
    const vm = await SerencpVm.boot(raw);
    await vm.start();
    return { raw, vm };
  };
  const [dead, alive] = [await serve(), await serve()];
  const links = (vm: SerencpVm) => ['in', 'out'].map((end) => `/tmp/serial_${vm.name}.${end}`);
  const foreign = `/tmp/serial_fptest-${process.pid}-foreign.out`;
  symlinkSync('/nowhere/of/ours', foreign);
  try {
    dead.raw.child.kill('SIGKILL');
    await dead.raw.ended;
    for (const link of links(dead.vm)) expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const before = await sandbox.run(['doctor', '--quick']);
    expect(before.stdout).toContain(links(dead.vm).join(', '));
    expect(before.stdout).not.toContain(alive.vm.name);
    for (const link of links(dead.vm)) expect(lstatSync(link).isSymbolicLink(), 'only said').toBe(true);
    const after = await sandbox.run(['doctor', '--quick', '--fix']);
    expect(after.stdout).toContain(`removed ${links(dead.vm).join(', ')}`);
    for (const link of links(dead.vm)) expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined();
    for (const link of links(alive.vm)) expect(existsSync(link)).toBe(true);
    expect(readlinkSync(foreign)).toBe('/nowhere/of/ours');
  } finally {
    rmSync(foreign);
    await alive.vm[Symbol.asyncDispose]();
    await dead.vm.guest[Symbol.asyncDispose]();
  }
});

describe('a runtime directory that somebody else has taken', () => {
  test.each<[string, (path: string) => void, RegExp]>([
    ['a file', (path) => writeFileSync(path, ''), /is not a directory/],
    ['open to others', (path) => mkdirSync(path, { mode: 0o777 }), /is open to other users/],
    ['a link', (path) => symlinkSync('/tmp', path), /is a symbolic link/],
  ])('%s: said in two lines, without a trace of the program', async (_how, take, reason) => {
    await using sandbox = await Sandbox.open();
    take(join(sandbox.dir, 'run', 'frontpanel'));
    for (const args of [[], ['serve', '--port', '0'], ['call', 'machine_kinds']]) {
      const { code, stderr, stdout } = await sandbox.run(args);
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(reason);
      expect(stderr).toContain('XDG_RUNTIME_DIR');
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});

describe('few descriptors', () => {
  test('100 are enough to start; when they are used up calls say so, and others go on', async () => {
    const script = 'ulimit -n 100; exec "$0" "$@"';
    await using desk = await Desk.openIn('sh', ['-c', script, process.execPath, program, '--max-machines', '200']);
    await using guest = await Guest.listen();
    const started: string[] = [];
    let refusal: Record<string, unknown> | undefined;
    while (refusal === undefined && started.length < 150) {
      const name = `c${started.length}`;
      refusal = await desk.start({ port: guest.port }, name).then(
        () => undefined,
        () => desk.refusal('machine_start', { kind: 'console', options: { port: guest.port }, name }),
      );
      if (refusal === undefined) started.push(name);
    }
    expect(started.length).toBeGreaterThan(5);
    expect(refusal).toMatchObject({ error_type: 'UNAVAILABLE', suggested_fix: expect.stringContaining('ulimit -n') });
    const path = join(desk.sandbox.dir, 'r');
    const recording = { machine: 'c0', action: 'start', path };
    const full = await desk.call('console_record', recording);
    if (full.isError) expect(full.text).toMatch(/EMFILE[\s\S]*ulimit -n/);
    for (const machine of started.slice(1, 6)) await desk.ask('machine_stop', { machine });
    await desk.start({ port: guest.port }, 'again');
    await vi.waitFor(async () => expect(await desk.ask('machine_list')).toContain('again LINK UP'), 60_000);
    await desk.read({ machine: 'again', view: 'screen' });
  });

  test('too few are named in two lines', async () => {
    const command = `ulimit -n 40; exec ${process.execPath} ${program} < /dev/null`;
    const failed = await run('sh', ['-c', command]).catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr).toBe(
      'frontpanel: this process may not open enough files (EMFILE).\nRaise the limit: ulimit -n 1024\n',
    );
  });
});

test('--socket does not connect to a socket, or through a link, of another user', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const raw = new RawStdio(sandbox, []);
  await raw.initialize();
  await raw.call('machine_start', { kind: 'console', name: 'mine', options: { port: guest.port } });
  const out = join(sandbox.dir, 'run', 'frontpanel', String(raw.child.pid), 'mine.out');
  for (const end of ['in', 'out']) symlinkSync(out.replace('.out', `.${end}`), join(sandbox.dir, `link.${end}`));
  const link = join(sandbox.dir, 'link.out');
  // Everything here belongs to this user, so it is the program that is told it is somebody else.
  const other = 'process.getuid = () => 54321;';
  const stranger = `data:text/javascript,${encodeURIComponent(other)}`;
  for (const path of [out, link]) {
    const child = sandbox.spawnNode(['--import', stranger, program, '--socket', path]);
    const ended = endOf(child);
    child.stdin.end('secret\r');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to another user') });
  }
  expect(guest.received).toBe('');
  const plain = await sandbox.run(['--socket', join(sandbox.dir, 'run')]);
  expect(plain.code).toBe(1);
});
