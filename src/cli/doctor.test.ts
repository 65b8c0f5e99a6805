import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identify } from '../host/process-identity.ts';
import type { Finding } from './doctor/finding.ts';
import { doctor } from './doctor.ts';

let directory: string;
/** Above what Linux gives out. */
const deadPid = 2 ** 22 + 1;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fp-'));
});

afterEach(() => rm(directory, { recursive: true }));

/** Answers like the server does, in a few lines. */
const honestServer = `
process.stdin.setEncoding('utf8');
let rest = '';
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    const result = method === 'tools/list' ? { tools: [{}, {}, {}] } : {};
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
});`;

interface Examination {
  readonly program?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly files?: Readonly<Record<string, string>>;
  readonly fix?: boolean;
  readonly config?: string;
  readonly qemuFolders?: readonly string[];
}

async function examine(
  json: boolean,
  { program = honestServer, env, files = {}, fix = false, config, qemuFolders }: Examination,
) {
  const stdout = new PassThrough();
  const code = await doctor({
    json,
    fix,
    config,
    ...(qemuFolders && { qemuFolders }),
    env: { PATH: process.env.PATH, XDG_RUNTIME_DIR: directory, FRONTPANEL_PORT: '0', ...env },
    readConfigFile: (path) => files[path],
    selfCommand: [process.execPath, '-e', program],
    stdout,
  });
  return { code, text: String(stdout.read()) };
}

async function findings(examination: Examination = {}): Promise<{ code: number; of(check: string): Finding[] }> {
  const { code, text } = await examine(true, examination);
  const report: { ok: boolean; findings: Finding[] } = JSON.parse(text);
  expect(report.ok).toBe(code === 0);
  return { code, of: (check) => report.findings.filter((finding) => finding.check === check) };
}

describe('doctor', () => {
  test('a healthy computer', async () => {
    const report = await findings();
    expect(report.code).toBe(0);
    expect(report.of('Node.js')).toMatchObject([{ status: 'ok', detail: expect.stringContaining(process.version) }]);
    expect(report.of('configuration')).toMatchObject([{ status: 'ok', detail: 'set by FRONTPANEL_PORT' }]);
    expect(report.of('runtime directory')).toMatchObject([{ status: 'ok' }]);
    expect(report.of('leftovers')).toMatchObject([{ status: 'ok', detail: 'none' }]);
    expect(report.of('disk')).toMatchObject([{ detail: expect.stringMatching(/^\d+ MB free/) }]);
    expect(report.of('tmux')).toMatchObject([{ status: 'ok' }]);
    expect(report.of('self test')).toMatchObject([
      { status: 'ok', detail: expect.stringMatching(/^3 tools listed \d+ ms after the start$/) },
    ]);
  });

  test('the same rows as text, with the fix below what is wrong', async () => {
    const { text, code } = await examine(false, { env: { PATH: directory } });
    expect(code).toBe(0);
    expect(text).toContain('ok    configuration: set by FRONTPANEL_PORT\n');
    expect(text).toMatch(/^warn {2}QEMU: no qemu-system-\* program is installed.*\n {6}→ Install the package/m);
  });

  test('programs are found on the path', async () => {
    await writeFile(join(directory, 'qemu-system-z80'), '', { mode: 0o755 });
    await writeFile(join(directory, 'qemu-system-6502'), '', { mode: 0o644 });
    const report = await findings({ env: { PATH: directory } });
    expect(report.of('QEMU')).toMatchObject([{ status: 'ok', detail: 'z80' }]);
    expect(report.of('socat')).toMatchObject([{ status: 'warn', fix: expect.stringContaining('socat') }]);
    const elsewhere = await findings({ env: { PATH: '/nowhere' }, qemuFolders: [directory] });
    expect(elsewhere.of('QEMU')).toMatchObject([{ status: 'ok', detail: 'z80' }]);
  });

  test('terminals that a window could be opened in', async () => {
    await writeFile(join(directory, 'xterm'), '', { mode: 0o755 });
    const headless = await findings({ env: { PATH: directory } });
    expect(headless.of('terminals')).toMatchObject([{ status: 'warn', fix: expect.stringContaining('attach') }]);
    const desktop = await findings({ env: { PATH: directory, DISPLAY: ':9' } });
    expect(desktop.of('terminals')).toMatchObject([{ status: 'ok', detail: 'xterm' }]);
    const unknown = await findings({ env: { FRONTPANEL_TERMINAL: 'notaterminal' } });
    expect(unknown.of('terminals')).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('notaterminal') },
    ]);
  });

  test('a wrong configuration fails, each problem in its row', async () => {
    const files = { 'frontpanel.config.json': '{"prot": 1, "toolset": 2}' };
    const report = await findings({ files });
    expect(report.code).toBe(1);
    expect(report.of('configuration').map(({ status }) => status)).toEqual(['fail', 'fail']);
    const missing = await findings({ config: 'other.json' });
    expect(missing.of('configuration')).toMatchObject([{ detail: '--config: there is no file other.json.' }]);
  });

  test('says whose tokens a server would take, how long its certificate lasts, and what travels in the clear', async () => {
    const plain = await findings();
    expect(plain.of('tokens')).toMatchObject([
      { status: 'ok', detail: 'one, kept in your state folder and printed at each start' },
    ]);
    expect([...plain.of('TLS'), ...plain.of('network')]).toEqual([]);
    const tokens = [{ name: 'alice', role: 'use', token: 'a-token-of-some-length' }];
    const config = join(directory, 'tokens.json');
    await writeFile(config, JSON.stringify({ tokens, host: '0.0.0.0' }));
    await chmod(config, 0o644);
    const named = await findings({ config, files: { [config]: await readFile(config, 'utf8') } });
    expect(named.of('tokens')).toMatchObject([
      { status: 'ok', detail: 'alice (use)' },
      { status: 'warn', detail: expect.stringContaining(`chmod 600 ${config}`) },
    ]);
    expect(named.of('network')).toMatchObject([{ status: 'warn', detail: expect.stringContaining('in the clear') }]);
    const [cert, key] = [join(directory, 'x.crt'), join(directory, 'x.key')];
    const how = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '5',
      '-subj',
      '/CN=x',
      '-out',
      cert,
      '-keyout',
      key,
    ];
    expect(spawnSync('openssl', how).status).toBe(0);
    const secured = await findings({ env: { FRONTPANEL_TLS_CERT: cert, FRONTPANEL_TLS_KEY: key } });
    expect(secured.of('TLS')).toMatchObject([{ status: 'warn', detail: expect.stringMatching(/valid until \d{4}-/) }]);
    const missing = await findings({ env: { FRONTPANEL_TLS_CERT: cert, FRONTPANEL_TLS_KEY: '/nowhere' } });
    expect(missing.of('TLS')).toMatchObject([{ status: 'fail', detail: expect.stringContaining('/nowhere') }]);
    expect(missing.code).toBe(1);
  });

  test('says who has the port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      const report = await findings({ env: { FRONTPANEL_PORT: String(port) } });
      const [found] = report.of(`port ${port}`);
      expect(found).toMatchObject({ status: 'warn', fix: expect.stringContaining('--port') });
      if (process.platform === 'linux') expect(found?.detail).toContain(`by process ${process.pid} (`);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('a runtime directory that others can read fails until it is fixed', async () => {
    const root = join(directory, 'frontpanel');
    await mkdir(root, { mode: 0o755 });
    const before = await findings();
    expect(before.code).toBe(1);
    expect(before.of('runtime directory')).toMatchObject([{ status: 'fail', fix: expect.stringContaining('--fix') }]);
    const after = await findings({ fix: true });
    expect(after.of('runtime directory')).toMatchObject([{ status: 'ok' }]);
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    await rm(root, { recursive: true });
    await writeFile(root, '');
    expect((await findings()).of('runtime directory')).toMatchObject([{ status: 'fail' }]);
  });

  test('what a dead server left is found, and removed with its processes on --fix', async () => {
    const orphan = spawn('sleep', ['100'], { detached: true, stdio: 'ignore' });
    const ended = once(orphan, 'exit');
    const root = join(directory, 'frontpanel');
    const dir = join(root, String(deadPid));
    await mkdir(root, { mode: 0o700 });
    await mkdir(dir, { mode: 0o700 });
    const record = { startedAt: new Date().toISOString(), version: '1', processGroups: [identify(orphan.pid ?? 0)] };
    await writeFile(join(dir, 'server.json'), JSON.stringify({ pid: deadPid, startTicks: 1, ...record }));
    const before = await findings();
    expect(before.of('leftovers')).toMatchObject([{ status: 'warn', fix: 'Run frontpanel doctor --fix.' }]);
    expect(before.code).toBe(0);
    const after = await findings({ fix: true });
    expect(after.of('leftovers')).toMatchObject([
      { status: 'ok', detail: `removed what process ${deadPid} left, and killed its process groups ${orphan.pid}` },
    ]);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect((await findings()).of('leftovers')).toMatchObject([{ detail: 'none' }]);
  });

  test.each([
    ['ends at once', 'console.error("no such module"); process.exit(3)', /code 3\. It said: no such module/],
    ['answers with an error', 'console.log(JSON.stringify({ id: 1, error: { message: "no" } }))', /"message":"no"/],
    ['talks nonsense', 'console.log("Welcome!")', /not valid JSON/],
    ['closes its output', 'process.stdout.end(); setTimeout(() => {}, 1e5)', /closed its output/],
  ])('a server that %s fails the self test', async (_, program, reason) => {
    const report = await findings({ program });
    expect(report.code).toBe(1);
    expect(report.of('self test')).toMatchObject([{ status: 'fail', detail: expect.stringMatching(reason) }]);
  });
});
