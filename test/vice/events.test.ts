import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { type Era, httpClient, stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ViceDesk } from './desk.ts';

const patience = { timeout: 60_000, interval: 30 };
const connections = [
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['http', 'legacy'],
  ['http', 'modern'],
] as const;

/** A desk whose client notes every event it is told of, however its protocol does that. */
async function listeningDesk(
  way: 'stdio' | 'http',
  era: Era,
): Promise<{ desk: ViceDesk; told: Record<string, unknown>[] }> {
  const sandbox = await Sandbox.open();
  const args = ['--dialect', 'vice'];
  const server = way === 'http' ? await HttpProgram.start(sandbox, ...args) : undefined;
  const client = server ? await httpClient(server, era) : await stdioClient(sandbox, era, args);
  const told: Record<string, unknown>[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    if (params.logger === 'vice') told.push(params.data as Record<string, unknown>);
  });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(...((params._meta?.['vice/events'] as Record<string, unknown>[] | undefined) ?? []));
  });
  return { desk: new ViceDesk(sandbox, client, server), told };
}

describe.for(connections)('over %s, %s', ([way, era]) => {
  let desk: ViceDesk;
  let told: Record<string, unknown>[];
  beforeAll(async () => {
    ({ desk, told } = await listeningDesk(way, era));
    const { resource } = await desk.call('vice.events.subscribe', { events: ['breakpoint'] });
    // In the 2026 protocol a client listens for what it wants; the others have a stream for everything.
    if (era === 'modern') await desk.client.listen({ resourceSubscriptions: [resource] });
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  const subscribe = async (events: readonly string[], more: Record<string, unknown> = {}) =>
    desk.call('vice.events.subscribe', { events, ...more });
  const all = (event: string) => told.filter((each) => each.event === event);

  /** INC $D020, JMP $C000, with interrupts on for the program's own raster handler. */
  beforeEach(async () => {
    await subscribe([]);
    await desk.load(0xc000, [0xee, 0x20, 0xd0, 0x4c, 0, 0xc0]);
    told.length = 0;
  });

  test('vice.events.subscribe: a breakpoint is told at once, with registers and raster position', async () => {
    expect(await subscribe(['breakpoint'])).toMatchObject({ subscribed: ['breakpoint'], resource: expect.any(String) });
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C003', temporary: true });
    await desk.call('vice.execution.run');
    await vi.waitFor(() => expect(all('breakpoint')).toHaveLength(1), patience);
    expect(all('breakpoint')[0]).toMatchObject({
      event: 'breakpoint',
      pc: '$C003',
      breakpoint_id,
      breakpoint_type: 'pc',
      raster_line: expect.any(Number),
      raster_cycle: expect.any(Number),
      registers: { PC: 0xc003, A: expect.any(Number) },
    });
  });

  test('vice.events.subscribe: a hit that only logs tells what was written', async () => {
    await subscribe(['breakpoint']);
    const wanted = { register: '$D020', log_only: true, duration_frames: 1 };
    const { breakpoint_id } = await desk.call('vice.breakpoints.vic.register_write', wanted);
    await desk.call('vice.execution.run');
    await vi.waitFor(() => expect(all('breakpoint').some(({ ended }) => ended === true)).toBe(true), patience);
    await desk.call('vice.execution.pause');
    await vi.waitFor(
      () => expect(all('breakpoint').some(({ more_hits }) => more_hits !== undefined)).toBe(true),
      patience,
    );
    const [{ hits }] = (await desk.call('vice.breakpoints.list')).breakpoints;
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    // More than a frame has room for are counted.
    const told = all('breakpoint').filter(({ value }) => value !== undefined).length;
    const counts = all('breakpoint').filter(({ more_hits }) => more_hits !== undefined);
    expect(told + counts.reduce((sum, { more_hits }) => sum + Number(more_hits), 0)).toBe(hits);
    expect(all('breakpoint').find(({ ended }) => ended === true)).toMatchObject({
      breakpoint_id,
      hits,
      duration_frames: 1,
    });
    expect(all('breakpoint')[1]).toMatchObject({
      breakpoint_id,
      breakpoint_type: 'vic_register_write',
      log_only: true,
      address: '$D020',
      value: expect.stringMatching(/^\$[0-9A-F]{2}$/),
      old_value: expect.stringMatching(/^\$[0-9A-F]{2}$/),
      instruction_pc: '$C000',
    });
  });

  test('vice.events.subscribe: frames, every so many of them', async () => {
    await subscribe(['frame_complete'], { every_frames: 10 });
    await desk.call('vice.execution.run');
    await vi.waitFor(() => expect(all('frame_complete').length).toBeGreaterThan(2), patience);
    await desk.call('vice.execution.pause');
    const frames = all('frame_complete').map(({ frame }) => Number(frame));
    expect(frames.every((frame) => frame % 10 === 0)).toBe(true);
    expect((frames[1] ?? 0) - (frames[0] ?? 0)).toBe(10);
    expect(all('frame_complete')[0]).toMatchObject({ cycle: expect.any(Number) });
  });

  test('vice.events.subscribe: collisions and raster interrupts, where the beam was', async () => {
    for (const sprite of [2, 5]) {
      await desk.call('vice.vic2.sprites.set', { sprite, x: 150, y: 120, enabled: true, pointer: 13 });
    }
    await desk.call('vice.memory.write', { address: '$0340', data: Array.from({ length: 63 }, () => 255) });
    // LDA $D01E, so that they can collide again; ASL $D019; INC $D020; JMP $C000
    await desk.load(0xc000, [0xad, 0x1e, 0xd0, 0x0e, 0x19, 0xd0, 0xee, 0x20, 0xd0, 0x4c, 0, 0xc0]);
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    await desk.call('vice.memory.write', { address: '$D011', data: [0x1b, 100], bank: 'io' });
    await desk.call('vice.memory.write', { address: '$D01A', data: [1], bank: 'io' });
    await subscribe(['sprite_collision', 'raster_interrupt']);
    await desk.call('vice.execution.run');
    await vi.waitFor(() => {
      expect(all('sprite_collision').length).toBeGreaterThan(0);
      expect(all('raster_interrupt').length).toBeGreaterThan(0);
    }, patience);
    await desk.call('vice.execution.pause');
    const [collision] = all('sprite_collision').filter(({ collision_type }) => collision_type === 'sprite_sprite');
    expect(collision).toMatchObject({ sprite_mask: 0b100100 });
    expect(Number(collision?.raster_line)).toBeGreaterThanOrEqual(120);
    expect(Number(collision?.raster_line)).toBeLessThan(145);
    expect(all('raster_interrupt')[0]).toMatchObject({ raster_line: 100, raster_cycle: expect.any(Number) });
    for (const sprite of [2, 5]) await desk.call('vice.vic2.sprites.set', { sprite, enabled: false });
    await desk.call('vice.memory.write', { address: '$D01A', data: [0], bank: 'io' });
  });

  test('vice.events.subscribe: states, and nothing more after an empty list', async () => {
    await subscribe(['state_changed']);
    await desk.call('vice.execution.run');
    await vi.waitFor(
      () => expect(all('state_changed')).toContainEqual(expect.objectContaining({ execution_state: 'RUNNING' })),
      patience,
    );
    await desk.call('vice.execution.pause');
    await vi.waitFor(
      () =>
        expect(all('state_changed')).toContainEqual(
          expect.objectContaining({ execution_state: 'PAUSED', previous_state: 'RUNNING' }),
        ),
      patience,
    );
    expect(await subscribe([])).toMatchObject({ subscribed: [] });
    // What was told of the run before may still be on its way; of this one there is nothing.
    const runs = () => all('state_changed').filter(({ execution_state }) => execution_state === 'RUNNING').length;
    const before = runs();
    await desk.call('vice.execution.run');
    await desk.reaches('RUNNING');
    await desk.call('vice.execution.pause');
    expect(runs()).toBe(before);
    expect((await desk.refusal('vice.events.subscribe', { events: ['eclipse'] })).code).toBe(-32602);
  });
});

describe.for(connections)('states in order, over %s, %s', ([way, era]) => {
  test('vice.events.subscribe: each state that was entered, however short it was', async () => {
    const { desk, told } = await listeningDesk(way, era);
    await using _ = desk;
    const { resource } = await desk.call('vice.events.subscribe', { events: ['state_changed'] });
    if (era === 'modern') await desk.client.listen({ resourceSubscriptions: [resource] });
    /** What has been told, once the last of it has come. */
    const states = async (...expected: readonly string[]) => {
      await vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(expected.length), patience);
      expect(told.map(({ execution_state }) => execution_state)).toEqual(expected);
      const before = told.slice(1).map(({ previous_state }) => previous_state);
      expect(before).toEqual(expected.slice(0, -1));
      return told.splice(0);
    };
    const reset = async (mode: string) => desk.confirmed('vice.execution.reset', { mode });
    await desk.call('vice.execution.pause');
    await desk.call('vice.execution.run');
    await reset('soft');
    await reset('hard');
    await desk.call('vice.execution.pause');
    const run = await states('PAUSED', 'RUNNING', 'RESET', 'RUNNING', 'RESET', 'RUNNING', 'PAUSED');
    expect(run[0]).toMatchObject({ event: 'state_changed', previous_state: 'RUNNING' });
    expect(run[4]).toMatchObject({ execution_state: 'RESET', cycle: 0, frame: 0 });

    await reset('soft');
    await reset('soft');
    await desk.call('vice.execution.step');
    await states('RESET', 'RESET', 'RUNNING', 'PAUSED');

    // LDX #0, then JAM: a breakpoint, an error and the way out of it.
    await desk.load(0xc000, [0xa2, 0, 0x02]);
    await desk.call('vice.breakpoints.set', { address: '$C002', temporary: true });
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
    await desk.call('vice.execution.run');
    await desk.reaches('ERROR');
    await desk.call('vice.execution.clear_error', { pc: '$C000' });
    await desk.call('vice.machine.profile.apply', { profile_name: 'c64_pal_6581' });
    await states('RUNNING', 'BREAKPOINT', 'RUNNING', 'ERROR', 'PAUSED', 'RESET');

    // Hundreds of short runs of the server's own, which are one to whoever looks from outside.
    const path = join(desk.sandbox.dir, 'loop.prg');
    await writeFile(path, new Uint8Array([0, 0xc0, 0x4c, 0, 0xc0]));
    await desk.call('vice.files.autostart', { path });
    await vi.waitFor(() => expect(told.at(-1)?.execution_state).toBe('RUNNING'), patience);
    expect(told[0]).toMatchObject({ execution_state: 'RESET', previous_state: 'RESET' });
    expect(told.length).toBeLessThan(20);
  });
});

test('vice.events.subscribe: whoever did not ask is told nothing, and the resource has the last events', async () => {
  const { desk, told } = await listeningDesk('http', 'legacy');
  await using _ = desk;
  if (!desk.server) throw new Error('no server');
  await using other = await httpClient(desk.server, 'legacy');
  const heard: unknown[] = [];
  other.setNotificationHandler('notifications/message', ({ params }) => {
    if (params.logger === 'vice') heard.push(params);
  });
  const { resource } = await desk.call('vice.events.subscribe', { events: ['frame_complete'] });
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(5), patience);
  expect(heard).toEqual([]);
  const { contents } = await desk.client.readResource({ uri: resource });
  const [content] = contents as { text: string }[];
  expect(JSON.parse(content?.text ?? '').events[0]).toMatchObject({
    number: expect.any(Number),
    event: 'frame_complete',
  });
});
