import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AllowedFiles } from '../../host/files/allowed-files.ts';
import type { ReportedEvent } from '../../machine/events.ts';
import { ByteRing } from '../byte-ring.ts';
import type { RecordingFile } from './append-file.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';

const files = new AllowedFiles({ read: [], write: [tmpdir()] });
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

function setUp(options: Partial<RecorderOptions> = {}) {
  const ring = new ByteRing(1_000_000);
  const events: ReportedEvent[] = [];
  const size = { columns: 80, rows: 24 };
  const recorder = new Recorder({
    name: 'console-1',
    files,
    ring,
    size: () => size,
    maxAnnotations: 100,
    report: (event) => events.push(event),
    ...options,
  });
  const print = (bytes: string | Uint8Array) => {
    const chunk = Buffer.from(bytes);
    const offset = ring.end;
    ring.append(chunk);
    recorder.tap(offset, chunk);
    chunk.fill(0);
  };
  return { ring, recorder, print, events, size, path: join(folder, 'console.raw') };
}

async function jsonLines(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('Recorder', () => {
  test('keeps the exact bytes and an index of their times', async () => {
    const { recorder, print, path, ring } = setUp();
    print('before');
    await recorder.start(path, { withHistory: false });
    const sent = [];
    for (let round = 0; round < 20; round += 1) {
      const chunk = randomBytes(round * 997);
      sent.push(chunk);
      print(chunk);
      if (round % 5 === 0) await settled();
    }
    const status = await recorder.stop();
    const file = await readFile(path);
    expect(file.equals(Buffer.concat(sent))).toBe(true);
    expect(status).toEqual({ path, indexPath: `${path}.index.jsonl`, bytes: file.length, marks: 0, active: false });

    const [header, ...entries] = await jsonLines(status.indexPath);
    expect(header).toMatchObject({ version: 1, columns: 80, rows: 24, machine: 'console-1' });
    expect(Math.abs(Date.parse(String(header?.started)) - Date.now())).toBeLessThan(60_000);
    expect(entries.pop()).toMatchObject({ end: true });
    let offset = 6;
    let lastTime = 0;
    for (const entry of entries) {
      expect(entry).toMatchObject({ offset, file: offset - 6 });
      expect(entry.t).toBeGreaterThanOrEqual(lastTime);
      lastTime = Number(entry.t);
      offset += Number(entry.bytes);
    }
    expect(offset).toBe(ring.end);
    expect(entries.length).toBeGreaterThan(3);
  });

  test('the files are for their owner only', async () => {
    const { recorder, path } = setUp();
    const { indexPath } = await recorder.start(path, { withHistory: false });
    await recorder.stop();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(indexPath)).mode & 0o777).toBe(0o600);
  });

  test('begins with what the ring holds when asked to', async () => {
    const { recorder, print, path, ring } = setUp();
    const old = randomBytes(1_500_000);
    print(old);
    const starting = recorder.start(path, { withHistory: true });
    print('while starting');
    await starting;
    print('after');
    await recorder.stop();
    const expected = Buffer.concat([old, Buffer.from('while startingafter')]).subarray(ring.end - 1_000_000 - 5);
    const file = await readFile(path);
    // The five bytes that came after the start may or may not have pushed five old ones out of the ring.
    expect([expected, expected.subarray(5)].some((bytes) => bytes.equals(file))).toBe(true);
    expect(file.length + (recorder.status?.missing?.bytes ?? 0)).toBe(1_000_005);
  });

  test('history that the ring overwrote first is counted', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { recorder, print, path } = setUp({ open: (name) => gated(name, gate) });
    print(new Uint8Array(900_000).fill(1));
    await recorder.start(path, { withHistory: true });
    print(new Uint8Array(1_000_000).fill(2));
    release();
    const { bytes, missing } = await recorder.stop();
    expect(missing?.reason).toMatch(/overwritten/);
    expect(bytes + (missing?.bytes ?? 0)).toBe(1_900_000);
    expect((await readFile(path)).subarray(-1_000_000).equals(Buffer.alloc(1_000_000, 2))).toBe(true);
  });

  test('never touches a file that exists, nor one behind a link', async () => {
    const { recorder, path } = setUp();
    await writeFile(path, 'precious');
    await expect(recorder.start(path, { withHistory: false })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
    expect(await readFile(path, 'utf8')).toBe('precious');
    const link = join(folder, 'link');
    await symlink(join(folder, 'elsewhere'), link);
    await expect(recorder.start(link, { withHistory: false })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
    const free = join(folder, 'free');
    await writeFile(`${free}.index.jsonl`, 'precious');
    await expect(recorder.start(free, { withHistory: false })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
    await expect(stat(free)).rejects.toMatchObject({ code: 'ENOENT' });
    const nowhere = join(folder, 'nowhere', 'file');
    await expect(recorder.start(nowhere, { withHistory: false })).rejects.toMatchObject({ type: 'NOT_FOUND' });
    expect(recorder.status).toBeUndefined();
  });

  test('one recording at a time, another one after it', async () => {
    const { recorder, print, path } = setUp();
    expect(() => recorder.mark('early')).toThrow(/not being recorded/);
    await expect(recorder.stop()).rejects.toMatchObject({ type: 'WRONG_STATE' });
    const both = [recorder.start(path, { withHistory: false }), recorder.start(`${path}2`, { withHistory: false })];
    await expect(both[1]).rejects.toMatchObject({ type: 'BUSY' });
    await both[0];
    await expect(recorder.start(`${path}2`, { withHistory: false })).rejects.toThrow(path);
    await recorder.stop();
    print('between');
    await recorder.start(`${path}2`, { withHistory: false });
    print('second');
    await recorder.stop();
    expect(await readFile(`${path}2`, 'utf8')).toBe('second');
    expect(await readFile(path, 'utf8')).toBe('');
  });

  test('marks, link changes and sizes stand in the index in their order', async () => {
    const { recorder, print, path, size } = setUp({ maxAnnotations: 2 });
    const { indexPath } = await recorder.start(path, { withHistory: false });
    print('a');
    recorder.mark('kernel "starts"\n');
    print('b');
    recorder.link('down: peer closed');
    size.columns = 132;
    print('c');
    recorder.mark('second');
    expect(() => recorder.mark('third')).toThrow(expect.objectContaining({ type: 'LIMIT_REACHED' }));
    expect(() => recorder.mark('third')).toThrow(
      expect.objectContaining({ fix: expect.stringContaining('--max-annotations') }),
    );
    expect(() => recorder.mark('')).toThrow(expect.objectContaining({ type: 'INVALID_ARGUMENT' }));
    expect((await recorder.stop()).marks).toBe(2);
    const entries = (await jsonLines(indexPath)).slice(1).map(({ t, ...entry }) => entry);
    expect(entries).toEqual([
      { offset: 0, file: 0, bytes: 1 },
      { mark: 'kernel "starts"\n' },
      { offset: 1, file: 1, bytes: 1 },
      { link: 'down: peer closed' },
      { columns: 132, rows: 24 },
      { offset: 2, file: 2, bytes: 1 },
      { mark: 'second' },
      { end: true },
    ]);
  });

  test('a disk that is full for a while costs nothing', async () => {
    let full = true;
    const { recorder, print, path, events } = setUp({
      open: async (name) => failing(await open(name, 'wx'), () => full && !name.endsWith('.jsonl')),
    });
    await recorder.start(path, { withHistory: false });
    print('held back');
    await vi.waitFor(() => expect(recorder.status?.missing).toMatchObject({ bytes: 9 }), 30_000);
    expect(recorder.status?.missing?.reason).toMatch(/no space left/);
    full = false;
    print(' and more');
    await vi.waitFor(() => expect(recorder.status?.bytes).toBe(18), { timeout: 5000 });
    expect(await recorder.stop()).toMatchObject({ bytes: 18 });
    expect(recorder.status).not.toHaveProperty('missing');
    expect(await readFile(path, 'utf8')).toBe('held back and more');
    expect(events.map(({ type }) => type)).toEqual(['recording_failing', 'recording_resumed']);
  });

  test('bytes that never got to the disk are counted when it stops', async () => {
    const { recorder, print, path, events } = setUp({
      open: (name) => open(name.endsWith('.jsonl') ? name : '/dev/full', 'w'),
    });
    await recorder.start(path, { withHistory: false });
    for (let round = 0; round < 12; round += 1) print(randomBytes(1_000_000));
    await vi.waitFor(() => expect(recorder.status?.missing?.bytes).toBe(12_000_000), 30_000);
    expect(await recorder.stop()).toMatchObject({
      bytes: 0,
      active: false,
      missing: { bytes: 12_000_000, reason: expect.stringMatching(/ENOSPC/) },
    });
    expect(events.map(({ type }) => type).sort()).toEqual(['recording_failing', 'recording_incomplete']);
  });

  test('a disk that is too slow loses counted bytes and keeps the order', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { recorder, print, path } = setUp({ open: (name) => gated(name, gate) });
    await recorder.start(path, { withHistory: false });
    const sent = Array.from({ length: 10 }, (_, round) => Buffer.alloc(1_000_000, round + 1));
    for (const chunk of sent) print(chunk);
    expect(recorder.status?.missing).toEqual({ bytes: 10_000_000 - 8 * 1024 * 1024, reason: 'disk too slow' });
    release();
    await vi.waitFor(() => expect(recorder.status?.bytes).toBe(8 * 1024 * 1024), 30_000);
    print('late');
    const status = await recorder.stop();
    const written = Buffer.concat([...sent, Buffer.from('late')]);
    const file = await readFile(path);
    expect(file.equals(Buffer.concat([written.subarray(0, 8 * 1024 * 1024), written.subarray(-4)]))).toBe(true);
    const gap = (await jsonLines(status.indexPath)).find((entry) => 'missing' in entry);
    expect(gap).toMatchObject({ offset: 8 * 1024 * 1024, missing: status.missing?.bytes, reason: 'disk too slow' });
  });

  test.skipIf(!canMount())('a real full disk: what fits is there, the rest is counted', async () => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
    try {
      const { recorder, print } = setUp();
      const path = join(disk, 'console.raw');
      await recorder.start(path, { withHistory: false });
      const sent = [];
      for (let round = 0; round < 50; round += 1) {
        sent.push(randomBytes(10_000));
        print(sent.at(-1) ?? '');
        if (round % 10 === 0) await settled();
      }
      const { bytes, missing } = await recorder.stop();
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes + (missing?.bytes ?? 0)).toBe(500_000);
      expect((await readFile(path)).equals(Buffer.concat(sent).subarray(0, bytes))).toBe(true);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

/** A file whose writes wait for `gate`, except the index's. */
async function gated(path: string, gate: Promise<void>): Promise<RecordingFile> {
  const handle = await open(path, 'wx');
  if (path.endsWith('.jsonl')) return handle;
  return {
    write: async (...args) => {
      await gate;
      return handle.write(...args);
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

function failing(file: RecordingFile, fails: () => boolean): RecordingFile {
  return {
    write: (...args) => {
      if (fails()) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return file.write(...args);
    },
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
