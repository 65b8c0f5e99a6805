import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vice } from '../../src/dialects/vice.ts';
import { ViceDesk, ways } from './desk.ts';
import { plainCartridge } from './plain-cartridge.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way, 'vic20');
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test('tools for a TED are refused where there is none, as all tools for other chips are', async () => {
    expect((await desk.refusal('vice.ted.registers.get')).data.reason).toBe('VIC-20 does not have TED chip');
    expect((await desk.refusal('vice.ted.screen.capture')).code).toBe(-32601);
  });

  test('every tool for a chip that it lacks is refused as the design shows', async () => {
    expect(await desk.refusal('vice.vic2.sprites.get')).toMatchObject({
      code: -32601,
      message: 'Tool not available on this machine',
      data: { tool: 'vice.vic2.sprites.get', machine: 'VIC-20', reason: 'VIC-20 does not have VIC-II chip' },
    });
    expect((await desk.refusal('vice.cia1.registers.get')).data.reason).toMatch(
      /^VIC-20 does not have CIA chip; .*vice.via1/,
    );
    const lacking = vice.tools.filter(({ name }) => /^vice\.(vic2|sid|cia1|cia2|cia|ted)\./.test(name));
    expect(lacking.length).toBeGreaterThan(7);
    for (const { name } of lacking) {
      const args = name.endsWith('sprites.set') ? { sprite: 0, x: 1 } : {};
      expect(await desk.refusal(name, args), name).toMatchObject({
        code: -32601,
        data: { tool: name, machine: 'VIC-20' },
      });
    }
  });

  test('vice.vic.registers.get: sixteen of the VIC', async () => {
    await desk.call('vice.execution.pause');
    const { execution_state, pc, decoded, ...registers } = await desk.call('vice.vic.registers.get');
    expect(Object.keys(registers)).toHaveLength(16);
    expect(registers.$9002).toMatchObject({ value: '$96' });
    expect(decoded).toMatchObject({ columns: 22 });
  });

  test('vice.vic.screen.capture: a picture with 22 by 23 characters inside the border', async () => {
    expect(await desk.call('vice.vic.screen.capture')).toMatchObject({ width: 448, height: 284 });
    expect(await desk.call('vice.vic.screen.capture', { borders: false })).toMatchObject({ width: 352, height: 184 });
  });

  test('vice.via1.registers.get and vice.via2.registers.get: in the place of the CIAs', async () => {
    expect((await desk.call('vice.via1.registers.get')).$9110).toMatchObject({ value: expect.stringMatching(/^\$/) });
    expect((await desk.call('vice.via2.registers.get')).$912E).toMatchObject({ value: expect.stringMatching(/^\$/) });
  });

  test('vice.events.subscribe: what a machine never has is told, and all else subscribed', async () => {
    const events = ['frame_complete', 'sprite_collision', 'raster_interrupt'];
    expect(await desk.call('vice.events.subscribe', { events })).toMatchObject({
      subscribed: ['frame_complete'],
      unavailable: [
        { event: 'sprite_collision', reason: 'VIC-20 has no sprites' },
        { event: 'raster_interrupt', reason: 'the VIC asks for no interrupts' },
      ],
    });
    expect(await desk.call('vice.events.subscribe', { events: [] })).toMatchObject({ subscribed: [] });
  });

  test('vice.files.attach_cartridge: one of a C64 is refused as that', async () => {
    const path = join(desk.sandbox.dir, 'c64.crt');
    await writeFile(path, plainCartridge());
    expect(await desk.refusal('vice.files.attach_cartridge', { path })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/c64\.crt is a cartridge of another machine; cartridge takes CRT/),
      data: { suggested_fix: 'Insert one that was made for this machine.' },
    });
  });

  test('what all machines have works here too', async () => {
    expect(await desk.call('vice.machine.capabilities')).toMatchObject({
      machine: 'VIC-20',
      cpu: '6502',
      video_chip: 'VIC',
      has_sprites: false,
      max_sprites: 0,
      available_toolsets: ['vice.vic.*', 'vice.via1.*', 'vice.via2.*'],
    });
    await desk.call('vice.execution.pause');
    await desk.call('vice.memory.write', { address: '$9400', data: [2], bank: 'color_ram' });
    expect((await desk.call('vice.memory.read', { address: 0, size: 1, bank: 'color_ram' })).data).toEqual([2]);
    expect((await desk.call('vice.trace.cycles.get')).cycles).toBeGreaterThan(100_000);
  });
});
