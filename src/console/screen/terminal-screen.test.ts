import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { ScreenHost } from './screen-host.ts';
import { WorkerScreen, type WorkerScreenOptions } from './terminal-screen.ts';

const opened: WorkerScreen[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((screen) => screen.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** A console's output as the ring would keep it, and a screen on it. */
function consoleWith(history: string, options: Partial<WorkerScreenOptions> = {}) {
  let kept = Buffer.from(history);
  const screen = new WorkerScreen({ history: () => ({ from: 0, bytes: kept }), ...options });
  opened.push(screen);
  const print = (text: string) => {
    const bytes = Buffer.from(text);
    const offset = kept.length;
    kept = Buffer.concat([kept, bytes]);
    screen.feed(offset, bytes);
    bytes.fill(0);
  };
  return { screen, print, end: () => kept.length };
}

async function workerFile(code: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'screen-'));
  folders.push(folder);
  const file = join(folder, 'worker.mjs');
  await writeFile(file, code.replaceAll('FOLDER', JSON.stringify(folder)));
  return pathToFileURL(file);
}

describe('WorkerScreen', () => {
  test('shows what came before it was first read, and what comes after', async () => {
    const { screen, print, end } = consoleWith('login: ');
    print('root\r\n');
    expect(await screen.read()).toMatchObject({ columns: 80, rows: 24, offset: end(), cursor: { column: 0, row: 1 } });
    for (const char of 'Password: ') print(char);
    const { lines, offset } = await screen.read();
    expect(lines.slice(0, 2)).toEqual(['login: root', 'Password:']);
    expect(offset).toBe(end());
  });

  test('costs no worker before it is read', async () => {
    const { screen, print } = consoleWith('', { host: new ScreenHost(new URL('file:///nowhere/worker.js')) });
    print('text');
    await screen.resize(100, 30);
    await expect(screen.read()).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  });

  test('many screens share one host and do not mix', async () => {
    const host = new ScreenHost();
    const consoles = Array.from({ length: 8 }, (_, number) => consoleWith(`console ${number}`, { host }));
    const texts = await Promise.all(consoles.map(({ screen }) => screen.read()));
    expect(texts.map(({ lines }) => lines[0])).toEqual(consoles.map((_, number) => `console ${number}`));
  });

  test('only the end of a long history is drawn, from a whole line on', async () => {
    const { screen, end } = consoleWith('0123456789\r\n'.repeat(40_000));
    const { lines, offset } = await screen.read();
    expect(lines.slice(0, 23)).toEqual(Array.from({ length: 23 }, () => '0123456789'));
    expect(offset).toBe(end());
    expect(screen.skippedBytes).toBe(0);
  });

  test('a resize holds for the picture before and after', async () => {
    const { screen } = consoleWith(`${'x'.repeat(100)}\r\n`);
    await screen.resize(50, 5);
    expect(await screen.read()).toMatchObject({ columns: 50, rows: 5 });
    await screen.resize(200, 2);
    expect((await screen.read()).lines).toEqual(['x'.repeat(100), '']);
    expect([screen.columns, screen.rows]).toEqual([200, 2]);
  });

  test.each([
    [1, 24],
    [501, 24],
    [80, 0],
    [80, 201],
    [80.5, 24],
    [Number.NaN, 24],
  ])('refuses a size of %sx%s', async (columns, rows) => {
    await expect(consoleWith('').screen.resize(columns, rows)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });

  test('a flood is skipped, counted, and its end is shown', async () => {
    const { screen } = consoleWith('');
    await screen.read();
    const line = Buffer.from(`${'flood '.repeat(12)}\r\n`);
    const chunk = Buffer.concat(Array.from({ length: 1000 }, () => line));
    let offset = 0;
    for (; offset < 8_000_000; offset += chunk.length) screen.feed(offset, chunk);
    screen.feed(offset, Buffer.from('the end'));
    const text = await screen.read();
    expect(text.offset).toBe(offset + 7);
    expect(text.lines.slice(0, 23)).toEqual(Array.from({ length: 23 }, () => 'flood '.repeat(12).trimEnd()));
    expect(text.lines[23]).toBe('the end');
    expect(screen.skippedBytes).toBeGreaterThan(1_000_000);
  });

  test('a worker that hangs is replaced and the screen drawn again', { timeout: 30_000 }, async () => {
    const real = JSON.stringify(fileURLToPath(new URL('./screen-worker.ts', import.meta.url)));
    const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
    const entry = await workerFile(`
      import { existsSync, writeFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      import { pathToFileURL } from 'node:url';
      const mark = FOLDER + '/started';
      if (existsSync(mark)) {
        const { tsImport } = await import(${tsx});
        await tsImport(pathToFileURL(${real}).href, import.meta.url);
      } else {
        writeFileSync(mark, '');
        parentPort.on('message', ({ type }) => { while (type === 'read'); });
        parentPort.postMessage({ type: 'ready' });
      }`);
    const { screen, print, end } = consoleWith('before ', { host: new ScreenHost(entry) });
    const reading = screen.read();
    print('after');
    expect((await reading).lines[0]).toBe('before after');
    expect(screen.restarts).toBe(1);
    expect((await screen.read()).offset).toBe(end());
  });

  test('a worker that always hangs is an answer', { timeout: 30_000 }, async () => {
    const entry = await workerFile(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { while (true); });
      parentPort.postMessage({ type: 'ready' });`);
    const { screen } = consoleWith('', { host: new ScreenHost(entry) });
    const error = await screen.read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ type: 'UNAVAILABLE' });
    expect(String(error)).toMatch(/did not answer for 2 s.*failed again/);
  });

  test('a worker that crashes takes nothing with it', async () => {
    const entry = await workerFile(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { throw new Error('boom'); });
      parentPort.postMessage({ type: 'ready' });`);
    const { screen } = consoleWith('', { host: new ScreenHost(entry) });
    await expect(screen.read()).rejects.toThrow(/boom/);
  });

  test('closing answers a read that waits, and every one after', async () => {
    const { screen } = consoleWith('text');
    const reading = expect(screen.read()).rejects.toMatchObject({ type: 'WRONG_STATE' });
    await screen.close();
    await reading;
    await expect(screen.read()).rejects.toMatchObject({ type: 'WRONG_STATE' });
  });

  test('does not keep the process alive', { timeout: 30_000 }, async () => {
    const module = new URL('./terminal-screen.ts', import.meta.url).href;
    const code = `
      const { WorkerScreen } = await import(${JSON.stringify(module)});
      const screen = new WorkerScreen({ history: () => ({ from: 0, bytes: Buffer.from('alive') }) });
      console.log((await screen.read()).lines[0]);`;
    const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
    expect(stdout).toBe('alive\n');
  });
});
