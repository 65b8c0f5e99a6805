import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { identify, isAlive, isRunning } from './process-identity.ts';

test('a process is alive while it runs', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  expect([isAlive(pid), isRunning(identify(pid)), isRunning({ pid })]).toEqual([true, true, true]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([isAlive(pid), isRunning({ pid })]).toEqual([false, false]);
});

test.runIf(process.platform === 'linux')('one that has ended is not, though nobody waits for it', async () => {
  // sleep takes the shell's place, and with it a child that it does not know of.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  await vi.waitFor(() => expect([isAlive(pid), isRunning({ pid })]).toEqual([false, false]), 20_000);
  // It still has its number.
  expect(process.kill(pid, 0)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
});
