import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { ProcessGuard } from './process-guard.ts';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';

const sleepers: ChildProcess[] = [];
afterEach(() => {
  for (const sleeper of sleepers.splice(0)) sleeper.kill('SIGKILL');
});

/** The leader of a process group of its own. */
function sleeper(): ProcessIdentity {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  sleepers.push(child);
  return identify(child.pid ?? 0);
}

async function gone(process: ProcessIdentity): Promise<void> {
  while (isRunning(process)) await new Promise((resolve) => setTimeout(resolve, 5));
}

function ignoresSignals(pid: number): boolean {
  return !/^SigIgn:\s*0+$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** A program that guards groups of its own and says which. */
const server = `
import { spawn } from 'node:child_process';
const { ProcessGuard } = await import(${JSON.stringify(new URL('./process-guard.ts', import.meta.url).href)});
const guard = new ProcessGuard();
const pids = [1, 2, 3].map(() => spawn('sh', ['-c', 'sleep 1000 & wait'], { detached: true, stdio: 'ignore' }).pid);
const forget = pids.map((pid) => guard.guard(pid));
forget[1]();
console.log(JSON.stringify({ pids, guard: guard.pid }));
if (process.argv.includes('stay')) setInterval(() => {}, 1000);
else for (const pid of pids) process.kill(-pid, 'SIGKILL');
`;

async function runServer(...args: string[]): Promise<{ child: ChildProcess; pids: number[]; guard: number }> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', server, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, ...JSON.parse(line) };
}

test('a server that is killed takes its groups along, except those it forgot', async () => {
  const { child, pids, guard } = await runServer('stay');
  const [first, second, third] = pids.map(identify);
  const shell = identify(guard);
  if (!first || !second || !third) throw new Error('no groups');
  expect([first, second, third, shell].map(isRunning)).toEqual([true, true, true, true]);
  child.kill('SIGKILL');
  await Promise.all([gone(first), gone(third), gone(shell)]);
  expect(isRunning(second)).toBe(true);
  process.kill(-second.pid, 'SIGKILL');
  await gone(second);
});

test.runIf(process.platform === 'linux')('groups that children of a leader lead end with it', async () => {
  const guard = new ProcessGuard();
  const leader = spawn('sh', ['-c', 'setsid sh -c "trap \'\' HUP TERM; echo \\$\\$; sleep 1000; exit" & wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  sleepers.push(leader);
  const below = identify(Number((await once(createInterface({ input: leader.stdout }), 'line'))[0]));
  guard.guard(leader.pid ?? 0);
  expect(isRunning(below)).toBe(true);
  await guard.close();
  await gone(below);
});

test('does not keep its server alive, and ends with it', async () => {
  const { child, guard } = await runServer();
  const shell = identify(guard);
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  await gone(shell);
});

test.runIf(process.platform === 'linux')('ignores the signals that end the server', async () => {
  const guard = new ProcessGuard();
  const group = sleeper();
  guard.guard(group.pid);
  const shell = identify(guard.pid ?? 0);
  while (!ignoresSignals(shell.pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.kill(shell.pid, signal);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(guard.pid).toBe(shell.pid);
  await guard.close();
  await gone(group);
});

test('starts with the first group, and a normal end leaves no process', async () => {
  const guard = new ProcessGuard();
  expect(guard.pid).toBeUndefined();
  const group = sleeper();
  const forget = guard.guard(group.pid);
  const shell = identify(guard.pid ?? 0);
  expect(isRunning(shell)).toBe(true);
  forget();
  forget();
  await guard.close();
  expect(isRunning(shell)).toBe(false);
  expect(isRunning(group)).toBe(true);
  expect(guard.pid).toBeUndefined();
  expect(() => guard.guard(group.pid)).toThrow('closed');
  // What is started while everything ends does not outlive it.
  await gone(group);
  await guard.close();
});

test('closing kills what is still guarded', async () => {
  const guard = new ProcessGuard();
  const groups = [sleeper(), sleeper()];
  for (const { pid } of groups) guard.guard(pid);
  await guard.close();
  await Promise.all(groups.map(gone));
});

test('a guard that was killed is replaced and knows all groups', async () => {
  const guard = new ProcessGuard();
  const groups = [sleeper(), sleeper()];
  for (const { pid } of groups) guard.guard(pid);
  const first = guard.pid ?? 0;
  process.kill(first, 'SIGKILL');
  while (guard.pid === first || guard.pid === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(groups.map(isRunning)).toEqual([true, true]);
  await guard.close();
  await Promise.all(groups.map(gone));
});

test('takes nothing that is not a group', async () => {
  const guard = new ProcessGuard();
  for (const pgid of [0, 1, -5, 1.5, Number.NaN]) expect(() => guard.guard(pgid)).toThrow('not a process group');
  await guard.close();
  expect(guard.pid).toBeUndefined();
});
