import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ViceDesk, ways } from './desk.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  /** INX, STX $C100, JMP $C000, with interrupts off and no breakpoint set. */
  beforeEach(async () => {
    await desk.load(0xc000, [0xe8, 0x8e, 0, 0xc1, 0x4c, 0, 0xc0]);
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    await desk.call('vice.registers.set', { register: 'X', value: 0 });
    await desk.call('vice.memory.write', { address: '$C100', data: [0] });
    const { breakpoints } = await desk.call('vice.breakpoints.list');
    for (const { breakpoint_id } of breakpoints) await desk.call('vice.breakpoints.delete', { breakpoint_id });
  });

  test('vice.breakpoints.set: stops before an address, if the condition holds', async () => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C004', condition: 'X==$20' });
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({
      execution_state: 'BREAKPOINT',
      pc: '$C004',
      breakpoint_id,
      breakpoint_type: 'pc',
      raster_line: expect.any(Number),
      raster_cycle: expect.any(Number),
    });
    expect(await desk.call('vice.registers.get')).toMatchObject({ X: 0x20 });
    expect((await desk.refusal('vice.breakpoints.set', { address: '$C000', condition: 'A===' })).code).toBe(-32602);
  });

  test('vice.breakpoints.list: all of them with type and hits', async () => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C000' });
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toMatchObject([
      { breakpoint_id, type: 'pc', address: '$C000', enabled: true, hits: 1, temporary: false },
    ]);
  });

  test('vice.breakpoints.delete: it is gone, and what is not there is refused', async () => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C000' });
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toEqual([]);
    expect((await desk.refusal('vice.breakpoints.delete', { breakpoint_id })).code).toBe(-32602);
  });

  test('vice.breakpoints.toggle: off and on', async () => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C000' });
    expect(await desk.call('vice.breakpoints.toggle', { breakpoint_id })).toMatchObject({ enabled: false });
    await desk.call('vice.execution.run');
    await expect
      .poll(async () => (await desk.call('vice.memory.read', { address: '$C100', size: 1 })).data[0])
      .not.toBe(0);
    expect(await desk.call('vice.execution.pause')).toMatchObject({ execution_state: 'PAUSED' });
    expect(await desk.call('vice.breakpoints.toggle', { breakpoint_id, enabled: true })).toMatchObject({
      enabled: true,
    });
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
  });

  test('vice.breakpoints.memory.watch: on a write of a value, and the stop tells which', async () => {
    const wanted = { address: '$C0F0', size: 32, trigger: 'write', condition: 'value == $40' };
    const { breakpoint_id } = await desk.call('vice.breakpoints.memory.watch', wanted);
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({
      breakpoint_id,
      breakpoint_type: 'memory_write',
      address: '$C100',
      value: '$40',
      old_value: '$3F',
      instruction_pc: '$C001',
    });
  });
});
