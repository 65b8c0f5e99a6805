import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ViceDesk, ways } from './desk.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
    await desk.call('vice.execution.pause');
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  const poke = (address: string, data: readonly number[]) =>
    desk.call('vice.memory.write', { address, data, bank: 'io' });

  test('vice.vic2.registers.get: all 47, with name, value and meaning', async () => {
    await poke('$D020', [5]);
    const { execution_state, pc, ...registers } = await desk.call('vice.vic2.registers.get');
    expect(Object.keys(registers)).toHaveLength(47);
    expect(registers.$D012).toMatchObject({ name: 'RASTER', value: expect.stringMatching(/^\$..$/) });
    expect(registers.$D000).toMatchObject({ name: 'SP0X' });
    expect(registers.$D020).toMatchObject({
      name: 'EXTCOL',
      value: '$F5',
      description: expect.stringContaining('border'),
    });
    expect(registers.$D02E).toMatchObject({ name: 'SP7COL' });
  });

  test('vice.vic2.sprites.set and vice.vic2.sprites.get: what is set is what is got', async () => {
    const wanted = {
      x: 300,
      y: 99,
      color: 7,
      enabled: true,
      multicolor: true,
      expand_x: true,
      priority: true,
      pointer: 13,
    };
    await desk.call('vice.vic2.sprites.set', { sprite: 3, ...wanted });
    const { sprites } = await desk.call('vice.vic2.sprites.get');
    expect(sprites).toHaveLength(8);
    expect(sprites[3]).toMatchObject({ sprite: 3, ...wanted, expand_y: false, data_address: '$0340' });
    await desk.call('vice.vic2.sprites.set', { sprite: 3, x: 20, enabled: false });
    expect((await desk.call('vice.vic2.sprites.get', { sprite: 3 })).sprites).toMatchObject([
      { sprite: 3, x: 20, y: 99, enabled: false, color: 7 },
    ]);
    expect((await desk.refusal('vice.vic2.sprites.set', { sprite: 8, x: 1 })).code).toBe(-32602);
    expect((await desk.refusal('vice.vic2.sprites.set', { sprite: 1 })).code).toBe(-32602);
  });

  test('vice.vic2.raster.get: line, cycle and frame move as the machine does', async () => {
    const before = await desk.call('vice.vic2.raster.get');
    await desk.call('vice.execution.step', { count: 40 });
    const after = await desk.call('vice.vic2.raster.get');
    const position = ({ raster_line, raster_cycle, frame }: typeof before) =>
      (frame * 312 + raster_line) * 63 + raster_cycle;
    expect(position(after)).toBeGreaterThan(position(before));
    expect(after.raster_line).toBeLessThan(312);
  });

  test('vice.vic2.screen.capture: unscaled, as an image or as text, with and without borders', async () => {
    const { content } = await desk.client.call('vice.vic2.screen.capture');
    expect(content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }]);
    expect(await desk.call('vice.vic2.screen.capture')).toMatchObject({ width: 384, height: 272 });
    const inside = await desk.call('vice.vic2.screen.capture', { format: 'base64', borders: false });
    expect(inside).toMatchObject({ width: 320, height: 200, mime_type: 'image/png' });
    const png = Buffer.from(inside.data, 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([320, 200]);
  });

  test('vice.cia1.registers.get and vice.cia2.registers.get: sixteen each, and what they mean', async () => {
    const cia1 = await desk.call('vice.cia1.registers.get');
    expect(Object.keys(cia1).filter((key) => key.startsWith('$DC'))).toHaveLength(16);
    expect(cia1.decoded).toMatchObject({ enabled: 1, timer_a: { timer: 'A' } });
    expect((await desk.call('vice.cia2.registers.get')).$DD0F).toMatchObject({ value: expect.stringMatching(/^\$/) });
  });

  test('vice.cia.timers.get: all four with value, latch and mode', async () => {
    const { timers } = await desk.call('vice.cia.timers.get');
    expect(timers.map(({ cia, timer }: { cia: number; timer: string }) => `${cia}${timer}`)).toEqual([
      '1A',
      '1B',
      '2A',
      '2B',
    ]);
    expect(timers[0].latch).toBeGreaterThan(0x4000);
    expect(timers[0].value).toBeLessThanOrEqual(timers[0].latch);
  });

  test('vice.trace.cycles.reset and vice.trace.cycles.get: cycles, frames and lines since then', async () => {
    // Two NOPs and a jump: seven cycles a round.
    await desk.load(0xc000, [0xea, 0xea, 0x4c, 0, 0xc0]);
    await poke('$D011', [0x0b]);
    await desk.call('vice.vic2.sprites.set', { sprite: 3, enabled: false });
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    // A frame that began with the display on keeps its bad lines.
    await desk.call('vice.execution.step', { count: 3 * 3000 });
    expect(await desk.call('vice.trace.cycles.reset')).toMatchObject({ cycles: 0, frames: 0, raster_lines: 0 });
    await desk.call('vice.execution.step', { count: 3 });
    expect(await desk.call('vice.trace.cycles.get')).toMatchObject({ cycles: 7, frames: 0, raster_lines: 0 });
    await desk.call('vice.execution.step', { count: 3 * 3000 });
    const { cycles, frames, raster_lines } = await desk.call('vice.trace.cycles.get');
    expect(cycles).toBe(7 * 3001);
    expect({ frames, raster_lines }).toEqual({
      frames: Math.floor(cycles / (63 * 312)),
      raster_lines: Math.floor(cycles / 63),
    });
  });

  test('vice.sid.registers.get: as last written, and the filter', async () => {
    await poke('$D418', [0x1f]);
    const sid = await desk.call('vice.sid.registers.get');
    expect(sid.$D418).toMatchObject({ value: '$1F' });
    expect(sid.decoded).toMatchObject({ model: '6581', volume: 15, filter: { low_pass: true } });
  });

  test('vice.sid.voices.get: hertz, waveform and milliseconds', async () => {
    // 440 Hz as a triangle.
    await poke('$D400', [0x45, 0x1d, 0, 8, 0x11, 0x24, 0xf8]);
    const { voices } = await desk.call('vice.sid.voices.get');
    expect(voices).toHaveLength(3);
    expect(voices[0]).toMatchObject({ voice: 1, waveform: ['triangle'], gate: true, attack_ms: 16, sustain: 15 });
    expect(voices[0].frequency_hz).toBeCloseTo(440, 0);
  });

  test('vice.sid.audio.capture: a WAV with level and pitch', async () => {
    const { content } = await desk.client.call('vice.sid.audio.capture', { frames: 25 });
    expect(content).toMatchObject([{ type: 'text' }, { type: 'audio', mimeType: 'audio/wav' }]);
    const { peak, rms, dominant_hz, seconds } = JSON.parse((content[0] as unknown as { text: string }).text);
    expect(seconds).toBeCloseTo(0.5, 1);
    expect(dominant_hz).toBeGreaterThan(420);
    expect(dominant_hz).toBeLessThan(460);
    expect(peak).toBeGreaterThan(rms);
    expect(rms).toBeGreaterThan(0.001);
    for (const [order, state] of [
      ['run', 'RUNNING'],
      ['pause', 'PAUSED'],
    ]) {
      await desk.call(`vice.execution.${order}`);
      await desk.client.call('vice.sid.audio.capture', { frames: 1 });
      expect(await desk.call('vice.execution.get_state')).toMatchObject({ state });
    }
  });

  test('vice.vic2.borders.get: each color with its line and cycle', async () => {
    // INC $D020, JMP $C000
    await desk.load(0xc000, [0xee, 0x20, 0xd0, 0x4c, 0, 0xc0]);
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    await desk.call('vice.execution.step', { count: 10_000 });
    const { history } = await desk.call('vice.vic2.borders.get');
    expect(history.length).toBeGreaterThan(1000);
    expect(history[5]).toMatchObject({
      frame: expect.any(Number),
      raster_line: expect.any(Number),
      raster_cycle: expect.any(Number),
      color: expect.any(Number),
      pc: '$C000',
    });
    expect(history[6].color).toBe((history[5].color + 1) & 15);
  });

  test('vice.trace.frame.start, vice.trace.frame.stop and vice.trace.frame.get: every write of a frame', async () => {
    // INX, STX $D020, STX $D000, JMP $C000
    await desk.load(0xc000, [0xe8, 0x8e, 0x20, 0xd0, 0x8e, 0, 0xd0, 0x4c, 0, 0xc0]);
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    await desk.call('vice.trace.frame.start', { chips: ['vic2'] });
    expect(await desk.call('vice.trace.frame.get')).toMatchObject({
      ...{ frame_number: null, frames_captured: 0, total_cycles: 0, events: [] },
    });
    await desk.call('vice.execution.step', { count: 40 });
    const stopped = await desk.call('vice.trace.frame.stop');
    expect(stopped).toMatchObject({
      frame_number: expect.any(Number),
      frames_captured: expect.any(Number),
      total_cycles: expect.any(Number),
    });
    expect(stopped.events).toHaveLength(20);
    expect(stopped.events[0]).toMatchObject({
      cycle: expect.any(Number),
      raster_line: expect.any(Number),
      raster_cycle: expect.any(Number),
      type: 'vic2_write',
      register: '$D020',
      register_name: 'EXTCOL',
      value: expect.stringMatching(/^\$[0-9A-F]{2}$/),
      pc: '$C001',
    });
    expect(stopped.events[1]).toMatchObject({
      type: 'sprite_write',
      register: '$D000',
      register_name: 'SP0X',
      pc: '$C004',
    });
    const first = await desk.call('vice.trace.frame.get', { limit: 7 });
    expect(first.events).toEqual(stopped.events.slice(0, 7));
    const second = await desk.call('vice.trace.frame.get', { limit: 100, cursor: first.next_cursor });
    expect(second.events).toEqual(stopped.events.slice(7));
    expect(second.next_cursor).toBeNull();
    // The design's sprite events are these writes.
    const { events } = await desk.call('vice.trace.events.get');
    expect(events).toEqual(stopped.events.filter(({ type }: { type: string }) => type === 'sprite_write'));
  });

  test('vice.trace.frame.get: one frame of several, and none that was not traced; interrupts whichever chips are', async () => {
    // INC $D020, JMP $C000, with the interrupts of the system on.
    await desk.load(0xc000, [0x58, 0xee, 0x20, 0xd0, 0x4c, 1, 0xc0]);
    await desk.call('vice.trace.frame.start', { frames: 3, chips: ['vic2'] });
    const { cycles: start } = await desk.call('vice.trace.cycles.get');
    await desk.call('vice.execution.run');
    await expect
      .poll(async () => (await desk.call('vice.trace.cycles.get')).cycles, { timeout: 60_000 })
      .toBeGreaterThan(start + 60_000);
    await desk.call('vice.execution.pause');
    const all = await desk.call('vice.trace.frame.stop');
    expect(all).toMatchObject({ frames_captured: 3, total_cycles: 3 * 19_656 });
    const frame = all.frame_number + 1;
    const one = await desk.call('vice.trace.frame.get', { frame });
    expect(one).toMatchObject({ frame_number: frame, frames_captured: 1, total_cycles: 19_656 });
    expect(new Set(one.events.map((each: { frame: number }) => each.frame))).toEqual(new Set([frame]));
    const refused = await desk.refusal('vice.trace.frame.get', { frame: frame + 50 });
    expect(refused.message).toMatch(/^Frame \d+ is not in the trace, which has frames \d+ to \d+\.$/);
    const { events } = await desk.call('vice.trace.events.get', { types: ['irq'] });
    expect(events.length).toBeGreaterThan(0);
  });

  test('vice.trace.events.get: interrupts and bad lines', async () => {
    await desk.confirmed('vice.execution.reset', { mode: 'hard' });
    await desk.call('vice.execution.run');
    await expect
      .poll(async () => (await desk.call('vice.trace.events.get', { types: ['irq'] })).events.length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(0);
    await desk.call('vice.execution.pause');
    const { events } = await desk.call('vice.trace.events.get', { limit: 2000 });
    const types = new Set(events.map(({ type }: { type: string }) => type));
    expect(types).toContain('bad_line');
    expect(types).toContain('rti');
    expect(types).not.toContain('write');
  });

  test('vice.trace.events.get: a page is full of events, however many writes lie between them', async () => {
    // INX, STX $D020, JMP $C000
    await desk.load(0xc000, [0xe8, 0x8e, 0x20, 0xd0, 0x4c, 0, 0xc0]);
    await desk.call('vice.trace.frame.start', { frames: 2 });
    const { cycles: start } = await desk.call('vice.trace.cycles.get');
    await desk.call('vice.execution.run');
    await expect
      .poll(async () => (await desk.call('vice.trace.cycles.get')).cycles, { timeout: 60_000 })
      .toBeGreaterThan(start + 60_000);
    await desk.call('vice.execution.pause');
    const { events, next_cursor } = await desk.call('vice.trace.events.get', { limit: 20 });
    expect(events).toHaveLength(20);
    expect(new Set(events.map(({ type }: { type: string }) => type))).not.toContain('vic2_write');
    const next = await desk.call('vice.trace.events.get', { cursor: next_cursor, limit: 1 });
    expect(next.events).toHaveLength(1);
    await desk.call('vice.trace.frame.stop');
  });

  test('vice.machine.capabilities: what this machine has', async () => {
    expect(await desk.call('vice.machine.capabilities')).toMatchObject({
      machine: 'C64',
      cpu: '6510',
      video_chip: 'VIC-II',
      sound_chip: 'SID',
      has_sprites: true,
      max_sprites: 8,
      has_cartridge_port: true,
      memory_banks: expect.arrayContaining(['main', 'color_ram', 'char_rom', 'kernal_rom']),
      expansion_ports: expect.arrayContaining(['user_port', 'expansion_port']),
      drive_types: ['1541', '1571', '1581'],
      video_standards: ['PAL', 'NTSC', 'NTSC-OLD'],
      available_toolsets: expect.arrayContaining(['vice.vic2.*', 'vice.sid.*', 'vice.cia1.*', 'vice.cia2.*']),
    });
  });
});
