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
    expect(registers.$D020).toMatchObject({ name: 'EXTCOL', value: '$F5', description: 'Border color' });
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
    expect(cia1.$DC04).toMatchObject({ name: 'TALO' });
    expect(cia1.decoded).toMatchObject({ enabled: 'timer A' });
    expect((await desk.call('vice.cia2.registers.get')).$DD0F).toMatchObject({ name: 'CRB' });
  });

  test('vice.cia.timers.get: all four with value, latch and mode', async () => {
    const { timers } = await desk.call('vice.cia.timers.get');
    expect(timers.map(({ cia, timer }: { cia: number; timer: string }) => `${cia}${timer}`)).toEqual([
      '1A',
      '1B',
      '2A',
      '2B',
    ]);
    expect(timers[0]).toMatchObject({ running: true, mode: 'continuous', counts: 'cycles', interrupt_enabled: true });
    expect(timers[0].latch).toBeGreaterThan(0x4000);
    expect(timers[0].value).toBeLessThanOrEqual(timers[0].latch);
  });

  test('vice.trace.cycles.reset and vice.trace.cycles.get: cycles, frames and lines since then', async () => {
    // Two NOPs and a jump: seven cycles a round.
    await desk.load(0xc000, [0xea, 0xea, 0x4c, 0, 0xc0]);
    await poke('$D011', [0x0b]);
    await desk.call('vice.vic2.sprites.set', { sprite: 3, enabled: false });
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    expect(await desk.call('vice.trace.cycles.reset')).toMatchObject({ cycles: 0, frames: 0, raster_lines: 0 });
    await desk.call('vice.execution.step', { count: 3 });
    expect(await desk.call('vice.trace.cycles.get')).toMatchObject({ cycles: 7, frames: 0, raster_lines: 0 });
    await desk.call('vice.execution.step', { count: 3 * 3000 });
    const { cycles, frames, raster_lines } = await desk.call('vice.trace.cycles.get');
    // A frame that began with the display on keeps its bad lines.
    expect(cycles).toBeGreaterThanOrEqual(7 * 3001);
    expect({ frames, raster_lines }).toEqual({
      frames: Math.floor(cycles / (63 * 312)),
      raster_lines: Math.floor(cycles / 63),
    });
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
      expansion_ports: expect.arrayContaining(['expansion_port']),
      available_toolsets: expect.arrayContaining(['vice.vic2.*', 'vice.sid.*', 'vice.cia1.*', 'vice.cia2.*']),
    });
  });
});
