import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ViceDesk, ways } from './desk.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test('vice.ping: the machine runs when the client connects', async () => {
    expect(await desk.call('vice.ping')).toMatchObject({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      machine: 'C64',
      execution_state: 'RUNNING',
    });
  });

  test('vice.execution.pause: stops, and everything stands until it is run again', async () => {
    expect(await desk.call('vice.execution.pause')).toMatchObject({ execution_state: 'PAUSED' });
    const before = await desk.call('vice.trace.cycles.get');
    expect(await desk.call('vice.trace.cycles.get')).toEqual(before);
  });

  test('vice.execution.run: returns at once and the machine goes on alone', async () => {
    await desk.call('vice.execution.pause');
    const { cycles } = await desk.call('vice.trace.cycles.get');
    expect(await desk.call('vice.execution.run')).toMatchObject({ execution_state: 'RUNNING' });
    await expect
      .poll(async () => (await desk.call('vice.trace.cycles.get')).cycles, { timeout: 60_000 })
      .toBeGreaterThan(cycles);
  });

  test('vice.execution.step: one, several, over a subroutine; not while it runs', async () => {
    await desk.call('vice.execution.run');
    expect(await desk.refusal('vice.execution.step')).toMatchObject({
      code: -32001,
      message: 'Cannot step while RUNNING',
      data: { execution_state: 'RUNNING', valid_states: ['PAUSED', 'BREAKPOINT'] },
    });
    // LDX #1, JSR $C010, INX, JMP $C006; $C010: RTS
    await desk.load(0xc000, [0xa2, 1, 0x20, 0x10, 0xc0, 0xe8, 0x4c, 6, 0xc0]);
    await desk.call('vice.memory.write', { address: '$C010', data: '60' });
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    expect(await desk.call('vice.execution.step')).toMatchObject({
      pc: '$C002',
      steps: 1,
      completed: true,
      disassembly: 'JSR $C010',
    });
    expect(await desk.call('vice.execution.step', { step_over: true })).toMatchObject({ pc: '$C005' });
    await desk.call('vice.registers.set', { register: 'PC', value: '$C002' });
    expect(await desk.call('vice.execution.step', { count: 2 })).toMatchObject({ pc: '$C005', steps: 2 });
  });

  test('vice.registers.set: what P does not have is told, and the flag B refused', async () => {
    await desk.call('vice.execution.pause');
    const set = await desk.call('vice.registers.set', { register: 'P', value: 0x04 });
    expect(set).toMatchObject({ register: 'P', P: 0x34, not_taken: ['bit 5', 'B'] });
    expect(await desk.call('vice.registers.set', { register: 'P', value: 0x35 })).not.toHaveProperty('not_taken');
    expect(await desk.call('vice.registers.set', { register: 'C', value: 0 })).not.toHaveProperty('not_taken');
    const refusal = await desk.refusal('vice.registers.set', { register: 'b', value: 0 });
    expect(refusal.message).toMatch(/^The processor has no flag B/);
  });

  test('vice.execution.step: a breakpoint on the way ends it', async () => {
    // INX, INX, NOP, JMP $C000
    await desk.load(0xc000, [0xe8, 0xe8, 0xea, 0x4c, 0, 0xc0]);
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C002' });
    for (const step_over of [false, true]) {
      expect(await desk.call('vice.execution.step', { count: 100, step_over })).toMatchObject({
        execution_state: 'BREAKPOINT',
        pc: '$C002',
        breakpoint_id,
        completed: false,
        steps: 2,
      });
      await desk.call('vice.registers.set', { register: 'PC', value: '$C000' });
    }
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
  });

  test('vice.execution.step_out: to just after the matching return, whatever is pushed and pulled before', async () => {
    // $C000 JSR $C010; $C010 PHA, PLA, JSR $C020, RTS; $C020 RTS
    await desk.load(0xc000, [0x20, 0x10, 0xc0, 0xea]);
    await desk.call('vice.memory.write', { address: '$C010', data: [0x48, 0x68, 0x20, 0x20, 0xc0, 0x60] });
    await desk.call('vice.memory.write', { address: '$C020', data: [0x60] });
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    expect(await desk.call('vice.execution.step')).toMatchObject({ pc: '$C010' });
    expect(await desk.call('vice.execution.step_out')).toMatchObject({
      pc: '$C003',
      execution_state: 'PAUSED',
      completed: true,
    });
  });

  test('vice.execution.reset: both sorts ask first, and a token is good for one call', async () => {
    await desk.load(0xc000, [0xee, 0x20, 0xd0, 0x4c, 0, 0xc0]);
    const { token } = await desk.call('vice.execution.reset', { mode: 'soft' });
    expect(await desk.call('vice.execution.reset', { mode: 'hard', confirmation_token: token })).toMatchObject({
      requires_confirmation: true,
    });
    expect(await desk.call('vice.execution.reset', { mode: 'soft', confirmation_token: token })).toMatchObject({
      mode: 'soft',
    });
    expect(await desk.call('vice.execution.reset', { mode: 'soft', confirmation_token: token })).toMatchObject({
      requires_confirmation: true,
    });
    expect((await desk.call('vice.memory.read', { address: '$C000', size: 1 })).data).toEqual([0xee]);
    await desk.confirmed('vice.execution.reset', { mode: 'hard' });
    expect((await desk.call('vice.memory.read', { address: '$C000', size: 1 })).data).not.toEqual([0xee]);
  });

  test('vice.execution.get_state: the state by the original’s names', async () => {
    await desk.call('vice.execution.run');
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'RUNNING', execution_state: 'RUNNING' });
    await desk.call('vice.execution.pause');
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'PAUSED' });
  });

  test('vice.registers.get: numbers and flags', async () => {
    await desk.load(0xc000, [0xa9, 0, 0x38]);
    await desk.call('vice.execution.step', { count: 2 });
    expect(await desk.call('vice.registers.get')).toMatchObject({
      PC: 0xc003,
      A: 0,
      X: expect.any(Number),
      Y: expect.any(Number),
      SP: expect.any(Number),
      P: expect.any(Number),
      flags: {
        N: false,
        V: expect.any(Boolean),
        B: expect.any(Boolean),
        D: false,
        I: expect.any(Boolean),
        Z: true,
        C: true,
      },
    });
  });

  test('vice.registers.set: registers, and flags by their letters; not while it runs', async () => {
    await desk.call('vice.execution.pause');
    expect(await desk.call('vice.registers.set', { register: 'A', value: '$7F' })).toMatchObject({ A: 127 });
    expect(await desk.call('vice.registers.set', { register: 'x', value: 3 })).toMatchObject({ X: 3 });
    expect(await desk.call('vice.registers.set', { register: 'C', value: 0 })).toMatchObject({ flags: { C: false } });
    expect(await desk.call('vice.registers.set', { register: 'C', value: 1 })).toMatchObject({ flags: { C: true } });
    for (const value of [false, true]) {
      expect(await desk.call('vice.registers.set', { register: 'C', value })).toMatchObject({ flags: { C: value } });
    }
    expect((await desk.refusal('vice.registers.set', { register: 'A', value: true })).message).toBe('A is not a flag.');
    expect((await desk.refusal('vice.registers.set', { register: 'Z', value: 2 })).code).toBe(-32602);
    expect((await desk.refusal('vice.registers.set', { register: 'A' })).message).toBe(
      'vice.registers.set: value: missing, expected boolean or number or string.',
    );
    expect((await desk.refusal('vice.registers.set', { register: 'Q', value: 2 })).code).toBe(-32602);
    await desk.call('vice.execution.run');
    expect(await desk.refusal('vice.registers.set', { register: 'A', value: 0 })).toMatchObject({
      code: -32001,
      message: 'Cannot set registers while RUNNING',
    });
  });

  test('vice.execution.clear_error: a jam is an error that can be left by reset or by another PC', async () => {
    // INX, then an opcode that jams.
    await desk.load(0xc000, [0xe8, 0x02, 0xe8, 0x4c, 2, 0xc0]);
    await desk.call('vice.execution.run');
    const state = await desk.reaches('ERROR');
    expect(state).toMatchObject({
      state: 'ERROR',
      pc: '$C001',
      error: { error_type: 'INVALID_OPCODE', pc: '$C001', opcode: '$02', message: 'Invalid opcode $02 at $C001' },
    });
    expect(await desk.refusal('vice.execution.run')).toMatchObject({
      code: -32000,
      message: 'Cannot run from ERROR state',
    });
    expect(await desk.refusal('vice.execution.step')).toMatchObject({
      code: -32000,
      message: 'Cannot step from ERROR state',
    });
    const error = { opcode: '$02', pc: '$C001' };
    expect(await desk.call('vice.registers.get')).toMatchObject({ execution_state: 'ERROR', error });
    expect(await desk.call('vice.execution.pause')).toMatchObject({ execution_state: 'ERROR', error });
    const again = await desk.call('vice.execution.clear_error');
    expect(again).toMatchObject({ execution_state: 'PAUSED', cleared: true, disassembly: 'JAM' });
    expect(again.note).toContain('jams again: set PC');
    expect(await desk.call('vice.execution.step')).toMatchObject({ execution_state: 'ERROR', steps: 0, error });
    // The design's option 2.
    expect(await desk.call('vice.registers.set', { register: 'PC', value: '$C002' })).toMatchObject({
      ...{ execution_state: 'ERROR', PC: 0xc002, error },
    });
    expect(await desk.refusal('vice.execution.run')).toMatchObject({
      ...{ code: -32000, message: 'Cannot run from ERROR state' },
    });
    const done = await desk.call('vice.execution.clear_error');
    expect(done).toMatchObject({ execution_state: 'PAUSED', pc: '$C002', cleared: true, disassembly: 'INX' });
    expect(done).not.toHaveProperty('error');
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'PAUSED', pc: '$C002' });
    expect(await desk.call('vice.execution.run')).toMatchObject({ execution_state: 'RUNNING' });
    await desk.load(0xc000, [0x02]);
    await desk.call('vice.execution.run');
    await desk.reaches('ERROR');
    expect(await desk.call('vice.execution.clear_error', { pc: '$C002' })).toMatchObject({
      execution_state: 'PAUSED',
      pc: '$C002',
    });
    expect(await desk.refusal('vice.execution.clear_error')).toMatchObject({
      ...{ code: -32001, message: 'There is no error: the state is PAUSED.' },
    });
    expect((await desk.refusal('vice.execution.clear_error', { pc: '$C002' })).code).toBe(-32001);
  });

  test('unknown tools and wrong arguments have the codes of the design', async () => {
    expect(await desk.refusal('vice.nothing.at_all')).toMatchObject({
      code: -32601,
      message: 'Tool not available on this machine',
      data: { tool: 'vice.nothing.at_all', machine: 'C64', reason: expect.stringContaining('no tool') },
    });
    expect((await desk.refusal('vice.memory.read', { address: [] })).code).toBe(-32602);
    expect((await desk.refusal('vice.execution.run', { fast: true })).code).toBe(-32602);
  });
});
