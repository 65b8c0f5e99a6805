import { afterEach, expect, test } from 'vitest';
import type { AudioCapability } from '../../src/machine/audio.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import type { Rack } from '../../src/rack/rack.ts';
import { SoundView } from '../../src/station/watch/sound-view.ts';
import { makeRack } from '../make-rack.ts';

const never = new AbortController().signal;
const rates = { open: 0, opened: 0 };
const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function machineThatRuns(clock: 'real' | 'stepped'): Promise<Machine> {
  const rack: Rack = makeRack([c64Kind]);
  disposals.push(() => rack.close());
  return (await rack.start('c64', { clock })).machine;
}

/** The machine's own ears, counted. */
function counted({ audio }: Machine): AudioCapability {
  if (!audio) throw new Error('no sound');
  rates.open = 0;
  rates.opened = 0;
  return {
    capture: audio.capture.bind(audio),
    listen() {
      const listening = audio.listen();
      rates.open++;
      rates.opened++;
      return {
        ...listening,
        close() {
          rates.open--;
          listening.close();
        },
      };
    },
  };
}

function viewOf(audio: AudioCapability, isReady: () => boolean) {
  const heard = { samples: 0 };
  const view = new SoundView(audio, {
    isReady,
    hear({ samples }) {
      heard.samples += samples.length;
    },
    trouble(error) {
      throw error;
    },
  });
  disposals.unshift(() => view.close());
  return { view, heard };
}

test('somebody who does not take it costs nothing after a second, and hears again when they do', async () => {
  let isReady = true;
  const { view, heard } = viewOf(counted(await machineThatRuns('real')), () => isReady);
  await expect.poll(() => heard.samples, { timeout: 60_000 }).toBeGreaterThan(1000);
  isReady = false;
  const before = heard.samples;
  await expect.poll(() => rates.open, { timeout: 60_000 }).toBe(0);
  expect(heard.samples).toBe(before);
  isReady = true;
  await expect.poll(() => heard.samples, { timeout: 60_000 }).toBeGreaterThan(before);
  view.close();
  expect(rates.open).toBe(0);
});

test('a machine that runs ahead of real time is heard in pieces, which take no longer than real time', async () => {
  const machine = await machineThatRuns('stepped');
  const { heard } = viewOf(counted(machine), () => true);
  const began = performance.now();
  // Four seconds of it, as fast as it goes.
  await machine.control?.run({ frames: 200, wallMs: 60_000 }, never);
  const seconds = (performance.now() - began) / 1000;
  expect(heard.samples).toBeGreaterThan(0);
  expect(heard.samples / 44_100).toBeLessThan(seconds + 1.4);
});
