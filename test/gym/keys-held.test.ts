import { afterEach, expect, test } from 'vitest';
import { Environment } from '../../src/gym/environment.ts';
import { vectorSpecOf } from '../../src/gym/vector-spec.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { kinds } from '../../src/machines/index.ts';
import type { Rack } from '../../src/rack/rack.ts';
import { makeRack } from '../make-rack.ts';

const never = new AbortController().signal;
let rack: Rack | undefined;
afterEach(() => rack?.close());

/** Where the KERNAL has the key that is down, and a BIOS its shift keys. */
const cells = {
  c64: { key: 'a', address: 0xc5n, none: 64 },
  vic20: { key: 'a', address: 0xc5n, none: 64 },
  plus4: { key: 'a', address: 0xc6n, none: 64 },
  dos: { key: 'shift', address: 0x417n, none: 0 },
} as const;
const names = Object.keys(cells) as (keyof typeof cells)[];

/** A machine in which a key is down that nobody has told this one's keyboard of. */
async function open(kind: keyof typeof cells) {
  rack = makeRack(kinds);
  const { machine } = await rack.start(kind, {});
  const { key, address, none } = cells[kind];
  const pass = () => machine.control?.run({ frames: 20, wallMs: 30_000 }, never);
  for (let round = 0; round < 4; round++) await pass();
  await machine.keyboard?.hold([key]);
  await pass();
  await machine.snapshots?.save('down');
  await machine.keyboard?.hold([]);
  await machine.snapshots?.restore('down');
  const isDown = async () => {
    const space = kind === 'dos' ? 'linear' : 'ram';
    return (await machine.memory?.peek(space, address, 1))?.[0] !== none;
  };
  expect(await isDown()).toBe(true);
  return { machine, key, isDown };
}

const environmentOf = (machine: Machine, kind: string, key: string) => {
  if (!machine.episodes) throw new Error('lives in real time');
  const action = [{ keys: [] }, { keys: [key] }];
  const spec = vectorSpecOf({ kind, action, observe: { memory: [{ address: 0, length: 1 }] }, frames: 10 });
  return Environment.open(machine, machine.episodes, spec, 0);
};

test.each(names)('%s: a key that was down where a gym begins is let go', async (kind) => {
  const { machine, key, isDown } = await open(kind);
  const environment = await environmentOf(machine, kind, key);
  await environment.reset();
  await environment.step([0]);
  expect(await isDown()).toBe(false);
  await environment.step([1]);
  expect(await isDown()).toBe(true);
  await environment.reset();
  await environment.step([0]);
  expect(await isDown()).toBe(false);
});

test.each(names)(
  '%s: a key that is down in a restored state is let go by the next step, whatever was chosen before',
  async (kind) => {
    const { machine, key, isDown } = await open(kind);
    const environment = await environmentOf(machine, kind, key);
    environment.facts = { ...environment.facts, steps: 0, actions: [0] };
    await environment.step([0]);
    expect(await isDown()).toBe(false);
  },
);
