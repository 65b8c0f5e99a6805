import { expect, test } from 'vitest';
import type { Moment } from '../../src/machine/moments.ts';
import { type Context, never, patientMs } from './context.ts';
import { reachPrompt } from './prompt.ts';

const frames = (count: number) => ({ frames: count, wallMs: patientMs });
const room = 10_000_000;

export function cyclesContract(context: Context): void {
  test('a stopwatch shows the cycles of a run', async () => {
    const { cycles, control } = context.with('cycles', 'control');
    expect(cycles.sinceMark).toBeUndefined();
    cycles.mark();
    cycles.mark('begin');
    const from = cycles.now;
    expect(cycles.sinceMark).toBe(0);
    await control.run({ cycles: 1000, wallMs: patientMs }, never);
    expect(cycles.now).toBe(from + 1000);
    expect(cycles.sinceMark).toBe(1000);
    expect(cycles.checkpoints).toEqual([{ name: 'begin', cycle: from }]);
    cycles.mark('begin');
    expect(cycles.checkpoints).toEqual([{ name: 'begin', cycle: from + 1000 }]);
    await control.run({ cycles: 1500, back: true, wallMs: patientMs }, never);
    if (cycles.now < from) expect(cycles.sinceMark).toBeUndefined();
    expect(cycles.checkpoints).toEqual([]);
  });

  test('frames and lines are as long as it says', async () => {
    const { cycles, control } = context.with('cycles', 'control');
    await control.run(frames(1), never);
    const { now, spans, beam } = cycles;
    await control.run(frames(3), never);
    // It ends with the instruction under way.
    expect(Math.abs(cycles.now - now - 3 * (spans?.frame ?? 0))).toBeLessThan(8);
    expect(beam?.cyclesPerLine).toBe(spans?.line);
    expect((beam?.linesPerFrame ?? 0) * (beam?.cyclesPerLine ?? 0)).toBe(spans?.frame);
    expect(cycles.beam?.frame).toBe((beam?.frame ?? 0) + 3);
  });

  test('interrupts are logged while that is switched on', async () => {
    const { cycles } = context.with('cycles');
    const { interrupts } = cycles;
    const { prompt } = context.subject;
    expect(interrupts.isOn).toBe(false);
    interrupts.switch(true);
    if (prompt) await reachPrompt(context, prompt);
    expect(interrupts.total).toBeGreaterThan(1);
    expect(interrupts.entries.length).toBeLessThanOrEqual(interrupts.total);
    const times = interrupts.entries.map(({ cycle }) => cycle);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const { type, place, source } of interrupts.entries) expect([type, place, source]).not.toContain('');
    const { total } = interrupts;
    interrupts.switch(false);
    await context.machine.control?.run(frames(5), never);
    expect(interrupts.total).toBe(total);
  });
}

export function momentsContract(context: Context): void {
  test('each frame is told, or every so many, until nobody listens', async () => {
    const { moments, control } = context.with('moments', 'control');
    await control.run(frames(1), never);
    expect(moments.types).toContain('frame');
    const all: Moment[] = [];
    const some: Moment[] = [];
    const end = moments.watch({ types: ['frame'], everyFrames: 1 }, (moment) => all.push(moment));
    const endSome = moments.watch({ types: ['frame'], everyFrames: 3 }, (moment) => some.push(moment));
    await control.run(frames(6), never);
    expect(all).toHaveLength(6);
    expect(some).toHaveLength(2);
    expect(all.map(({ beam }) => beam.frame)).toEqual(all.map((_, index) => (all[0]?.beam.frame ?? 0) + index));
    end();
    end();
    await control.run(frames(3), never);
    expect(all).toHaveLength(6);
    expect(some).toHaveLength(3);
    endSome();
  });
}

export function frameTraceContract(context: Context): void {
  const query = { cursor: 0, limit: 50, maxBytes: room };

  test('writes to chips are found with the instruction that made them', async () => {
    const { frameTrace, control } = context.with('frameTrace', 'control');
    const { stops } = await context.bench();
    const register = Number(stops.chip_write?.address ?? 0n);
    await control.run(frames(3), never);
    const { events, total, next, lost } = await frameTrace.read({ ...query, frames: 1, types: ['write'] }, never);
    expect(events).toHaveLength(50);
    expect(total).toBeGreaterThan(50);
    expect(lost).toBe(0);
    expect(events.every((event) => event.register?.address === register && event.type === 'write')).toBe(true);
    expect(events.map(({ cycle }) => cycle)).toEqual(events.map(({ cycle }) => cycle).toSorted((a, b) => a - b));
    const page = await frameTrace.read({ ...query, frames: 1, types: ['write'], cursor: next ?? 0 }, never);
    expect(page.events[0]?.cycle).toBeGreaterThan(events.at(-1)?.cycle ?? 0);
    expect((await frameTrace.read({ ...query, frames: 1, types: ['nmi'] }, never)).events).toEqual([]);
    await expect(frameTrace.read({ ...query, frames: 1, types: ['nonsense'] }, never)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
    });
    await expect(frameTrace.read({ ...query, frames: 1, chips: ['nonsense'] }, never)).rejects.toMatchObject({
      type: 'INVALID_ARGUMENT',
    });
  });

  test('a trace that is started lasts until it is stopped', async () => {
    const { frameTrace, control, cycles } = context.with('frameTrace', 'control', 'cycles');
    await context.bench();
    expect(frameTrace.status).toEqual({ active: false });
    const from = cycles.now;
    expect(frameTrace.start({ reads: false })).toMatchObject({ active: true, from });
    await control.run(frames(2), never);
    expect(frameTrace.stop()).toMatchObject({ active: false, from, to: cycles.now });
    const to = cycles.now;
    await control.run(frames(2), never);
    expect(await frameTrace.read(query, never)).toMatchObject({ from, to });
  });

  test('a pixel of the border has its colour from the register, and the picture of the frame shows it', async () => {
    const { frameTrace, control, screen } = context.with('frameTrace', 'control', 'screen');
    await context.bench();
    await control.run(frames(3), never);
    const picture = await screen.picture();
    const { colour, element, causes } = await frameTrace.pixel({ x: 2, y: 20, frames: 3 }, never);
    expect(element).toContain('border');
    expect(causes.length).toBeGreaterThan(0);
    if ('pixels' in picture) expect(colour).toBe(picture.pixels[20 * picture.width + 2]);
    const { raster, visible, events } = await frameTrace.xray({ types: ['write'], maxBytes: room }, never);
    expect(raster.pixels).toHaveLength(raster.width * raster.height);
    expect(visible.x + visible.width).toBeLessThanOrEqual(raster.width);
    expect(visible.y + visible.height).toBeLessThanOrEqual(raster.height);
    for (const { x, y } of events) {
      expect(x >= 0 && x <= raster.width && y >= 0 && y <= raster.height).toBe(true);
    }
    const borders = await frameTrace.borders(1, room, never);
    expect(borders.length).toBeGreaterThan(0);
  });
}

export function profileContract(context: Context): void {
  test('every cycle is somebody’s', async () => {
    const { profile, control, cycles } = context.with('profile', 'control', 'cycles');
    const { inside, call } = await context.bench();
    await control.run(frames(4), never);
    const found = await profile.profile(2, never);
    expect(found.cycles).toBe(2 * (cycles.spans?.frame ?? 0));
    expect(found.root.total).toBe(found.cycles);
    expect(found.instructions.reduce((sum, each) => sum + each.cycles, 0)).toBe(found.cycles);
    expect(found.instructions.map(({ address }) => address)).toEqual(expect.arrayContaining([inside, call]));
    const [callee, ...others] = found.root.children;
    expect(callee).toMatchObject({ address: inside, kind: 'call', children: [] });
    expect(others).toEqual([]);
    expect(callee?.self).toBe(callee?.total);
    expect(found.raster.pixels).toHaveLength(found.raster.width * found.raster.height);
    expect(found.owners[0]).toBeUndefined();
  });
}

export function busTraceContract(context: Context): void {
  test('a directory that is asked for goes over the bus', async () => {
    const { busTrace, keyboard, control, media } = context.with('busTrace', 'keyboard', 'control', 'media');
    const { prompt, medium } = context.subject;
    if (!prompt || !medium) throw new Error('no prompt or no disk is known');
    await reachPrompt(context, prompt);
    const quiet = await busTrace.trace(5, never);
    expect(quiet.bytes).toEqual([]);
    await media.attach(media.slotFor?.({ ...medium, size: medium.bytes.length }) ?? '', medium);
    await keyboard.type('load"$",8\n', never);
    await control.run(frames(30), never);
    const { edges, bytes, from, to } = await busTrace.trace(60, never);
    expect(bytes.filter(({ attention }) => attention).map(({ command }) => command)).toContain('LISTEN 8');
    expect(bytes.some(({ attention, value }) => !attention && value === '$'.charCodeAt(0))).toBe(true);
    expect(new Set(edges.map(({ line }) => line))).toEqual(new Set(['ATN', 'CLK', 'DATA']));
    expect(edges.every(({ cycle }) => cycle >= from && cycle <= to)).toBe(true);
  });
}
