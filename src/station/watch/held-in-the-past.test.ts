import { afterEach, expect, test } from 'vitest';
import { makeRack } from '../../../test/make-rack.ts';
import type { Machine } from '../../machine/machine.ts';
import { kinds } from '../../machines/index.ts';
import type { Rack } from '../../rack/rack.ts';
import { Hands } from './hands.ts';

const never = new AbortController().signal;
const wallMs = 30_000;
const ann = {};

let rack: Rack | undefined;
afterEach(() => rack?.close());

async function open(kind: string): Promise<{ machine: Machine; hands: Hands }> {
  rack = makeRack(kinds);
  const { machine } = await rack.start(kind, {});
  await pass(machine, 60);
  return { machine, hands: new Hands(machine) };
}

const pass = (machine: Machine, frames: number, back = false) =>
  machine.control?.run({ frames, wallMs, ...(back && { back }) }, never);
const screen = async (machine: Machine) => (await machine.screen?.text?.())?.lines.join('\n').trimEnd() ?? '';

/** Which key the KERNAL says is down. */
async function keyDown(machine: Machine): Promise<number | undefined> {
  const [at] = machine.kind === 'plus4' ? [0xc6n] : [0xc5n];
  return (await machine.memory?.peek('ram', at, 1))?.[0];
}
const none = 64;

test.each(['c64', 'vic20', 'plus4'])(
  '%s: a key of the past is up when the past takes another turn, and as it was when it does not',
  async (kind) => {
    const { machine, hands } = await open(kind);
    await hands.hold(ann, ['a']);
    await pass(machine, 30);
    await hands.hold(ann, []);
    await pass(machine, 30);
    const after = await screen(machine);
    expect(await keyDown(machine)).toBe(none);

    await pass(machine, 45, true);
    expect(await keyDown(machine)).not.toBe(none);
    // Nothing new: it goes on as it went, and comes up when it did.
    await pass(machine, 10);
    expect(await keyDown(machine)).not.toBe(none);
    await pass(machine, 35);
    expect(await keyDown(machine)).toBe(none);
    expect(await screen(machine)).toBe(after);

    await pass(machine, 45, true);
    await hands.hold(ann, ['b']);
    await pass(machine, 5);
    await hands.hold(ann, []);
    await pass(machine, 10);
    expect(await keyDown(machine)).toBe(none);
    expect(await screen(machine)).toMatch(/ab$/i);
  },
);

test('a key that is still held goes down again, where the past from before it takes another turn', async () => {
  const { machine, hands } = await open('c64');
  await pass(machine, 20);
  await hands.hold(ann, ['a']);
  await pass(machine, 20);
  await pass(machine, 30, true);
  expect(await keyDown(machine)).toBe(none);
  await machine.memory?.poke('ram', 0xc000n, Uint8Array.of(1));
  await pass(machine, 5);
  expect(await keyDown(machine)).not.toBe(none);
  await hands.hold(ann, []);
  await pass(machine, 5);
  expect(await keyDown(machine)).toBe(none);
});

test('a stick that was let go is in the middle, and one that was set until told otherwise is as it was', async () => {
  const { machine, hands } = await open('c64');
  const stick = async () => 127 - ((await machine.memory?.peek('io', 0xdc00n, 1))?.[0] ?? 0);
  await hands.steer(ann, 2, ['left']);
  await pass(machine, 20);
  await hands.steer(ann, 2, []);
  await pass(machine, 20);
  await pass(machine, 30, true);
  expect(await stick()).toBe(4);
  await machine.memory?.poke('ram', 0xc000n, Uint8Array.of(1));
  expect(await stick()).toBe(0);

  await machine.joystick?.set(2, ['right']);
  await pass(machine, 20);
  await machine.joystick?.set(2, []);
  await pass(machine, 20);
  await pass(machine, 30, true);
  await machine.memory?.poke('ram', 0xc000n, Uint8Array.of(2));
  expect(await stick()).toBe(8);
});

test('dos: a key of the past stops repeating when the past takes another turn', async () => {
  const { machine, hands } = await open('dos');
  await hands.hold(ann, ['a']);
  await pass(machine, 100);
  await hands.hold(ann, []);
  await pass(machine, 20);
  const after = await screen(machine);
  expect(after).toMatch(/a{3,}$/);
  await pass(machine, 60, true);
  await pass(machine, 60);
  expect(await screen(machine)).toBe(after);

  await pass(machine, 60, true);
  await machine.memory?.poke('linear', 0x9f000n, Uint8Array.of(1));
  await pass(machine, 5);
  const typed = await screen(machine);
  expect(typed).toMatch(/a{2,}$/);
  await pass(machine, 200);
  expect(await screen(machine)).toBe(typed);
});

test.each(['c64', 'vic20', 'plus4', 'dos'])(
  '%s: a key that hands hold and a tool presses too comes up',
  async (kind) => {
    const { machine, hands } = await open(kind);
    await hands.hold(ann, ['a']);
    await pass(machine, 40);
    await machine.keyboard?.press(['a'], 10, never);
    await hands.hold(ann, []);
    await pass(machine, 20);
    // To where the key was down, and the tool had not pressed it yet.
    await pass(machine, 60, true);
    await machine.memory?.poke(kind === 'dos' ? 'linear' : 'ram', 0x9000n, Uint8Array.of(1));
    await pass(machine, 5);
    const typed = await screen(machine);
    expect(typed).toMatch(/a$/i);
    await pass(machine, 60);
    if (kind !== 'dos') expect(await keyDown(machine)).toBe(none);
    expect(await screen(machine)).toBe(typed);
  },
);
