import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { newIn, openOf } from '../../../test/support/descriptors.ts';
import type { ByteConnection } from '../byte-link.ts';
import { type CommandLinkOptions, commandLink } from './command-link.ts';
import { eventually, isAlive, Listener, never, randomPieces } from './link-testing.ts';
import { ptyCommand } from './pty-command.ts';

const opened: ByteConnection[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.destroy();
});

async function run(
  command: readonly string[],
  options: Omit<CommandLinkOptions, 'command'> = {},
): Promise<{ connection: ByteConnection; listener: Listener }> {
  const connection = await commandLink({ command, ...options }).open(never());
  opened.push(connection);
  return { connection, listener: new Listener(connection) };
}

/** A shell script that tells its pid first. */
async function runScript(script: string): Promise<{ connection: ByteConnection; listener: Listener; pid: number }> {
  const { connection, listener } = await run(['sh', '-c', `echo $$; ${script}`]);
  await listener.until(() => listener.text.includes('\n'));
  return { connection, listener, pid: Number.parseInt(listener.text, 10) };
}

test('random bytes both ways at once', async () => {
  const { connection, listener } = await run(['cat']);
  const { all, pieces } = randomPieces(1024 * 1024);
  for (const piece of pieces) connection.write(piece);
  await listener.until(() => listener.receivedBytes >= all.length);
  expect(listener.received.equals(all)).toBe(true);
  await connection.end(5000);
  expect(listener.closes).toEqual([{ text: 'the command ended with code 0', final: true }]);
});

test('end lets everything written leave, and everything said arrive', async () => {
  const { connection, listener } = await run(['cat']);
  const { all, pieces } = randomPieces(4_000_000);
  for (const piece of pieces) connection.write(piece);
  await connection.end(20_000);
  expect(listener.received.equals(all)).toBe(true);
  expect(connection.pendingBytes).toBe(0);
});

test('output and errors stay in the order in which they were written', async () => {
  const script = 'i=0; while [ $i -lt 500 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done; exit 3';
  const { listener } = await run(['sh', '-c', script]);
  expect(await listener.closed()).toEqual({ text: 'the command ended with code 3', final: true });
  const expected = Array.from({ length: 500 }, (_, index) => `o${index}\ne${index}\n`).join('');
  expect(listener.text).toBe(expected);
});

test('the last words of a command are all there, even if it did not read what it was sent', async () => {
  const connection = await commandLink({ command: ['sh', '-c', 'head -c 100000 /dev/zero; kill -9 $$'] }).open(never());
  connection.write(randomBytes(50_000));
  await new Promise((resolve) => setTimeout(resolve, 50));
  connection.write(randomBytes(50_000));
  const listener = new Listener(connection);
  expect(await listener.closed()).toEqual({ text: 'the command was killed by SIGKILL', final: true });
  expect(listener.receivedBytes).toBe(100_000);
});

test('arguments are arguments: no shell looks at them', async () => {
  const words = ['$(id)', '`id`', ';', '&&', '*', 'a b', '"', "'", '\n', '>x', '-n'];
  const { listener } = await run([
    process.execPath,
    '-e',
    'console.log(JSON.stringify(process.argv.slice(1)))',
    '--',
    ...words,
  ]);
  await listener.closed();
  expect(JSON.parse(listener.text)).toEqual(words);
});

test('working directory and environment', async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'command-')));
  const { listener } = await run(['sh', '-c', 'pwd; echo $COLOUR; env | grep -c HOME='], {
    cwd,
    env: { COLOUR: 'red', PATH: process.env.PATH },
  });
  await listener.closed();
  expect(listener.text).toBe(`${cwd}\nred\n0\n`);
  await rm(cwd, { recursive: true });
});

test('leads a session of its own and leaves nothing in the temporary directory', async () => {
  const before = await pairDirectories();
  const { listener, pid } = await runScript('ps -o pgid=,sid= -p $$');
  await listener.closed();
  expect(listener.text.trim().split(/\s+/).map(Number)).toEqual([pid, pid, pid]);
  expect((await pairDirectories()).filter((name) => !before.includes(name))).toEqual([]);
});

describe('ending', () => {
  test('a command that ignores the end of its input gets TERM', async () => {
    const { connection, listener } = await runScript('trap "echo bye; exit 7" TERM; while :; do sleep 0.01; done');
    await connection.end(20);
    expect(listener.closes).toEqual([{ text: 'the command ended with code 7', final: true }]);
    expect(listener.text).toContain('bye');
  });

  test('a group that ignores TERM too is killed, whole', async () => {
    const { connection, listener, pid } = await runScript(
      'trap "" TERM; sleep 1000 & echo $!; while :; do sleep 1; done',
    );
    await listener.until(() => listener.text.split('\n').length > 2);
    const childPid = Number(listener.text.split('\n')[1]);
    expect(isAlive(childPid)).toBe(true);
    await connection.end(10);
    expect(listener.closes).toEqual([{ text: 'the command was killed by SIGKILL', final: true }]);
    await eventually(() => !isAlive(pid) && !isAlive(childPid));
  });

  const stubborn = 'trap "" TERM HUP; sleep 1000 & echo "$$ $! there"; while :; do sleep 0.05; done';
  const endings = { end: (one: ByteConnection) => one.end(10), destroy: (one: ByteConnection) => one.destroy() };
  test.runIf(process.platform === 'linux').for(Object.entries(endings))(
    'a command on a terminal of its own that ignores that this is gone is killed, whole: %s',
    async ([, ending]) => {
      const { command, env } = ptyCommand(['sh', '-c', stubborn]);
      const { connection, listener } = await run(command, { env });
      await listener.until(() => listener.text.includes('there'));
      const pids = listener.text.trim().split(' ').slice(0, 2).map(Number);
      expect(pids.map(isAlive)).toEqual([true, true]);
      await ending(connection);
      await eventually(() => pids.every((pid) => !isAlive(pid)));
    },
  );

  test('destroy kills at once', async () => {
    const { connection, listener, pid } = await runScript('trap "" TERM; while :; do sleep 0.05; done');
    connection.destroy();
    expect(await listener.closed()).toEqual({ text: 'the command was killed by SIGKILL', final: true });
    expect(isAlive(pid)).toBe(false);
    expect(listener.closes).toHaveLength(1);
  });

  test('what a command leaves in the background does not keep the line open', async () => {
    const { listener } = await runScript('sleep 1000 & echo $!; exit 0');
    expect((await listener.closed()).text).toBe('the command ended with code 0');
    const childPid = Number(listener.text.split('\n')[1]);
    await eventually(() => !isAlive(childPid));
  });

  test('a command that closes its output is ended', async () => {
    const { listener, pid } = await runScript('exec sleep 1000 <&- >&- 2>&-');
    expect((await listener.closed()).text).toBe('the command was killed by SIGTERM');
    await eventually(() => !isAlive(pid));
  });

  test('a connection nobody started can be closed', async () => {
    const guarded: number[] = [];
    const link = commandLink({
      command: ['cat'],
      guard: (pid) => {
        guarded.push(pid);
        return () => {};
      },
    });
    (await link.open(never())).destroy();
    await (await link.open(never())).end(5000);
    await eventually(() => guarded.length === 2 && guarded.every((pid) => !isAlive(pid)));
  });
});

test('a paused command waits and loses nothing, even when it ends meanwhile', async () => {
  const { connection, listener } = await run(['sh', '-c', 'read go; head -c 150000 /dev/zero; exit 4']);
  connection.pause();
  connection.write(Buffer.from('go\n'));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(listener.receivedBytes).toBe(0);
  expect(listener.closes).toEqual([]);
  connection.resume();
  expect((await listener.closed()).text).toBe('the command ended with code 4');
  expect(listener.receivedBytes).toBe(150_000);
});

test('counts what a command does not read', async () => {
  const { connection, listener } = await run(['sh', '-c', 'sleep 0.2; cat >/dev/null; sleep 1000']);
  connection.write(Buffer.alloc(1_000_000));
  expect(connection.pendingBytes).toBeGreaterThan(0);
  await listener.until(() => listener.drains === 1);
  expect(connection.pendingBytes).toBe(0);
});

test.runIf(process.platform === 'linux')('a guarded command has the name that it was given', async () => {
  const { listener } = await run(['cat', '/proc/self/cmdline'], { guard: () => () => {} });
  await listener.closed();
  expect(listener.text).toBe('cat\0/proc/self/cmdline\0');
});

test('a guarded command has its whole environment, and all of its input', async () => {
  const guard = () => () => {};
  const env = { PATH: process.env.PATH, 'A.B': 'one two', 'BASH_FUNC_f%%': '() {  echo hello\n}', SAFE: 'yes' };
  const { listener: listed } = await run(['env'], { guard, env });
  await listed.closed();
  expect(listed.text).toContain('A.B=one two\n');
  expect(listed.text).toContain('SAFE=yes\n');
  const { listener: ofBash } = await run(['bash', '--norc', '-c', 'f'], { guard, env });
  await ofBash.closed();
  expect(ofBash.text).toBe('hello\n');
  const { connection, listener } = await run(['cat'], { guard, env });
  connection.write(Buffer.from('\n\nfirst\n'));
  await connection.end(5000);
  expect(listener.text).toBe('\n\nfirst\n');
});

test('a script whose interpreter is missing does not start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fp-command-'));
  const script = join(folder, 'script');
  await writeFile(script, '#! /no/such/interpreter -x\n', { mode: 0o755 });
  const opening = commandLink({ command: [script], guard: () => () => {} }).open(never());
  await expect(opening).rejects.toThrow('is to be run by /no/such/interpreter, which is not there');
  await rm(folder, { recursive: true });
});

test.runIf(process.platform === 'linux')('a start that fails for want of descriptors leaves none open', async () => {
  const code = `
    import { commandLink } from ${JSON.stringify(new URL('./command-link.ts', import.meta.url).href)};
    const link = commandLink({ command: ['cat'], guard: () => () => {} });
    process.on('message', async () => {
      const outcome = await link.open(new AbortController().signal).then((opened) => opened.destroy(), String);
      process.send(outcome ?? 'started');
    });
    process.send('ready');
  `;
  const argv = ['--import', 'tsx', '--input-type=module', '-e', code];
  const starter = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    await once(starter, 'message');
    const pid = starter.pid ?? 0;
    const limit = (most: number) => spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
    const outcomeOf = async (spare: number) => {
      limit(openOf(pid).length + spare);
      starter.send('open');
      const [outcome] = await once(starter, 'message');
      limit(1000);
      return outcome;
    };
    await outcomeOf(100);
    const before = openOf(pid);
    const outcomes: string[] = [];
    for (let spare = 0; outcomes.at(-1) !== 'started'; spare++) outcomes.push(await outcomeOf(spare));
    expect(outcomes.filter((outcome) => outcome.includes('too many files open')).length).toBeGreaterThan(2);
    await eventually(() => newIn(openOf(pid), before).length === 0);
  } finally {
    starter.kill('SIGKILL');
  }
});

test('the guard learns the group and when it has ended', async () => {
  const events: string[] = [];
  const { listener } = await run(['sh', '-c', 'echo $$'], {
    guard: (pid) => {
      events.push(`+${pid}`);
      return () => events.push(`-${pid}`);
    },
  });
  await listener.closed();
  const pid = listener.text.trim();
  expect(events).toEqual([`+${pid}`, `-${pid}`]);
});

test('a command does not begin when whoever starts it dies before it is guarded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fp-command-'));
  const begun = join(folder, 'begun');
  const code = `
    import { writeSync } from 'node:fs';
    import { commandLink } from ${JSON.stringify(new URL('./command-link.ts', import.meta.url).href)};
    const guard = (pid) => {
      writeSync(1, String(pid));
      process.kill(process.pid, 'SIGKILL');
    };
    await commandLink({ command: ['touch', ${JSON.stringify(begun)}], guard }).open(new AbortController().signal);
  `;
  const argv = ['--import', 'tsx', '--input-type=module', '-e', code];
  const { stdout, signal } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  await eventually(() => !isAlive(Number(stdout)));
  expect(existsSync(begun)).toBe(false);
  await rm(folder, { recursive: true });
});

describe('what cannot be started', () => {
  const guard = () => () => {};

  test.for([undefined, guard])('is said in words', async (guarded) => {
    const open = (options: CommandLinkOptions) =>
      commandLink({ ...options, ...(guarded && { guard: guarded }) }).open(never());
    await expect(open({ command: ['no-such-program-xyz'] })).rejects.toThrow('there is no program no-such-program-xyz');
    await expect(open({ command: ['/etc/passwd'] })).rejects.toThrow('may not be executed');
    await expect(open({ command: ['true'], cwd: '/no/such' })).rejects.toThrow('working directory does not exist');
    await expect(open({ command: ['true', 'x'.repeat(4_000_000)] })).rejects.toThrow('true cannot be started');
    await expect(commandLink({ command: ['true'] }).open(AbortSignal.abort())).rejects.toThrow('cancelled');
    expect(() => commandLink({ command: [] })).toThrow('empty');
    expect(() => commandLink({ command: ['a\0b'] })).toThrow('NUL');
  });

  test('leaves nothing behind when it was cancelled on the way', async () => {
    const aborter = new AbortController();
    const pids: number[] = [];
    const attempt = commandLink({
      command: ['sleep', '1000'],
      guard: (pid) => {
        pids.push(pid);
        aborter.abort();
        return () => {};
      },
    }).open(aborter.signal);
    await expect(attempt).rejects.toThrow('cancelled');
    await eventually(() => pids.every((pid) => !isAlive(pid)));
    expect(pids).toHaveLength(1);
  });
});

test('has no BREAK', async () => {
  const { connection } = await run(['cat']);
  await expect(connection.sendBreak(1)).rejects.toThrow('BREAK');
});

test('says what it runs', () => {
  expect(commandLink({ command: ['qemu-system-x86_64', '-m', '1 G'] }).target).toBe(
    'command qemu-system-x86_64 -m "1 G"',
  );
});

async function pairDirectories(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('frontpanel-pair-'));
}
