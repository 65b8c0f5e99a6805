import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { acquireLock } from './acquire-lock.ts';
import { FileLock } from './file-lock.ts';
import { shareLock } from './share-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));
const options = { owner: 'a test', folder };
const unique = (name: string) => `test-${process.pid}-${name}`;

test('one owner at a time; the refusal names it', async () => {
  const name = unique('one');
  const held = await acquireLock(name, options);
  await expect(acquireLock(name, options)).rejects.toMatchObject({
    type: 'BUSY',
    message: expect.stringContaining(`process ${process.pid} (a test)`),
    data: { lock: name, holder_pid: process.pid },
  });
  await held[Symbol.asyncDispose]();
  await using again = await acquireLock(name, options);
  expect(again.name).toBe(name);
  await expect(acquireLock('a/b', options)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
});

test('machines of one process share it, and the last one gives it back', async () => {
  const name = unique('shared');
  const [first, second] = [await shareLock(name, options), await shareLock(name, options)];
  await first();
  await first();
  await expect(acquireLock(name, options)).rejects.toMatchObject({ type: 'BUSY' });
  await second();
  await using held = await acquireLock(name, options);
  await expect(shareLock(name, options)).rejects.toMatchObject({ type: 'BUSY' });
  expect(held.name).toBe(name);
});

test('a machine that starts while the last one gives it back has it', async () => {
  const name = unique('handover');
  const first = await shareLock(name, options);
  const [, second] = await Promise.all([first(), shareLock(name, options)]);
  await expect(acquireLock(name, options)).rejects.toMatchObject({ type: 'BUSY' });
  await second();
  await using held = await acquireLock(name, options);
  expect(held.name).toBe(name);
});

/** A process that tries to take the lock and says whether it has; it holds it until it is killed. */
async function contender(module: string, call: string): Promise<{ said: string; kill(): Promise<void> }> {
  const code = `import('${new URL(module, import.meta.url).href}').then(async (lock) => { ${call} })`;
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [said] = await once(child.stdout, 'data');
  return {
    said: String(said).trim(),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const hold = 'setInterval(() => {}, 1000);';

test('of processes that race for it one wins; when it is killed the lock is free', { timeout: 60_000 }, async () => {
  const name = unique('race');
  const call = `const won = await lock.acquireLock('${name}', { owner: 'racer', folder: '${folder}' }).then(() => true, (error) => error.data.holder_pid);
    console.log(won === true ? 'won ' + process.pid : 'lost to ' + won); ${hold}`;
  const racers = await Promise.all(Array.from({ length: 4 }, () => contender('./acquire-lock.ts', call)));
  const winners = racers.filter(({ said }) => said.startsWith('won'));
  expect(winners).toHaveLength(1);
  const pid = winners[0]?.said.split(' ')[1];
  expect(racers.filter(({ said }) => said === `lost to ${pid}`)).toHaveLength(3);
  await winners[0]?.kill();
  await using held = await acquireLock(name, options);
  expect(held.name).toBe(name);
  for (const racer of racers) await racer.kill();
});

test('the file for other systems: taken once, freed with its owner, cleared away when that has died', async () => {
  const first = await FileLock.take('file', options);
  expect(first).toBeInstanceOf(FileLock);
  expect(await FileLock.take('file', options)).toMatchObject({ holder: { pid: process.pid, owner: 'a test' } });
  if (first instanceof FileLock) await first[Symbol.asyncDispose]();
  const gone = spawn('true');
  await once(gone, 'exit');
  writeFileSync(join(folder, 'file.lock'), JSON.stringify({ pid: gone.pid, owner: 'dead', since: '' }));
  const tries = await Promise.all(Array.from({ length: 8 }, () => FileLock.take('file', options)));
  const winners = tries.filter((each) => each instanceof FileLock);
  expect(winners).toHaveLength(1);
  for (const winner of winners) await winner[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
});
