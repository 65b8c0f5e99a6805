import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import { AllowedFiles } from '../../../host/files/allowed-files.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { Rack } from '../../../rack/rack.ts';
import { assemble } from '../assembler/assemble.ts';
import { dosKind } from '../dos-kind.ts';
import { fillDiskUnder } from './full-disk-testing.ts';
import { MidiFile } from './midi-file.ts';

let folder = '';
let rack: Rack | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-midi-'));
});
afterEach(async () => {
  await rack?.close();
  rack = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** The bytes of its only track, which is as long as the file says. */
function trackOf(path: string): number[] {
  const file = readFileSync(path);
  expect(file.subarray(0, 4).toString('latin1')).toBe('MThd');
  expect(file.readUInt32BE(18)).toBe(file.length - 22);
  return [...file.subarray(22)];
}

const end = [0, 0xff, 0x2f, 0];

test('a program plays two notes half a second apart', async () => {
  const { bytes, errors } = assemble(`
    org 100h
    mov dx, 331h
    mov al, 3fh
    out dx, al
    dec dx
    in al, dx
    mov si, notes
    call three
    mov cx, 7
    mov dx, 0a120h
    mov ah, 86h
    int 15h
    mov dx, 330h
    call three
    ret
  three:
    mov cx, 3
  next:
    lodsb
    out dx, al
    loop next
    ret
  notes: db 0x90, 60, 100, 0x80, 60, 0
  `);
  expect(errors).toEqual([]);
  writeFileSync(join(folder, 'PLAY.COM'), bytes);
  rack = makeRack([dosKind]);
  const path = join(folder, 'music.mid');
  await rack.start('dos', { program: join(folder, 'PLAY.COM'), midi: path });
  await vi.waitFor(() => expect(trackOf(path)).toHaveLength(13), 30_000);
  const [, ...notes] = trackOf(path).slice(trackOf(path).indexOf(0x90) - 1);
  const [high = 0, low = 0] = notes.slice(3);
  expect(notes).toEqual([0x90, 60, 100, high, low, 0x80, 60, 0, ...end]);
  // 960 ticks, and what the program and the clock's step take.
  const ticks = (high & 0x7f) * 128 + low;
  expect(ticks).toBeGreaterThanOrEqual(955);
  expect(ticks).toBeLessThan(975);
});

test('the file is whole from the start and after each flush; a full disk is told once', async () => {
  const events: ReportedEvent[] = [];
  const host = {
    report: (event: ReportedEvent) => void events.push(event),
    files: new AllowedFiles({ read: [], write: [folder] }),
  };
  const path = join(folder, 'whole.mid');
  const midi = await MidiFile.open(path, host);
  expect(trackOf(path)).toEqual(end);
  for (const byte of [0xc0, 5]) midi.play(byte, 0);
  midi.flush();
  await vi.waitFor(() => expect(trackOf(path)).toEqual([0, 0xc0, 5, ...end]), 30_000);
  fillDiskUnder(path);
  for (const byte of [0xc0, 6]) midi.play(byte, 0);
  await vi.waitFor(() => {
    midi.flush();
    expect(events).toHaveLength(1);
  }, 30_000);
  expect(events[0]).toMatchObject({ type: 'midi', text: expect.stringContaining('ENOSPC') });
  await midi.close();
  expect(events).toHaveLength(1);
  await expect(MidiFile.open(path, host)).rejects.toThrow('exists already');
});
