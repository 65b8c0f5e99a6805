import { expect, test } from 'vitest';
import type { Machine } from '../../machine/machine.ts';
import { Scenes } from './scenes.ts';
import { Stills } from './stills.ts';

/** As much of a machine as a still needs: its time and its picture. */
function toy(framesPerSecond?: number) {
  const toy = { time: 1, state: 'PAUSED', taken: 0 };
  const machine = {
    status: () => ({ state: toy.state, now: { time: toy.time, pc: 0n } }),
    control: { framesPerSecond },
    screen: {
      async picture() {
        toy.taken++;
        return {
          width: 2,
          height: 1,
          pixels: Uint8Array.of(0, 1),
          palette: Uint8Array.of(0, 0, 0, 255, toy.time, 255),
        };
      },
    },
  } as unknown as Machine;
  return { toy, machine };
}

test('a machine whose time has not passed is taken once', async () => {
  const { toy: state, machine } = toy(50);
  const stills = new Stills();
  const first = stills.now(machine);
  expect([stills.after(machine), stills.now(machine)]).toEqual([first, first]);
  expect([...((await stills.read(first ?? 0))?.subarray(1, 4) ?? [])]).toEqual([...'PNG'].map((c) => c.charCodeAt(0)));
  expect(state.taken).toBe(1);
});

test('what a second machine shows just as the first is not drawn again', async () => {
  const stills = new Stills();
  const [first, second] = [toy(50), toy(50)].map(({ machine }) => stills.now(machine) ?? 0);
  expect(first).not.toBe(second);
  expect(await stills.read(second ?? 0)).toBe(await stills.read(first ?? 0));
});

test('of calls in a hurry the last has a still of what it led to', async () => {
  const { toy: state, machine } = toy(50);
  const stills = new Stills();
  stills.now(machine);
  state.time = 2;
  const passed = stills.after(machine);
  state.time = 3;
  const last = stills.after(machine);
  expect(last).not.toBe(passed);
  await expect.poll(() => stills.read(last ?? 0)).toBeDefined();
  expect(await stills.read(passed ?? 0)).toBeUndefined();
});

test('a machine whose pictures another program makes is taken while somebody looks', () => {
  const { machine } = toy();
  const stills = new Stills();
  expect(stills.now(machine)).toBeUndefined();
  stills.isWatched = () => true;
  expect(stills.now(machine)).toBeDefined();
});

test('a call that turns out to be about another machine has no screen before it', () => {
  const scenes = new Scenes(new Stills());
  const [{ machine: only }, { machine: started }] = [toy(50), toy(50)];
  const own = scenes.begin(only, false).end(only);
  expect(own.before).toBeDefined();
  const { before, after } = scenes.begin(only, false).end(started);
  expect(before).toBeUndefined();
  expect([undefined, own.before]).not.toContain(after);
});
