import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AllowedFiles } from '../../host/files/allowed-files.ts';
import { ByteRing } from '../byte-ring.ts';
import { exportAsciicast } from './asciicast.ts';
import { Recorder } from './recorder.ts';

const files = new AllowedFiles({ read: [], write: [tmpdir()] });
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asciicast-'));
});
afterEach(() => rm(folder, { recursive: true }));

const header = { version: 1, started: '2026-01-02T03:04:05.678Z', columns: 100, rows: 30, machine: 'console-1' };

/** A recording made of pieces, each a batch of its own, and other index entries. */
async function recorded(...parts: (Uint8Array | string | Record<string, unknown>)[]): Promise<string> {
  const path = join(folder, 'rec');
  const bytes: Buffer[] = [];
  const lines = [JSON.stringify(header)];
  let file = 0;
  for (const [number, part] of parts.entries()) {
    const t = number * 100;
    if (typeof part === 'string' || part instanceof Uint8Array) {
      const chunk = Buffer.from(part);
      bytes.push(chunk);
      lines.push(JSON.stringify({ t, offset: file, file, bytes: chunk.length }));
      file += chunk.length;
    } else {
      lines.push(JSON.stringify({ t, ...part }));
    }
  }
  await writeFile(path, Buffer.concat(bytes));
  await writeFile(`${path}.index.jsonl`, `${lines.join('\n')}\n`);
  return path;
}

async function exported(path: string) {
  const to = join(folder, 'out.cast');
  const { seconds } = await exportAsciicast(files, path, to);
  const raw = await readFile(to, 'utf8');
  const [head, ...events]: unknown[][] = raw
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { raw, head, events, seconds };
}

describe('exportAsciicast', () => {
  test('header, output, markers and sizes', async () => {
    const path = await recorded('one', { mark: 'here' }, { link: 'down' }, { columns: 132, rows: 50 }, 'two', {
      end: true,
    });
    const { head, events, seconds, raw } = await exported(path);
    expect(head).toEqual({ version: 2, width: 100, height: 30, timestamp: 1767323045, title: 'console-1' });
    expect(events).toEqual([
      [0, 'o', 'one'],
      [0.1, 'm', 'here'],
      [0.3, 'r', '132x50'],
      [0.4, 'o', 'two'],
    ]);
    expect(seconds).toBe(0.5);
    expect(raw.endsWith('\n')).toBe(true);
  });

  test('counts what it wrote', async () => {
    const to = join(folder, 'counted.cast');
    expect(await exportAsciicast(files, await recorded('a', { mark: 'm' }, 'b'), to)).toEqual({
      path: to,
      events: 3,
      seconds: 0.2,
    });
  });

  test('characters cut between batches are whole, bad bytes are replaced, control characters escaped', async () => {
    const euro = Buffer.from('€');
    const path = await recorded(
      euro.subarray(0, 1),
      euro.subarray(1, 2),
      euro.subarray(2),
      Uint8Array.of(0xff, 0x1b, 0x9b, 0x7f),
      '\u009b\u2028',
    );
    const { events, raw } = await exported(path);
    expect(events).toEqual([
      [0.2, 'o', '€'],
      [0.3, 'o', '\ufffd\x1b\ufffd\x7f'],
      [0.4, 'o', '\u009b\u2028'],
    ]);
    expect(raw.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  test('a gap ends the character before it and is marked', async () => {
    const path = await recorded(
      Uint8Array.of(0xe2, 0x82),
      { offset: 2, missing: 7, reason: 'disk too slow' },
      Uint8Array.of(0xac),
      Uint8Array.of(0xe2),
    );
    expect((await exported(path)).events).toEqual([
      [0.1, 'o', '\ufffd'],
      [0.1, 'm', '7 bytes missing: disk too slow'],
      [0.2, 'o', '\ufffd'],
      [0.3, 'o', '\ufffd'],
    ]);
  });

  test('a big batch is cut into pieces that together are all of it', async () => {
    const text = '0123456789é'.repeat(50_000);
    const { events } = await exported(await recorded(text));
    expect(events.length).toBeGreaterThan(5);
    expect(events.map(([, , data]) => data).join('')).toBe(text);
  });

  test('an index whose last line is cut still exports', async () => {
    const path = await recorded('text');
    const index = await readFile(`${path}.index.jsonl`, 'utf8');
    await writeFile(`${path}.index.jsonl`, `${index}{"t":500,"off`);
    expect((await exported(path)).events).toEqual([[0, 'o', 'text']]);
  });

  test('never overwrites, and leaves nothing behind when it fails', async () => {
    const path = await recorded('text');
    const to = join(folder, 'there');
    await writeFile(to, 'precious');
    await expect(exportAsciicast(files, path, to)).rejects.toMatchObject({ type: 'NAME_TAKEN' });
    expect(await readFile(to, 'utf8')).toBe('precious');
    await expect(exportAsciicast(files, join(folder, 'no'), join(folder, 'x'))).rejects.toMatchObject({
      type: 'NOT_FOUND',
    });
    await writeFile(`${path}.index.jsonl`, 'nonsense\n');
    await expect(exportAsciicast(files, path, join(folder, 'y'))).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(readFile(join(folder, 'y'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a recording can be exported while it runs and after', async () => {
    const ring = new ByteRing(1000);
    const size = () => ({ columns: 80, rows: 24 });
    const recorder = new Recorder({ name: 'vm', files, ring, size, maxAnnotations: 10, report: () => {} });
    await expect(recorder.exportAsciicast(join(folder, 'no.cast'))).rejects.toMatchObject({ type: 'WRONG_STATE' });
    await recorder.start(join(folder, 'live'), { withHistory: false });
    recorder.tap(0, Buffer.from('boot'));
    recorder.mark('prompt');
    expect(await recorder.exportAsciicast(join(folder, 'a.cast'))).toMatchObject({
      path: join(folder, 'a.cast'),
      events: 2,
    });
    recorder.tap(4, Buffer.from('more'));
    await recorder.stop();
    expect((await recorder.exportAsciicast(join(folder, 'b.cast'))).events).toBe(3);
  });
});
