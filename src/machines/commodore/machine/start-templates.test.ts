import { beforeEach, describe, expect, test } from 'vitest';
import { settings } from '../../../../test/make-rack.ts';
import type { Host } from '../../../machine/host.ts';
import { c64Options } from '../c64/c64-kind.ts';
import { startC64 } from '../c64/machine/start-c64.ts';
import { plus4Kind } from '../plus4/plus4-kind.ts';
import { vic20Kind } from '../vic20/vic20-kind.ts';
import type { CommodoreMachine } from './commodore-machine.ts';
import { startTemplates } from './start-templates.ts';

const never = new AbortController().signal;
const host = { report: () => {}, settings, signal: never } satisfies Partial<Host> as unknown as Host;
const starts: Readonly<Record<string, () => Promise<CommodoreMachine>>> = {
  c64: () => startC64(c64Options.parse({ roms: 'own' }), host),
  vic20: async () => (await vic20Kind.start(vic20Kind.options.parse({ roms: 'own' }), host)) as CommodoreMachine,
  plus4: async () => (await plus4Kind.start(plus4Kind.options.parse({ roms: 'own' }), host)) as CommodoreMachine,
};

beforeEach(() => startTemplates.forget());

describe.each(Object.entries(starts))('a second %s', (_, start) => {
  test('is what a boot makes, byte for byte, and goes on and back as it does', async () => {
    const booted = await start();
    let frames = 0;
    const second = await start();
    second.control.onFrame = () => frames++;
    const same = () => expect(Buffer.compare(second.control.board.snapshot(), booted.control.board.snapshot())).toBe(0);
    // After going back, what lies below the beam is of another frame.
    const samePicture = () => expect(Buffer.compare(second.control.board.frame, booted.control.board.frame)).toBe(0);
    same();
    samePicture();
    expect(frames).toBe(0);
    expect(second.status()).toEqual(booted.status());
    for (const limits of [{ frames: 7 }, { frames: 20, back: true }, { frames: 90, back: true }, { frames: 60 }]) {
      for (const { control } of [booted, second]) await control.run({ ...limits, wallMs: 60_000 }, never);
      same();
      if (!('back' in limits)) samePicture();
    }
    for (const { control } of [booted, second]) {
      await control.step({ kind: 'into', count: 5, back: true, wallMs: 60_000 }, never);
    }
    same();
    expect(second.control.history.firstTime).toBe(booted.control.history.firstTime);
  });
});

test('what is typed into one does not reach another', async () => {
  const first = await startC64(c64Options.parse({ roms: 'own' }), host);
  first.memory.poke('ram', 0x400n, Uint8Array.of(1, 2, 3));
  const second = await startC64(c64Options.parse({ roms: 'own' }), host);
  expect(second.control.board.snapshot()).not.toEqual(first.control.board.snapshot());
});

test('other options boot anew', async () => {
  await startC64(c64Options.parse({ roms: 'own' }), host);
  const other = await startC64(c64Options.parse({ roms: 'own', sid: '8580', video: 'ntsc' }), host);
  startTemplates.forget();
  const booted = await startC64(c64Options.parse({ roms: 'own', sid: '8580', video: 'ntsc' }), host);
  expect(Buffer.compare(other.control.board.snapshot(), booted.control.board.snapshot())).toBe(0);
});
