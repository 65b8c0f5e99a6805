import { afterEach, describe, expect, test } from 'vitest';
import type { Machine } from '../../src/machine/machine.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import type { Rack } from '../../src/rack/rack.ts';
import { ControlTurns } from '../../src/station/watch/control-turns.ts';
import { describeInput } from '../../src/station/watch/describe-input.ts';
import { Hands } from '../../src/station/watch/hands.ts';
import { PersonControl } from '../../src/station/watch/person-control.ts';
import { makeRack } from '../make-rack.ts';

const { signal } = new AbortController();
const ann = {};
const bob = {};
let rack: Rack | undefined;
afterEach(() => rack?.close());

async function startDos(): Promise<Machine> {
  rack = makeRack([dosKind], {});
  return (await rack.start('dos', {})).machine;
}

/** So that a step, or a Pause, is not in the handler of the next interrupt. */
async function withoutInterrupts({ cpu }: Machine): Promise<void> {
  await cpu?.setRegister('P', 0x24n);
}

/** Which of right Shift, left Shift, Ctrl and Alt the BIOS has seen go down and not up, as bits. */
async function shiftFlags(machine: Machine): Promise<number> {
  await machine.control?.run({ frames: 3, wallMs: 60_000 }, signal);
  const [flags = 0] = (await machine.memory?.peek(machine.memory.spaces[0]?.name ?? '', 0x417n, 1)) ?? [];
  return flags & 15;
}

test('what two people hold is held until both have let go', async () => {
  const machine = await startDos();
  const hands = new Hands(machine);
  await hands.hold(ann, ['shift', 'ctrl']);
  await hands.hold(bob, ['shift', 'alt']);
  expect(await shiftFlags(machine)).toBe(2 | 4 | 8);
  await hands.hold(ann, []);
  expect(await shiftFlags(machine)).toBe(2 | 8);
  await hands.letGo(bob);
  expect(await shiftFlags(machine)).toBe(0);
});

test('each state of the keys is seen, in order, however fast they come', async () => {
  const machine = await startDos();
  const hands = new Hands(machine);
  const states = [['d'], ['d', 'i'], ['i'], ['i', 'r'], ['r'], [], ['r'], []];
  await Promise.all(states.map((keys) => hands.hold(ann, keys)));
  await machine.control?.run({ frames: 20, wallMs: 60_000 }, signal);
  expect((await machine.screen?.text())?.lines.join('\n')).toMatch(/>dirr /);
});

test('a key is down for two pictures of the machine, however long those take here', async () => {
  rack = makeRack([c64Kind], {});
  const { machine } = await rack.start('c64', {});
  await machine.control?.run({ frames: 150, wallMs: 60_000 }, signal);
  // Its time passes in pieces, as it does for a person who has pressed Run.
  const hands = new Hands(machine, () => true);
  const typed = [...'hello'].flatMap((key) => [hands.hold(ann, [key]), hands.hold(ann, [])]);
  let isDone = false;
  const done = Promise.all(typed).then(() => {
    isDone = true;
  });
  while (!isDone) {
    await machine.control?.run({ frames: 1, wallMs: 60_000 }, signal);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await done;
  expect((await machine.screen?.text())?.lines.join('\n')).toMatch(/hello/i);
});

test('what a machine refuses does not hold up what comes after it', async () => {
  const machine = await startDos();
  const hands = new Hands(machine);
  const refused = expect(hands.wheel(1)).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  await hands.hold(ann, ['right shift']);
  await refused;
  expect(await shiftFlags(machine)).toBe(1);
  await hands.press(ann, ['left', 'nose']);
  await hands.steer(ann, 3, ['up']);
});

test('a machine says what it has: its own key names, chords for characters, a pointer', async () => {
  const { keys, pointer, joysticks } = await describeInput(await startDos());
  expect(keys?.names).toEqual(expect.arrayContaining(['escape', 'right ctrl', 'keypad 7', 'page up']));
  expect([keys?.characters['/'], keys?.characters['&'], keys?.characters.A]).toEqual([
    ['/'],
    ['shift', '7'],
    ['shift', 'a'],
  ]);
  expect(keys?.characters.ä).toBeUndefined();
  expect(keys?.repeats).toBe(false);
  expect(pointer).toEqual({ buttons: ['left', 'right', 'middle'], positions: true, movements: true, wheel: false });
  expect(joysticks).toEqual([1, 2]);
});

describe('Run, Pause, Reset and Step', () => {
  /** A C64 that runs for Ann, with Bob beside her; its resets take until they may go on. */
  async function twoPeople(turns = new ControlTurns()) {
    rack = makeRack([c64Kind], {});
    const racked = await rack.start('c64', {});
    const { machine } = racked;
    const { control } = machine;
    if (!control) throw new Error('no control');
    const runs = new WeakMap<Machine, AbortController>();
    const troubles: string[] = [];
    const left = new AbortController();
    const person = () =>
      new PersonControl(racked, {
        runs,
        turns,
        left: left.signal,
        handled() {},
        typing: () => {},
        trouble: (text) => troubles.push(text),
      });
    const reset = control.reset.bind(control);
    let letReset = () => {};
    let begun = () => {};
    const isResetting = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const mayReset = new Promise<void>((resolve) => {
      letReset = resolve;
    });
    control.reset = async (mode) => {
      begun();
      await mayReset;
      await reset(mode);
    };
    const [ann, bob] = [person(), person()];
    await ann.act('run');
    return {
      ...{ ann, bob, troubles, isResetting },
      letReset: () => letReset(),
      leave: () => left.abort(),
      runs: () => runs.has(machine),
      state: () => machine.status().state,
      machine,
    };
  }

  test.each(['the same person', 'another one'])('a Pause of %s during a Reset is not lost', async (who) => {
    const { ann, bob, isResetting, letReset, runs, state } = await twoPeople();
    const reset = ann.act('reset');
    await isResetting;
    const pause = (who === 'another one' ? bob : ann).act('pause');
    letReset();
    await Promise.all([reset, pause]);
    expect([runs(), state()]).toEqual([false, 'PAUSED']);
  });

  test('each is carried out after the one before, and the last one counts', async () => {
    const { ann, bob, letReset, runs, leave } = await twoPeople();
    letReset();
    await Promise.all([ann.act('reset'), bob.act('pause'), ann.act('reset'), bob.act('run'), ann.act('reset')]);
    expect(runs()).toBe(true);
    await Promise.all([ann.act('run'), bob.act('reset'), ann.act('pause')]);
    expect(runs()).toBe(false);
    leave();
  });

  test('a Reset that hangs does not hold up a Pause for ever, and does not undo it later', async () => {
    const { ann, bob, isResetting, letReset, runs, state } = await twoPeople(new ControlTurns(1));
    const reset = ann.act('reset');
    await isResetting;
    await bob.act('pause');
    expect([runs(), state()]).toEqual([false, 'PAUSED']);
    letReset();
    await reset;
    expect([runs(), state()]).toEqual([false, 'RESET']);
  });

  test('steps go into, over and out of a subroutine, and back, one after the other; none while it runs', async () => {
    const { ann, bob, machine, runs } = await twoPeople();
    await expect(bob.act('step into')).rejects.toThrow('It is running; press Pause, then step.');
    await ann.act('pause');
    await machine.memory?.poke('cpu', 0xc000n, Uint8Array.of(0x20, 0x10, 0xc0, 0xea, 0xea));
    await machine.memory?.poke('cpu', 0xc010n, Uint8Array.of(0xea, 0xea, 0x60));
    await withoutInterrupts(machine);
    await machine.cpu?.setRegister('PC', 0xc000n);
    const pc = () => machine.cpu?.pc;
    await Promise.all([ann.act('step into'), bob.act('step into')]);
    expect(pc()).toBe(0xc011n);
    await ann.act('step out');
    expect(pc()).toBe(0xc003n);
    await Promise.all([ann.act('step back'), bob.act('step back')]);
    expect(pc()).toBe(0xc011n);
    await machine.cpu?.setRegister('PC', 0xc000n);
    await ann.act('step over');
    expect([pc(), runs()]).toEqual([0xc003n, false]);
  });

  test('a step over what does not return ends with a Pause', async () => {
    const { ann, bob, machine, runs } = await twoPeople();
    await ann.act('pause');
    await machine.memory?.poke('cpu', 0xc000n, Uint8Array.of(0x20, 0x10, 0xc0));
    await machine.memory?.poke('cpu', 0xc010n, Uint8Array.of(0x4c, 0x10, 0xc0));
    await withoutInterrupts(machine);
    await machine.cpu?.setRegister('PC', 0xc000n);
    const step = ann.act('step over');
    await expect.poll(runs).toBe(true);
    await bob.act('pause');
    await step;
    expect([runs(), machine.status().state, machine.cpu?.pc]).toEqual([false, 'PAUSED', 0xc010n]);
  });

  test('a paste waits for the Reset before it, and ends at once with a Pause of somebody else', async () => {
    const { ann, bob, troubles, isResetting, letReset, runs, state } = await twoPeople();
    const reset = ann.act('reset');
    await isResetting;
    const paste = ann.paste('rem\n'.repeat(2000));
    letReset();
    await reset;
    await bob.act('pause');
    await paste;
    expect(troubles).toEqual([expect.stringMatching(/of 8,000 characters were typed: it was stopped/)]);
    expect([runs(), state()]).toEqual([false, 'PAUSED']);
  });
});
