import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { program } from '../support/sandbox.ts';
import { Desk, GuestDesk, outputOf } from './desk.ts';

const jsonLines = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a recording', () => {
  test('has the exact bytes, times that only grow, marks and the link, and becomes an asciicast', async () => {
    await using desk = await GuestDesk.at();
    const path = join(desk.sandbox.dir, 'boot.raw');
    await desk.guest.print('before\r\n');
    await desk.arrived(8);
    const started = await desk.ask('console_record', { action: 'start', path: 'boot.raw', history: true });
    expect(started).toContain(`recording ${path}`);
    const noise = Buffer.concat([randomBytes(300_000), Buffer.from('č🙂\r\n')]);
    await desk.guest.print(noise.subarray(0, 100_001));
    await desk.arrived(8 + 100_001);
    await desk.ask('console_record', { action: 'mark', label: 'kernel starts' });
    await desk.guest.print(noise.subarray(100_001));
    await desk.arrived(8 + noise.length);
    desk.guest.hangUp();
    await desk.listed('lost 1×');
    await desk.listed('LINK UP');
    await desk.guest.print('second life\r\n');
    await desk.arrived(8 + noise.length + 13);
    const stopped = await desk.ask('console_record', { action: 'stop' });
    expect(stopped).toContain(`recorded ${path}: ${8 + noise.length + 13} bytes, 1 mark;`);
    expect(stopped).not.toContain('MISSING');

    const expected = Buffer.concat([Buffer.from('before\r\n'), noise, Buffer.from('second life\r\n')]);
    expect(readFileSync(path).equals(expected)).toBe(true);

    const [header, ...entries] = jsonLines(`${path}.index.jsonl`);
    expect(header).toMatchObject({ version: 1, machine: 'console-1', columns: 80, rows: 24 });
    const times = entries.map(({ t }) => Number(t));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const pieces = entries.filter((entry) => 'bytes' in entry);
    let end = 0;
    for (const { file, offset, bytes } of pieces) {
      expect([file, offset]).toEqual([end, end]);
      end += Number(bytes);
    }
    expect(end).toBe(expected.length);
    expect(entries).toContainEqual({ t: expect.any(Number), mark: 'kernel starts' });
    expect(entries.filter((entry) => 'link' in entry).map(({ link }) => String(link).slice(0, 9))).toEqual([
      'Link lost',
      'Link up: ',
    ]);

    const exported = await desk.ask('console_record', { action: 'export', path: 'boot.cast' });
    expect(exported).toMatch(/boot\.cast: \d+ events/);
    const [cast, ...events] = jsonLines(join(desk.sandbox.dir, 'boot.cast')) as [object, ...[number, string, string][]];
    expect(cast).toMatchObject({ version: 2, width: 80, height: 24 });
    expect(events.map(([time]) => time)).toEqual(events.map(([time]) => time).sort((a, b) => a - b));
    expect(events.filter(([, code]) => code === 'm').map(([, , label]) => label)).toContain('kernel starts');
    const text = events.flatMap(([, code, data]) => (code === 'o' ? [data] : [])).join('');
    expect(text).toBe(expected.toString());
  });

  test('can begin with the console', async () => {
    await using guest = await Guest.listen();
    await using desk = await Desk.open();
    const started = await desk.ask('machine_start', {
      kind: 'console',
      options: { port: guest.port, record: 'all.raw' },
    });
    expect(started).toContain('Recording to ');
    await guest.print('from the first byte\r\n');
    await desk.arrived(21);
    await desk.ask('machine_stop', { machine: 'console-1' });
    expect(readFileSync(join(desk.sandbox.dir, 'all.raw'), 'utf8')).toBe('from the first byte\r\n');
  });

  test('refuses what makes no sense, and never touches a file that is there', async () => {
    await using desk = await GuestDesk.at();
    const refused = (args: Record<string, unknown>) => desk.refusal('console_record', args);
    expect(await refused({ action: 'mark', label: 'x' })).toMatchObject({ error_type: 'WRONG_STATE' });
    expect(await refused({ action: 'stop' })).toMatchObject({ error_type: 'WRONG_STATE' });
    expect(await refused({ action: 'export', path: 'x.cast' })).toMatchObject({ error_type: 'WRONG_STATE' });
    expect(await refused({ action: 'start' })).toMatchObject({ error_type: 'INVALID_ARGUMENT' });
    await symlink('/tmp', join(desk.sandbox.dir, 'way-out'));
    for (const path of ['/tmp/fp-record', '../fp-record', 'way-out/fp-record', '/etc/cron.d/fp']) {
      expect(await refused({ action: 'start', path }), path).toMatchObject({ error_type: 'PATH_NOT_ALLOWED' });
    }
    await desk.ask('console_record', { action: 'start', path: 'a.raw' });
    expect(await refused({ action: 'start', path: 'b.raw' })).toMatchObject({ error_type: 'BUSY' });
    expect(existsSync(join(desk.sandbox.dir, 'b.raw'))).toBe(false);
    await desk.guest.print('kept');
    await desk.arrived(4);
    await desk.ask('console_record', { action: 'stop' });
    const again = await refused({ action: 'start', path: 'a.raw' });
    expect(again.message).toContain('a.raw');
    expect(readFileSync(join(desk.sandbox.dir, 'a.raw'), 'utf8')).toBe('kept');
  });

  test('has as many marks as --max-annotations allows', async () => {
    await using desk = await GuestDesk.at({ record: 'marked.raw' }, ['--max-annotations', '2']);
    for (const label of ['one', 'two']) await desk.ask('console_record', { action: 'mark', label });
    const refusal = await desk.refusal('console_record', { action: 'mark', label: 'three' });
    expect(refusal).toMatchObject({ error_type: 'LIMIT_REACHED', limit: 2 });
    expect(refusal.suggested_fix).toContain('--max-annotations');
  });
});

/** The console must not notice: everything is readable, and the answer counts what the file lacks. */
async function recordsToFullDisk(desk: Desk, guest: Guest, path: string, reason: RegExp): Promise<void> {
  await desk.start({ port: guest.port });
  await desk.listed('LINK UP');
  await desk.ask('console_record', { action: 'start', path });
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}\r\n`).join('');
  await guest.print(lines);
  await desk.arrived(lines.length);
  const failing = await desk.ask('events_read', { types: ['recording_failing'], wait_ms: 50_000 });
  expect(failing).toMatch(reason);
  expect(await desk.ask('console_record', { action: 'status' })).toMatch(/\d+ bytes are MISSING/);
  expect(outputOf(await desk.read({ from: '0', view: 'raw', max_chars: 100 }))).toMatch(/^line 0\\r\\nline 1/);
  guest.onInput = () => void guest.print('alive\r\n');
  expect(await desk.send({ text: 'alive?', expect: 'alive' })).toContain('matched');
  const stopped = await desk.ask('console_record', { action: 'stop' });
  const [, written, missing] = /: (\d+) bytes, .*; (\d+) bytes are MISSING/.exec(stopped)?.map(Number) ?? [];
  expect(Number(written) + Number(missing)).toBe(lines.length + 'alive\r\n'.length);
  expect(readFileSync(path, 'utf8')).toBe(lines.slice(0, Number(written)));
}

describe('a disk that takes no more', () => {
  test('by the limit for the size of files', async () => {
    const script = `trap '' XFSZ; ulimit -f 64; exec '${process.execPath}' '${program}' "$@"`;
    await using guest = await Guest.listen();
    await using desk = await Desk.openIn('sh', ['-c', script, 'sh']);
    await recordsToFullDisk(desk, guest, join(desk.sandbox.dir, 'limited.raw'), /EFBIG|too large/i);
  });

  if (canMount()) {
    test('by being full', async () => {
      await using guest = await Guest.listen();
      await using desk = await Desk.open();
      const disk = join(desk.sandbox.dir, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
      try {
        await recordsToFullDisk(desk, guest, join(disk, 'full.raw'), /ENOSPC|full|no space/i);
      } finally {
        await vi.waitFor(() => execFileSync('umount', [disk], { stdio: 'ignore' }), 60_000);
      }
    });
  }
});

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}
