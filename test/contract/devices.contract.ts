import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { type Context, never, patientMs } from './context.ts';
import { reachPrompt } from './prompt.ts';
import type { SeenDevice } from './subject.ts';

/** What a program would see of the device now. */
async function seen(context: Context, device: SeenDevice): Promise<unknown> {
  const look = context.subject.sees?.[device];
  if (!look) throw new Error(`how a program sees the ${device} is not known`);
  await context.machine.control?.run({ frames: 3, wallMs: patientMs }, never);
  return look(context.machine);
}

export function joystickContract(context: Context): void {
  test('a program sees what is held, in each port and direction, until it is let go', async () => {
    const { joystick } = context.with('joystick');
    const directions = ['up', 'down', 'left', 'right', 'fire'];
    // One that nobody has touched may not be there.
    for (const port of joystick.ports) await joystick.set(port, []);
    const released = await seen(context, 'joystick');
    for (const port of joystick.ports) {
      const readings = [];
      for (const direction of directions) {
        await joystick.set(port, [direction]);
        readings.push(await seen(context, 'joystick'));
      }
      expect(new Set([released, ...readings].map((each) => JSON.stringify(each))).size, `port ${port}`).toBe(6);
      await joystick.set(port, []);
      expect(await seen(context, 'joystick'), `port ${port}`).toEqual(released);
    }
  });

  test('a port or a direction that it has not is refused with those it has', async () => {
    const { joystick } = context.with('joystick');
    await expect(joystick.set(9, ['up'])).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining(String(joystick.ports[0])),
    });
    await expect(joystick.set(joystick.ports[0] ?? 1, ['north'])).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining('up'),
    });
  });
}

export function paddlesContract(context: Context): void {
  test('a program sees knobs and buttons', async () => {
    const { paddles } = context.with('paddles');
    const [port = 0] = paddles.ports;
    const middle = { x: 100, y: 100, xButton: false, yButton: false };
    const readings = [];
    for (const change of [{}, { x: 200 }, { y: 200 }, { xButton: true }, { yButton: true }]) {
      await paddles.set(port, { ...middle, ...change });
      readings.push(await seen(context, 'paddles'));
    }
    expect(new Set(readings.map((each) => JSON.stringify(each))).size).toBe(5);
    await paddles.set(port, middle);
    expect(await seen(context, 'paddles')).toEqual(readings[0]);
    await expect(paddles.set(9, middle)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining(String(port)),
    });
  });
}

export function lightPenContract(context: Context): void {
  test('a program sees where it is held, and a place outside the picture is refused', async () => {
    const { lightPen, screen } = context.with('lightPen', 'screen');
    const { width, height } = await screen.picture();
    const [x, y] = [width >> 1, height >> 1];
    await lightPen.aim({ x, y });
    const there = await seen(context, 'lightPen');
    await lightPen.aim({ x: x + 40, y: y + 20 });
    expect(await seen(context, 'lightPen')).not.toEqual(there);
    await lightPen.aim({ x, y });
    expect(await seen(context, 'lightPen')).toEqual(there);
    for (const outside of [
      { x: width, y },
      { x, y: -1 },
    ]) {
      await expect(lightPen.aim(outside)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    }
    await lightPen.aim(undefined);
  });
}

export function mouseContract(context: Context): void {
  test('buttons have names of their own, and others are refused with these', async () => {
    const { mouse } = context.with('mouse');
    expect(new Set(mouse.buttons).size).toBe(mouse.buttons.length);
    await expect(mouse.button('nonsense', true)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining(mouse.buttons[0] ?? ''),
    });
  });

  test('what it says would be noticed is, and the rest is refused', async () => {
    const { mouse, screen } = context.with('mouse', 'screen');
    const { prompt } = context.subject;
    if (prompt) await reachPrompt(context, prompt);
    else await context.machine.control?.run({ wallMs: 20 }, never);
    const { positions, movements, wheel } = await mouse.reach();
    const { width, height } = await screen.picture();
    await expect(mouse.moveBy(1_000_000, 0)).rejects.toBeInstanceOf(MachineError);
    await expect(mouse.moveTo(width, height)).rejects.toBeInstanceOf(MachineError);
    if (!positions) await expect(mouse.moveTo(1, 1)).rejects.toBeInstanceOf(MachineError);
    if (!wheel) await expect(mouse.wheel(1)).rejects.toBeInstanceOf(MachineError);
    if (!movements) {
      await expect(mouse.moveBy(1, 1)).rejects.toBeInstanceOf(MachineError);
      await expect(mouse.button(mouse.buttons[0] ?? '', true)).rejects.toBeInstanceOf(MachineError);
      return;
    }
    const readings = [await seen(context, 'mouse')];
    await mouse.moveBy(8, 0);
    readings.push(await seen(context, 'mouse'));
    await mouse.moveBy(0, 8);
    readings.push(await seen(context, 'mouse'));
    await mouse.button(mouse.buttons[0] ?? '', true);
    readings.push(await seen(context, 'mouse'));
    expect(new Set(readings.map((each) => JSON.stringify(each))).size).toBe(4);
    await mouse.button(mouse.buttons[0] ?? '', false);
    expect(await seen(context, 'mouse')).toEqual(readings[2]);
  });
}

export function configurationContract(context: Context): void {
  test('every resource has a value that it can have, and each other one can be set', async () => {
    const { configuration } = context.with('configuration');
    const now = (name: string) => configuration.resources.find((each) => each.name === name)?.value;
    const names = configuration.resources.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, value, possible, description } of configuration.resources) {
      expect(description).not.toBe('');
      expect(possible.map((each) => each.value)).toContain(value);
      expect(await configuration.set([{ name, value }], 'never')).toMatchObject({ changed: [] });
      const other = possible.find((each) => each.value !== value);
      if (!other) continue;
      const { changed } = await configuration.set([{ name, value: other.value }], 'if-needed');
      expect(changed).toContain(name);
      expect(now(name)).toBe(other.value);
      await configuration.set([{ name, value }], 'if-needed');
      expect(now(name)).toBe(value);
    }
  });

  test('all of the changes or none', async () => {
    const { configuration } = context.with('configuration');
    const before = configuration.resources;
    const change = before.find(({ possible }) => possible.length > 1);
    const other = change?.possible.find(({ value }) => value !== change.value);
    if (!change || !other) throw new Error('nothing can be changed');
    const good = { name: change.name, value: other.value };
    await expect(configuration.set([good, { name: 'Nonsense', value: 1 }], 'never')).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining(change.name),
    });
    await expect(configuration.set([good, { name: change.name, value: 'nonsense' }], 'never')).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
      fix: expect.stringContaining(String(other.value)),
    });
    expect(configuration.resources).toEqual(before);
  });
}

export function audioContract(context: Context): void {
  test('so many frames sound so long, and what a listener takes is the same time', async () => {
    const { audio, control } = context.with('audio', 'control');
    const rate = control.framesPerSecond ?? 0;
    const { sampleRate, samples } = await audio.capture(10, patientMs, never);
    expect(sampleRate).toBeGreaterThanOrEqual(22_050);
    expect(samples.length / sampleRate).toBeCloseTo(10 / rate, 1);
    const listening = audio.listen();
    expect(listening.take()).toHaveLength(0);
    await control.run({ frames: 10, wallMs: patientMs }, never);
    expect(listening.take().length / listening.sampleRate).toBeCloseTo(10 / rate, 1);
    expect(listening.take()).toHaveLength(0);
    listening.close();
    await control.run({ frames: 2, wallMs: patientMs }, never);
    expect(listening.take()).toHaveLength(0);
  });

  test('to listen changes nothing in the machine', async () => {
    const { audio, control, cpu, memory } = context.with('audio', 'control', 'cpu', 'memory');
    await context.bench();
    const other = await context.start();
    if (!context.subject.bench) return;
    await context.subject.bench(other.machine);
    const listening = audio.listen();
    for (const each of [control, other.machine.control]) await each?.run({ frames: 5, wallMs: patientMs }, never);
    listening.take();
    expect(await cpu.registers()).toEqual(await other.machine.cpu?.registers());
    const space = memory.spaces[0]?.name ?? '';
    expect(await memory.peek(space, 0n, 0x1000)).toEqual(await other.machine.memory?.peek(space, 0n, 0x1000));
    listening.close();
  });
}
