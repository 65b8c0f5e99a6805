import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const nowhere = 'http://127.0.0.1:9/';
const packed = z.array(
  z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), optional: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

let folder: string;
let files: readonly string[] = [];

function npm(cwd: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** What it needs to run, as our lock file has it. */
function needed(): readonly string[] {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages).flatMap(([path, { dev, optional, devOptional }]) =>
    path === '' || dev || optional || devOptional ? [] : [`./${path}`],
  );
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontpanel-pack-'));
  mkdirSync(join(folder, 'empty'));
  const told = npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder, '.', ...needed());
  const all = packed.parse(JSON.parse(told));
  files = all.find(({ name }) => name === 'frontpanel')?.files.map(({ path }) => path) ?? [];
  writeFileSync(join(folder, 'empty', 'package.json'), '{"private":true}');
  const offline = ['--offline', '--omit=optional', '--no-audit', '--no-fund', '--registry', nowhere];
  const cache = ['--cache', join(folder, 'cache')];
  npm(join(folder, 'empty'), 'install', ...offline, ...cache, ...all.map(({ filename }) => `../${filename}`));
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a group of its own, since npx does not pass on to the program that it is to end. */
function start(...args: readonly string[]) {
  const program = spawn('npx', ['--offline', 'frontpanel', ...args], {
    cwd: join(folder, 'empty'),
    detached: true,
    env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, XDG_STATE_HOME: folder },
  });
  onTestFinished(() => endGroup(program.pid));
  return program;
}

async function endGroup(pid: number | undefined): Promise<void> {
  const told = (signal: NodeJS.Signals | 0) => {
    try {
      return pid !== undefined && process.kill(-pid, signal);
    } catch {
      return false;
    }
  };
  told('SIGTERM');
  await vi.waitFor(() => expect(told(0)).toBe(false), { timeout: 60_000, interval: 50 });
}

test('the package has the program, its docs and no maps, sources or tests', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.length).toBeLessThan(400);
  expect(files.filter((path) => /\.map$|\.test\.|(^|\/)(src|test|bench|scripts|node_modules)\//.test(path))).toEqual(
    [],
  );
  expect(files.filter((path) => path.endsWith('.ts'))).toEqual(['dist/gym.d.ts']);
});

test('from an empty folder and without a network npx serves MCP on stdio', async () => {
  const program = start('--page', 'off');
  let said = '';
  program.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
    if (said.includes('"id":2')) program.stdin.end();
  });
  const clientInfo = { name: 'pack test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'machine_start', arguments: { kind: 'c64' } } },
  ]) {
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  await once(program, 'exit');
  expect(said).toContain('c64-1 PAUSED at ');
});

test('and its page, with a running machine', async () => {
  const program = start('serve', '--port', '0', '--demo');
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    program.once('exit', () => reject(new Error(said)));
    program.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [, url] = /^Live page: (\S+)\s/m.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const page = await fetch(address);
  const html = await page.text();
  expect([page.status, html]).toEqual([200, expect.stringMatching(/<script[^>]+src="/)]);
  const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(html) ?? [];
  expect((await fetch(new URL(script, address))).status).toBe(200);
});
