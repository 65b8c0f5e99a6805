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

describe.each(Object.entries(starts))('%s', (_, start) => {
  // The second goes through the states of the first, the third has the past of the second.
  test('a second and a third are what a boot makes, byte for byte, and go on and back as it does', async () => {
    const booted = await start();
    let frames = 0;
    const others = [await start(), await start()];
    for (const { control } of others) control.onFrame = () => frames++;
    const each = (compare: (other: CommodoreMachine) => void) => others.forEach(compare);
    const same = () =>
      each(({ control: { board } }) =>
        expect(Buffer.compare(board.snapshot(), booted.control.board.snapshot())).toBe(0),
      );
    // After going back, what lies below the beam is of another frame.
    const samePicture = () =>
      each(({ control: { board } }) => expect(Buffer.compare(board.frame, booted.control.board.frame)).toBe(0));
    same();
    samePicture();
    expect(frames).toBe(0);
    each((other) => expect(other.status()).toEqual(booted.status()));
    for (const limits of [{ frames: 7 }, { frames: 20, back: true }, { frames: 90, back: true }, { frames: 60 }]) {
      for (const { control } of [booted, ...others]) await control.run({ ...limits, wallMs: 60_000 }, never);
      same();
      if (!('back' in limits)) samePicture();
    }
    for (const { control } of [booted, ...others]) {
      await control.step({ kind: 'into', count: 5, back: true, wallMs: 60_000 }, never);
    }
    same();
    each(({ control }) => expect(control.history.firstTime).toBe(booted.control.history.firstTime));
    const [second, third] = others.map(({ control }) => control.history);
    expect(third?.keyframeTimes).toEqual(second?.keyframeTimes);
    expect(third?.bytes).toBe(second?.bytes);
  });
});

test('what the second of a make does to its past does not reach the third', async () => {
  const make = () => startC64(c64Options.parse({ roms: 'own' }), host);
  const [booted, second] = [await make(), await make()];
  await second.control.run({ frames: 100, back: true, wallMs: 60_000 }, never);
  second.memory.poke('ram', 0x1000n, Uint8Array.of(1, 2, 3));
  await second.control.run({ frames: 300, wallMs: 60_000 }, never);
  const third = await make();
  for (const { control } of [booted, third]) await control.run({ frames: 60, back: true, wallMs: 60_000 }, never);
  expect(Buffer.compare(third.control.board.snapshot(), booted.control.board.snapshot())).toBe(0);
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
