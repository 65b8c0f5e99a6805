import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import { isoOf, toneOf } from '../../../formats/cd/cd-testing.ts';
import { AllowedFiles } from '../../../host/files/allowed-files.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { Rack } from '../../../rack/rack.ts';
import { dosKind } from '../dos-kind.ts';
import { openDisc } from '../drives/open-disc.ts';
import type { DosMachine } from './dos-machine.ts';

let folder = '';
let rack: Rack | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-cd-'));
  writeFileSync(join(folder, 'one.iso'), isoOf('ONE', { 'NAME.TXT': 'first disc' }));
  writeFileSync(
    join(folder, 'Two.BIN'),
    Buffer.concat([Buffer.from(isoOf('TWO', { 'NAME.TXT': 'second disc' })), toneOf(75, 50, 8000)]),
  );
  const sectors = isoOf('TWO', { 'NAME.TXT': 'second disc' }).length / 2048;
  writeFileSync(
    join(folder, 'two.cue'),
    `FILE "C:\\RIPS\\two.bin" BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:${sectors}\n`,
  );
});
afterEach(async () => {
  await rack?.close();
  rack = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;

async function start(options: Record<string, unknown>): Promise<DosMachine> {
  rack ??= makeRack([dosKind]);
  return (await rack.start('dos', { speed: 500_000, ...options })).machine as DosMachine;
}

async function typed(machine: DosMachine, text: string): Promise<string> {
  await machine.keyboard.type(text, signal);
  await machine.control.run({ frames: 60, wallMs: 20_000 }, signal);
  return (await machine.screen.text())?.lines.join('\n') ?? '';
}

test('an image that can no longer be read is told, once, and is bad sectors to the machine', async () => {
  const path = join(folder, 'one.iso');
  const events: ReportedEvent[] = [];
  const report = (event: ReportedEvent) => void events.push(event);
  const disc = await openDisc({ files: new AllowedFiles({ read: [folder], write: [] }), report }, path);
  try {
    expect([disc.data(16)?.length, events]).toEqual([2048, []]);
    truncateSync(path, 0);
    expect([disc.data(16), disc.data(17), disc.data(16)]).toEqual([undefined, undefined, undefined]);
    const text = `${path}: it is shorter than it was when it was opened; the machine meets bad sectors there`;
    expect(events).toEqual([{ type: 'cdrom', text }]);
  } finally {
    disc.close();
  }
  expect(() => disc.data(16)).not.toThrow();
});

test('discs are changed while it runs, each drive on its own, and forks have the same ones', async () => {
  const machine = await start({ cdrom: [join(folder, 'one.iso'), 'empty'] });
  expect(machine.media.slots.map(({ name, medium }) => [name, medium])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['d', join(folder, 'one.iso')],
    ['e', undefined],
  ]);
  expect(await typed(machine, 'TYPE D:NAME.TXT\n')).toContain('first disc');
  expect(machine.media.slotFor({ name: 'x.CUE', size: 1 })).toBe('d');
  const found = await machine.media.attachFile('e:', join(folder, 'two.cue'), false);
  expect(found).toBe('2 tracks, 1 of sound, 0:01 minutes, volume TWO');
  expect(await typed(machine, 'TYPE E:NAME.TXT\n')).toContain('second disc');
  await machine.snapshots.save('both');
  const fork = await machine.snapshots.fork('both');
  expect(fork.options?.['cdrom']).toEqual([join(folder, 'one.iso'), join(folder, 'two.cue')]);
  const image = await machine.snapshots.pack('both');
  expect(image.options['cdrom']).toEqual(['empty D:', 'empty E:']);
  await machine.media.detach('d');
  expect(await typed(machine, 'CLS\nDIR D:\n')).toMatch(/not ready/i);
  const [cd] = machine.chips.chips.filter(({ name }) => name === 'cdrom');
  expect((await cd?.read('drive', 0))?.lines[0]).toContain('D: empty');
  expect((await cd?.read('tracks', 1))?.numbers).toMatchObject({ tracks: 2, starts: [0, expect.any(Number)] });
});

test('sound goes on the same after a step back', async () => {
  const machine = await start({ cdrom: [join(folder, 'two.cue')] });
  const [drive] = machine.control.system.board.cds;
  drive?.play(drive.medium?.tracks[1]?.start ?? 0, 75);
  const first = await machine.audio.capture(7, 20_000, signal);
  await machine.snapshots.save('here');
  const then = await machine.audio.capture(7, 20_000, signal);
  await machine.snapshots.restore('here');
  const again = await machine.audio.capture(7, 20_000, signal);
  expect(Math.max(...first.samples)).toBeGreaterThan(7000);
  expect(again.samples).toEqual(then.samples);
});

test('images that are none are refused by name', async () => {
  writeFileSync(join(folder, 'bad.cue'), 'FILE "gone.bin" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n');
  writeFileSync(join(folder, 'none.iso'), '');
  await expect(start({ cdrom: [join(folder, 'bad.cue')] })).rejects.toThrow(
    'gone.bin, which it names, is not beside it',
  );
  await expect(start({ cdrom: [join(folder, 'none.iso')] })).rejects.toThrow('is empty');
  await expect(start({ cdrom: ['empty V:', 'empty'] })).rejects.toThrow('cannot be W:');
  await expect(start({ cdrom: ['empty', 'empty F:'] })).rejects.toThrow('drive 2 is E:, not F:');
  const machine = await start({ cdrom: ['empty'] });
  await expect(machine.media.attachFile('d', join(folder, 'bad.cue'), false)).rejects.toThrow('not a CD image');
  await expect(machine.media.bytes('d')).rejects.toThrow('A CD is read-only');
});
