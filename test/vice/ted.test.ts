import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vice } from '../../src/dialects/vice.ts';
import { ViceDesk, ways } from './desk.ts';

describe.for(ways)('a Plus/4 over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way, 'plus4');
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test('vice.ted.registers.get: all 32 with name, value and meaning', async () => {
    await desk.call('vice.execution.pause');
    await desk.call('vice.memory.write', { address: '$FF19', data: [0x52] });
    const { execution_state, pc, decoded, ...registers } = await desk.call('vice.ted.registers.get');
    expect(Object.keys(registers)).toHaveLength(32);
    expect(registers).toMatchObject({
      $FF00: { name: 'T1LO', description: expect.stringContaining('timer 1') },
      $FF19: { name: 'EXTCOL', value: expect.stringMatching(/^\$[5D]2$/), description: 'colour of the border' },
    });
    expect(decoded).toMatchObject({ columns: 40, rows: 25, border: 0x52, screen: 0x0c00, colors: 0x0800 });
    expect(decoded.raster_line).toBeLessThan(312);
  });

  test('vice.ted.screen.capture: as an image or as text, with and without borders', async () => {
    expect(await desk.call('vice.ted.screen.capture')).toMatchObject({ width: 384, height: 288 });
    const inside = await desk.call('vice.ted.screen.capture', { borders: false, format: 'base64' });
    expect(inside).toMatchObject({ width: 320, height: 200 });
    expect(Buffer.from(inside.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  test('every tool for a chip that it lacks is refused as the design shows', async () => {
    const lacking = vice.tools.filter(({ name }) => /^vice\.(vic2|vic|sid|cia1|cia2|cia|via1|via2)\./.test(name));
    expect(lacking.length).toBeGreaterThan(12);
    for (const { name } of lacking) {
      const args = name.endsWith('sprites.set') ? { sprite: 0, x: 1 } : {};
      expect(await desk.refusal(name, args), name).toMatchObject({
        code: -32601,
        data: { tool: name, machine: 'Plus/4', reason: expect.stringMatching(/^Plus\/4 does not have /) },
      });
    }
    const collision = { type: 'sprite_sprite' };
    expect((await desk.refusal('vice.breakpoints.sprite_collision', collision)).code).toBe(-32601);
  });

  test('a frame is traced, with the registers of the TED by name', async () => {
    await desk.call('vice.trace.frame.start', { frames: 1 });
    await desk.call('vice.execution.run');
    const traced = async () => (await desk.call('vice.trace.frame.get', { limit: 200 })).events;
    await expect
      .poll(traced, { timeout: 60_000 })
      .toContainEqual(expect.objectContaining({ type: 'ted_write', register_name: 'IRQFLAG' }));
    await desk.call('vice.trace.frame.stop');
    await desk.call('vice.execution.pause');
  });

  test('what all machines have works here too', async () => {
    expect(await desk.call('vice.machine.capabilities')).toMatchObject({
      machine: 'Plus/4',
      cpu: '7501',
      video_chip: 'TED',
      sound_chip: 'TED',
      has_sprites: false,
      memory_banks: expect.arrayContaining(['char_rom', 'kernal_rom', 'basic_rom']),
      video_standards: ['PAL'],
      available_toolsets: ['vice.ted.*'],
    });
    expect(await desk.call('vice.memory.read', { address: 8, size: 2, bank: 'char_rom' })).toMatchObject({
      data: (await desk.call('vice.memory.read', { address: '$D008', size: 2, bank: 'rom' })).data,
    });
    // INC $FF19, JMP $2000
    await desk.load(0x2000, [0x78, 0xee, 0x19, 0xff, 0x4c, 1, 0x20]);
    const { breakpoint_id } = await desk.call('vice.breakpoints.vic.register_write', { register: 'EXTCOL' });
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({
      breakpoint_id,
      address: '$FF19',
      instruction_pc: '$2001',
    });
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    await desk.call('vice.breakpoints.raster', { line: 100 });
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ breakpoint_type: 'raster', raster_line: 100 });
  });

  test('the TED cannot be exchanged: another standard is refused', async () => {
    expect(
      await desk.call('vice.machine.profile.apply', { profile_name: 'plus4_pal', reset_after: false }),
    ).toMatchObject({
      changed: [],
    });
    expect(await desk.refusal('vice.machine.profile.apply', { profile_name: 'plus4_ntsc' })).toMatchObject({
      code: -32602,
      data: { resource: 'MachineVideoStandard', suggested_fix: expect.stringContaining('--machine plus4') },
    });
  });
});

test('a C16 with NTSC: no user port, and a frame of its own', async () => {
  await using desk = await ViceDesk.open('stdio', 'c16_ntsc');
  const { expansion_ports, ...rest } = await desk.call('vice.machine.capabilities');
  expect(rest).toMatchObject({ machine: 'C16', video_standards: ['NTSC'] });
  expect(expansion_ports).not.toContain('user_port');
  expect(await desk.call('vice.ted.screen.capture')).toMatchObject({ width: 384, height: 242 });
  await desk.load(0x2000, [0x78, 0x4c, 1, 0x20]);
  await desk.call('vice.breakpoints.raster', { line: 100 });
  const frame = async () => {
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
  };
  await frame();
  await desk.call('vice.trace.cycles.reset');
  await frame();
  const { cycles, raster_lines } = await desk.call('vice.trace.cycles.get');
  expect(Math.abs(cycles - 114 * 262)).toBeLessThan(30);
  expect(Math.abs(raster_lines - 262)).toBeLessThan(2);
});
