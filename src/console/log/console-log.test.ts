import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReportedEvent } from '../../machine/events.ts';
import type { ConsoleLogSettings } from '../../machine/host.ts';
import { ConsoleLog } from './console-log.ts';
import { KeptLog } from './kept-log.ts';
import { LogText } from './log-text.ts';
import { RotatingFile } from './rotating-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-'));
  path = join(folder, 'vm.log');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const settings = (more: Partial<ConsoleLogSettings> = {}): ConsoleLogSettings => ({
  file: path,
  timestamps: true,
  maxBytes: 0,
  maxAgeHours: 0,
  keep: 3,
  markMinutes: 0,
  ...more,
});
const read = (file = path) => readFile(file, 'utf8');

describe('text', () => {
  const at = new Date('2026-11-15T12:00:00.000Z');
  const later = new Date('2026-11-15T12:00:01.500Z');
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

  test('lines begin with the time of their first byte, however they are cut', () => {
    const log = new LogText(true);
    const said = [log.output(Buffer.from('boo'), at), log.output(Buffer.from('ting\r\nlogin: '), later)].map(text);
    expect(said.join('')).toBe('2026-11-15T12:00:00.000Z booting\r\n2026-11-15T12:00:01.500Z login: ');
  });

  test('marks stand on lines of their own, and the line goes on after them', () => {
    const log = new LogText(true);
    const said = [
      log.output(Buffer.from('half a li'), at),
      log.mark('MARK', later),
      log.output(Buffer.from('ne\n'), later),
      log.mark('evil\n\x1b[31m [-- fake --]', later),
    ].map(text);
    expect(said.join('')).toBe(
      '2026-11-15T12:00:00.000Z half a li\n[-- MARK -- 2026-11-15T12:00:01.500Z]\n' +
        '2026-11-15T12:00:01.500Z ne\n[-- evil  [31m [-- fake --] -- 2026-11-15T12:00:01.500Z]\n',
    );
  });

  test('sequences that would act on the terminal of whoever looks at it are left out, colours are not', () => {
    const log = new LogText(false);
    const bytes = log.output(Buffer.from('\x1b[31mred\x1b[0m \x1b]52;c;cm0=\x07\x1b[6nend\n'), at);
    expect(text(bytes)).toBe('\x1b[31mred\x1b[0m end\n');
  });
});

describe('rotation', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `line ${String(from + index).padStart(4, '0')}\n`).join('');

  test('is on a line border, no file is larger than it may be, the newest old file is number 1, others go', async () => {
    const file = await RotatingFile.open({ path, maxBytes: 105, maxAgeMs: 0, keep: 2 });
    // Cut anywhere, as output comes.
    const all = Buffer.from(lines(0, 40));
    for (let at = 0; at < all.length; at += 7) await file.append(all.subarray(at, at + 7));
    await file.close();
    expect((await readdir(folder)).sort()).toEqual(['vm.log', 'vm.log.1', 'vm.log.2']);
    const [now, one, two] = [await read(), await read(`${path}.1`), await read(`${path}.2`)];
    expect(two + one + now).toBe(lines(40 - (two + one + now).length / 10, 40));
    for (const each of [now, one, two]) {
      expect(each.length).toBeLessThanOrEqual(110);
      expect(each).toMatch(/^(line \d{4}\n)+$/);
    }
  });

  test('a line longer than a file stays whole, one without end is cut', async () => {
    const file = await RotatingFile.open({ path, maxBytes: 100, maxAgeMs: 0, keep: 9 });
    await file.append(Buffer.from(`short\n${'x'.repeat(500)}\nafter\n`));
    expect(await read(`${path}.2`)).toBe('short\n');
    expect(await read(`${path}.1`)).toBe(`${'x'.repeat(500)}\n`);
    for (let i = 0; i < 5; i++) await file.append(Buffer.alloc(40_000, 'y'));
    await file.close();
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).size).toBeLessThan(140_000);
  });

  test('by age, also of a file from before, and also when nothing is written', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'setTimeout', 'clearTimeout', 'clearInterval'] });
    const log = await ConsoleLog.open(settings({ maxAgeHours: 1 }), () => {});
    log.output(Buffer.from('old\n'));
    await vi.advanceTimersByTimeAsync(100);
    await vi.waitFor(async () => expect(await read()).toContain('old'), 30_000);
    await vi.advanceTimersByTimeAsync(3_700_000);
    await vi.waitFor(async () => expect(await read(`${path}.1`)).toContain('old'), 30_000);
    log.output(Buffer.from('new\n'));
    await log.close();
    expect(await read()).toMatch(/ new\n$/);
    expect(await read()).not.toContain('old');
  });

  test('with nothing to keep the file begins anew', async () => {
    const file = await RotatingFile.open({ path, maxBytes: 20, maxAgeMs: 0, keep: 0 });
    await file.append(Buffer.from(lines(0, 5)));
    await file.close();
    expect(await readdir(folder)).toEqual(['vm.log']);
    expect(await read()).toBe(lines(4, 5));
  });
});

describe('the file', () => {
  test('is for this user alone, is appended to, and goes on on a line of its own', async () => {
    await writeFile(path, 'from before', { mode: 0o600 });
    const log = await ConsoleLog.open(settings({ timestamps: false }), () => {});
    log.mark('Link up');
    log.output(Buffer.from('hello\n'));
    await log.close();
    expect(await read()).toMatch(/^from before\n\[-- Link up -- [\dT:.-]+Z\]\nhello\n$/);
    await rm(path);
    const fresh = await ConsoleLog.open(settings(), () => {});
    await fresh.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('is not reached through a link, and what is not a file is not opened', async () => {
    await writeFile(join(folder, 'precious'), 'precious');
    await symlink(join(folder, 'precious'), path);
    await expect(ConsoleLog.open(settings(), () => {})).rejects.toThrow(/ELOOP/);
    await rm(path);
    execFileSync('mkfifo', [path]);
    await expect(ConsoleLog.open(settings(), () => {})).rejects.toThrow(/is not a file/);
  });

  test('that somebody else moved away is opened anew', async () => {
    const file = await RotatingFile.open({ path, maxBytes: 0, maxAgeMs: 0, keep: 3 });
    await file.append(Buffer.from('before\n'));
    await rename(path, `${path}.moved`);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
    await file.append(Buffer.from('after\n'));
    vi.restoreAllMocks();
    await file.close();
    expect([await read(`${path}.moved`), await read()]).toEqual(['before\n', 'after\n']);
  });

  test('marks come as often as asked for', async () => {
    const log = await ConsoleLog.open(settings({ markMinutes: 0.001 }), () => {});
    await vi.waitFor(async () => expect((await read()).match(/\[-- MARK -- /g)?.length).toBeGreaterThan(2), 10_000);
    await log.close();
  });
});

describe('a disk that takes nothing', () => {
  /** What a file handle does when the disk is full, and when it is not any more. */
  async function onDisk(events: ReportedEvent[]): Promise<{ log: ConsoleLog; full(now: boolean): void }> {
    const log = await ConsoleLog.open(settings({ timestamps: false }), (event) => events.push(event));
    let isFull = false;
    const append = RotatingFile.prototype.append;
    vi.spyOn(RotatingFile.prototype, 'append').mockImplementation(async function (this: RotatingFile, bytes) {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      await append.call(this, bytes);
    });
    return {
      log,
      full: (now) => {
        isFull = now;
      },
    };
  }
  afterEach(() => vi.restoreAllMocks());

  test('is told once, tried again, and told again when it is over; nothing is lost or doubled', async () => {
    const events: ReportedEvent[] = [];
    const { log, full } = await onDisk(events);
    log.output(Buffer.from('one\n'));
    await vi.waitFor(async () => expect(await read()).toBe('one\n'), 30_000);
    full(true);
    log.output(Buffer.from('two\n'));
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(['log_failing']), 30_000);
    log.output(Buffer.from('three\n'));
    full(false);
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(['log_failing', 'log_resumed']), 10_000);
    await log.close();
    expect(await read()).toBe('one\ntwo\nthree\n');
  });

  test('costs no more than eight megabytes, and the log says how much is missing', async () => {
    const { log, full } = await onDisk([]);
    full(true);
    for (let i = 0; i < 12; i++) log.output(Buffer.alloc(1024 * 1024, `${i % 10}`));
    full(false);
    await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(8 * 1024 * 1024), 10_000);
    await log.close();
    expect((await read()).slice(-200)).toContain('[-- 4194304 bytes were not logged');
  });

  test('for real: a directory that went away', async () => {
    const events: ReportedEvent[] = [];
    const log = await ConsoleLog.open(settings({ maxBytes: 1000 }), (event) => events.push(event));
    log.output(Buffer.alloc(900, 'x\n'));
    await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(0), 30_000);
    if (process.getuid?.() !== 0) await chmod(folder, 0o500);
    // The log may be about to make a file in it.
    else await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 20 });
    log.output(Buffer.alloc(900, 'y\n'));
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain('log_failing'), 10_000);
    await log.close();
    await rm(folder, { recursive: true, force: true });
    folder = await mkdtemp(join(tmpdir(), 'log-'));
  });
});

test('a log belongs to one server; another goes on without it and has it when that one is gone', async () => {
  const events: ReportedEvent[] = [];
  const report = (event: ReportedEvent) => events.push(event);
  const runtimeDir = join(folder, '1');
  const first = await KeptLog.open({ settings: settings(), runtimeDir, report, retryMs: 50 });
  const second = await KeptLog.open({ settings: settings(), runtimeDir: join(folder, '2'), report, retryMs: 50 });
  expect(events).toMatchObject([
    { type: 'log_failed', text: expect.stringContaining('Another server writes the log') },
  ]);
  second.output(Buffer.from('lost\n'));
  first.output(Buffer.from('of the first\n'));
  await first.close();
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'log_resumed' }), 10_000);
  second.output(Buffer.from('of the second\n'));
  await second.close();
  expect(await read()).toMatch(/of the first\n\[-- Log closed -- .*\]\n\[-- Log opened by .*\]\n.* of the second\n/);
});

test('one log is one log, whichever way leads to it', async () => {
  const events: ReportedEvent[] = [];
  const report = (event: ReportedEvent) => events.push(event);
  await symlink(folder, `${folder}-link`);
  const file = join(`${folder}-link`, basename(path));
  try {
    const first = await KeptLog.open({ settings: settings(), runtimeDir: join(folder, '1'), report });
    const second = await KeptLog.open({ settings: { ...settings(), file }, runtimeDir: join(folder, '2'), report });
    await second.close();
    await first.close();
    expect(events).toMatchObject([{ type: 'log_failed', text: expect.stringContaining('Another server writes') }]);
  } finally {
    await rm(`${folder}-link`);
  }
});
