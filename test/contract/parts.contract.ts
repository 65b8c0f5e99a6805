import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { type Context, never, patientMs, spec } from './context.ts';
import { reachPrompt, shownText } from './prompt.ts';

export function memoryContract(context: Context): void {
  test('spaces have names of their own, and each is read exactly as long as asked, without disturbing it', async () => {
    const { memory } = context.with('memory');
    const { spaces } = memory;
    const place = context.subject.bench ? (await context.bench()).read : 0n;
    expect(new Set(spaces.map(({ name }) => name)).size).toBe(spaces.length);
    for (const { name, size, description } of spaces) {
      expect(size).toBeGreaterThan(0n);
      expect(description).not.toBe('');
      const at = place + 3n < size ? place : 0n;
      const first = await memory.peek(name, at, 3);
      expect(first).toHaveLength(3);
      expect(await memory.peek(name, at, 3)).toEqual(first);
    }
  });

  test('what is written is read again, and nothing beside it changes', async () => {
    const { memory } = context.with('memory');
    const [space] = memory.spaces;
    const name = space?.name ?? '';
    const at = context.subject.bench ? (await context.bench()).read : 4n;
    const before = await memory.peek(name, at - 2n, 8);
    await memory.poke(name, at, Uint8Array.of(0xa5, 0x5a));
    const after = await memory.peek(name, at - 2n, 8);
    expect([...after]).toEqual([...before.slice(0, 2), 0xa5, 0x5a, ...before.slice(4)]);
  });
}

export function freezeContract(context: Context): void {
  test('bytes that are held keep their value, until they are let go', async () => {
    const { memory, control } = context.with('memory', 'control');
    const { written } = await context.bench();
    const name = memory.spaces[0]?.name ?? '';
    const held = await memory.freeze?.hold(written, Uint8Array.of(0x77));
    await control.run({ frames: 1, wallMs: patientMs }, never);
    expect([...(await memory.peek(name, written, 1))]).toEqual([0x77]);
    expect(memory.freeze?.frozen).toMatchObject([{ address: written }]);
    await memory.freeze?.release(held?.id ?? -1);
    expect(memory.freeze?.frozen).toEqual([]);
    await expect(memory.freeze?.release(99)).rejects.toBeInstanceOf(MachineError);
  });
}

export function snapshotsContract(context: Context): void {
  test('the machine is again what it was, registers and memory, and the snapshot stays', async () => {
    const { snapshots, memory, cpu, control } = context.with('snapshots', 'memory', 'cpu', 'control');
    const { written, call } = await context.bench();
    const name = memory.spaces[0]?.name ?? '';
    await control.run({ address: call, wallMs: patientMs }, never);
    const before = { registers: await cpu.registers(), bytes: await memory.peek(name, written, 4) };
    const saved = await snapshots.save('then');
    expect(saved).toMatchObject({ name: 'then', bytes: expect.any(Number) });
    for (let round = 0; round < 2; round++) {
      await control.run({ address: call, wallMs: patientMs }, never);
      await memory.poke(name, written, Uint8Array.of(0x11, 0x22));
      expect(await snapshots.restore('then')).toMatchObject({ name: 'then' });
      expect({ registers: await cpu.registers(), bytes: await memory.peek(name, written, 4) }).toEqual(before);
    }
    expect(await snapshots.list()).toMatchObject([{ name: 'then' }]);
    await snapshots.delete('then');
    expect(await snapshots.list()).toEqual([]);
  });

  test('unknown names are refused with those there are', async () => {
    const { snapshots } = context.with('snapshots');
    await context.bench();
    await snapshots.save('known');
    for (const attempt of [snapshots.restore('other'), snapshots.delete('other'), snapshots.fork('other')]) {
      await expect(attempt).rejects.toMatchObject({ type: 'NOT_FOUND', fix: expect.stringContaining('known') });
    }
  });

  test('a fork is another machine that goes on from there', async () => {
    const { snapshots, memory, control } = context.with('snapshots', 'memory', 'control');
    const { written, call } = await context.bench();
    const name = memory.spaces[0]?.name ?? '';
    await control.run({ address: call, wallMs: patientMs }, never);
    const then = await memory.peek(name, written, 4);
    await snapshots.save('then');
    await memory.poke(name, written, Uint8Array.of(0x11, 0x22));
    const { options, image } = await snapshots.fork('then');
    const { startOptions } = context.racked;
    const fork = await context.rack.start(context.subject.kind.kind, { ...startOptions, ...options });
    if (image) await fork.machine.snapshots?.unpack?.(image, 'here', never);
    expect(await fork.machine.memory?.peek(name, written, 4)).toEqual(then);
    await fork.machine.memory?.poke(name, written, Uint8Array.of(0x33));
    expect([...(await memory.peek(name, written, 2))]).toEqual([0x11, 0x22]);
  });
}

export function snapshotPeekContract(context: Context): void {
  test('memory as it was is read without restoring it', async () => {
    const { snapshots, memory } = context.with('snapshots', 'memory');
    const { written } = await context.bench();
    const name = memory.spaces[0]?.name ?? '';
    const then = await memory.peek(name, written, 2);
    await snapshots.save('then');
    await memory.poke(name, written, Uint8Array.of(0x11, 0x22));
    expect(await snapshots.peek?.('then', name, written, 2)).toEqual(then);
    expect([...(await memory.peek(name, written, 2))]).toEqual([0x11, 0x22]);
  });
}

export function packContract(context: Context): void {
  test('an image makes another machine the same, to the last byte of what follows', async () => {
    const { snapshots, memory, control, cpu } = context.with('snapshots', 'memory', 'control', 'cpu');
    await context.bench();
    const name = memory.spaces[0]?.name ?? '';
    await control.run({ frames: 1, wallMs: patientMs }, never);
    await snapshots.save('then');
    const image = await snapshots.pack?.('then');
    if (!image) throw new Error('no image');
    const { data, error } = context.subject.kind.snapshotOptions?.safeParse(image.options) ?? {};
    expect(error).toBeUndefined();
    const other = await context.rack.start(context.subject.kind.kind, data);
    await other.machine.snapshots?.unpack?.(image, 'elsewhere', never);
    for (const each of [control, other.machine.control]) await each?.run({ frames: 20, wallMs: patientMs }, never);
    expect(await other.machine.cpu?.registers()).toEqual(await cpu.registers());
    expect(await other.machine.memory?.peek(name, 0n, 0x8000)).toEqual(await memory.peek(name, 0n, 0x8000));
    await expect(
      other.machine.snapshots?.unpack?.({ ...image, parts: new Map() }, 'elsewhere', never),
    ).rejects.toBeInstanceOf(MachineError);
  });
}

export function mediaContract(context: Context): void {
  test('slots have names of their own and say what they take', async () => {
    const { media } = context.with('media');
    const names = media.slots.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    for (const { description } of media.slots) expect(description).not.toBe('');
  });

  test('what is put in is there with all its bytes, until it is taken out', async () => {
    const { media } = context.with('media');
    const { medium } = context.subject;
    if (!medium) throw new Error('no medium that it takes is known');
    const fits = media.slotFor?.({ ...medium, size: medium.bytes.length });
    const slot = fits ?? media.slots.find((each) => each.medium === undefined)?.name ?? '';
    // Where each medium has a device of its own, the slot for new ones gives it a name.
    const found = () => media.slots.find((each) => each.medium?.includes(medium.name));
    await media.attach(slot, medium);
    const taken = found()?.name ?? '';
    expect(Buffer.from(await media.bytes(taken)).equals(medium.bytes)).toBe(true);
    if (context.subject.keepsMedia === undefined) await media.detach(taken);
    else await expect(media.detach(taken)).rejects.toBeInstanceOf(MachineError);
    expect(found() !== undefined).toBe(context.subject.keepsMedia !== undefined);
  });

  test('an empty slot has no bytes, and what fits nowhere is refused and leaves it empty', async () => {
    const { media } = context.with('media');
    const empty = media.slots.find(({ medium }) => medium === undefined);
    if (!empty) throw new Error('every slot of a fresh machine is taken');
    await expect(media.bytes(empty.name)).rejects.toBeInstanceOf(MachineError);
    const nonsense = { name: 'nonsense.xyz', bytes: new Uint8Array(100), readOnly: false };
    if (context.subject.anyMedium !== undefined) {
      await media.attach(empty.name, nonsense);
      expect(media.slots.some(({ medium }) => medium?.includes('nonsense'))).toBe(true);
      return;
    }
    await expect(media.attach(empty.name, nonsense)).rejects.toBeInstanceOf(MachineError);
    expect(media.slots.find(({ name }) => name === empty.name)?.medium).toBeUndefined();
  });
}

export function screenContract(context: Context): void {
  test('a picture has as many pixels as it says, and text as many lines', async () => {
    const { screen } = context.with('screen');
    const picture = await screen.picture();
    const pixels = picture.width * picture.height;
    expect(pixels).toBeGreaterThan(0);
    if ('rgb' in picture) expect(picture.rgb.length).toBe(3 * pixels);
    else {
      expect(picture.pixels.length).toBe(pixels);
      const colours = picture.palette.length / 3;
      expect(picture.pixels.every((colour) => colour < colours)).toBe(true);
    }
    const text = await screen.text();
    if (!text) return;
    expect(text.lines).toHaveLength(text.rows);
    expect(text.lines.every((line) => [...line].length <= text.columns)).toBe(true);
    if (text.colours) expect(text.colours.length).toBe(text.rows * text.columns);
  });
}

export function keyboardContract(context: Context): void {
  test('keys have names of their own, and characters are made of them', async () => {
    const { keyboard } = context.with('keyboard');
    expect(new Set(keyboard.keyNames).size).toBe(keyboard.keyNames.length);
    for (const character of ['a', '1', ' ', '"']) {
      const keys = keyboard.keysFor(character);
      expect(keys?.length, character).toBeGreaterThan(0);
      for (const key of keys ?? []) expect(keyboard.keyNames, character).toContain(key);
    }
    expect(keyboard.keysFor('\u{1F600}')).toBeUndefined();
  });

  test('unknown keys and characters are refused by name; what is held is let go', async () => {
    const { keyboard } = context.with('keyboard');
    // A virtual machine has to run, others need not.
    await context.machine.control?.run({ wallMs: 20 }, never);
    await expect(keyboard.press(['nonsense'], 1, never)).rejects.toMatchObject({
      message: expect.stringContaining('nonsense'),
    });
    await expect(keyboard.type('a\u{1F600}', never)).rejects.toBeInstanceOf(MachineError);
    if (context.subject.deaf !== undefined) {
      await expect(keyboard.hold(['a'])).rejects.toBeInstanceOf(MachineError);
      return;
    }
    await keyboard.hold(['a', 'nonsense']);
    await keyboard.hold([]);
  });
}

/** Of machines with control and a screen, at their prompt. */
export function typingContract(context: Context, prompt: RegExp): void {
  test('what is typed and what is held reaches the program, which shows it', async () => {
    const { keyboard, control } = context.with('keyboard', 'control');
    await reachPrompt(context, prompt);
    await keyboard.type('rem ', never);
    for (const keys of [['x'], [], ['x'], [], ['y'], []]) {
      await keyboard.hold(keys);
      await control.run({ frames: 8, wallMs: patientMs }, never);
    }
    expect(await shownText(context)).toMatch(/rem xxy(?!\w)/i);
  });
}

export function chipsContract(context: Context): void {
  test('every part of every chip can be read', async () => {
    const { chips } = context.with('chips');
    if (context.subject.bench) await context.bench();
    expect(chips.chips.length).toBeGreaterThan(0);
    for (const chip of chips.chips) {
      for (const { name } of chip.parts) {
        const { lines } = await chip.read(name, 0);
        expect(lines.length, `${chip.name} ${name}`).toBeGreaterThan(0);
      }
    }
  });
}

export function consoleContract(context: Context): void {
  test('each port reads from any offset and refuses none', () => {
    const { console } = context.with('console');
    expect(console.ports.length).toBeGreaterThan(0);
    for (const port of console.ports) {
      expect(port.output.start).toBeLessThanOrEqual(port.output.end);
      const { bytes, from } = port.output.read(0, 10);
      expect(from + bytes.length).toBeLessThanOrEqual(port.output.end);
    }
  });
}

/** Of machines with control. */
export function eventsContract(context: Context): void {
  test('a reset is an event of this machine', async () => {
    await context.with('control').control.reset('soft');
    await expect
      .poll(() => context.rack.events.read(0).events.filter(({ type }) => type === 'reset'))
      .toMatchObject([{ machine: context.racked.handle }]);
  });

  const { lacks, bench } = context.subject;
  if (!bench || lacks.breakpoints !== undefined || lacks['control.runFreely'] !== undefined) return;
  test('a breakpoint that is met while nobody waits is one event, and the state is there with it', async () => {
    const { control, breakpoints } = context.with('control', 'breakpoints');
    const { stops } = await context.bench();
    const states: string[] = [];
    context.rack.events.onEvent(({ type }) => type === 'stop' && states.push(context.machine.status().state));
    const { id } = await breakpoints.set(spec('exec', stops.exec ?? { address: 0n }));
    await control.runFreely?.('warp');
    await expect.poll(() => states).toEqual(['BREAKPOINT']);
    expect(context.machine.status()).toMatchObject({ stop: { cause: 'breakpoint', breakpoint: { id } } });
    const told = context.rack.events.read(0).events.filter(({ type }) => type === 'stop');
    expect(told).toMatchObject([{ machine: context.racked.handle, data: { cause: 'breakpoint', breakpoint: { id } } }]);
  });
}
