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

  test('vice.breakpoints.memory.watch: of an instruction that writes twice, the stop tells the write that was asked for', async () => {
    // SEI, INC $C100, JMP $C001: INC writes the old value before the new one.
    await desk.load(0xc000, [0x78, 0xee, 0, 0xc1, 0x4c, 1, 0xc0]);
    await desk.call('vice.memory.write', { address: '$C100', data: [0x3e] });
    for (const [condition, value] of [
      ['value == $3E', '$3E'],
      ['value > $3E', '$40'],
    ]) {
      const { breakpoint_id } = await desk.call('vice.breakpoints.memory.watch', { address: '$C100', condition });
      await desk.call('vice.execution.run');
      expect(await desk.reaches('BREAKPOINT')).toMatchObject({ breakpoint_id, address: '$C100', value });
      await desk.call('vice.breakpoints.delete', { breakpoint_id });
    }
  });

  test('vice.breakpoints.set: hits that pass first, and one that goes after its first stop', async () => {
    await desk.call('vice.breakpoints.set', { address: '$C000', ignore: 4, temporary: true });
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
    expect((await desk.call('vice.registers.get')).X).toBe(5);
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toEqual([]);
  });

  test('vice.breakpoints.condition: another condition under the same number, or none', async () => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C000', condition: 'X==$10' });
    expect(await desk.call('vice.breakpoints.condition', { breakpoint_id, condition: 'X==$30' })).toMatchObject({
      breakpoint_id,
      condition: 'X==$30',
    });
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
    expect((await desk.call('vice.registers.get')).X).toBe(0x30);
    expect(await desk.call('vice.breakpoints.condition', { breakpoint_id, condition: '' })).toMatchObject({
      condition: null,
    });
  });

  test('vice.breakpoints.raster: at a line, as the design answers', async () => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.raster', { line: 100, condition: 'sprite_y[0] < 50' });
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({
      execution_state: 'BREAKPOINT',
      breakpoint_id,
      breakpoint_type: 'raster',
      raster_line: 100,
      raster_cycle: expect.any(Number),
    });
  });

  test('vice.breakpoints.raster: a range stops once on entering, or at each line', async () => {
    const range = { line_start: 100, line_end: 102 };
    const { breakpoint_id } = await desk.call('vice.breakpoints.raster', range);
    const lines = async (count: number) => {
      const seen: number[] = [];
      for (let index = 0; index < count; index++) {
        await desk.call('vice.execution.run');
        seen.push((await desk.reaches('BREAKPOINT')).raster_line);
      }
      return seen;
    };
    expect(await lines(2)).toEqual([100, 100]);
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    await desk.call('vice.breakpoints.raster', { ...range, break_on_each: true });
    const each = await lines(4);
    expect(new Set(each)).toEqual(new Set([100, 101, 102]));
    expect((await desk.refusal('vice.breakpoints.raster', {})).code).toBe(-32602);
    for (const half of [{ line_start: 100 }, { line_end: 100 }]) {
      expect((await desk.refusal('vice.breakpoints.raster', half)).code).toBe(-32602);
    }
    const over = { line_start: 300, line_end: 20 };
    expect((await desk.refusal('vice.breakpoints.raster', over)).message).toMatch(/20, is before the first, 300/);
    expect((await desk.refusal('vice.breakpoints.raster', { line: 400 })).code).toBe(-32600);
  });

  test('vice.breakpoints.sprite_collision: when the chip sees two sprites meet', async () => {
    for (const sprite of [0, 1]) {
      await desk.call('vice.vic2.sprites.set', { sprite, x: 150, y: 120, enabled: true, pointer: 13 });
    }
    await desk.call('vice.memory.write', { address: '$0340', data: Array.from({ length: 63 }, () => 255) });
    const wanted = { type: 'sprite_sprite', sprite_mask: 0b11, condition: 'raster_line > 100' };
    const { breakpoint_id } = await desk.call('vice.breakpoints.sprite_collision', wanted);
    await desk.call('vice.execution.run');
    const stop = await desk.reaches('BREAKPOINT');
    expect(stop).toMatchObject({
      breakpoint_id,
      breakpoint_type: 'sprite_collision',
      collision_type: 'sprite_sprite',
      sprite_mask: 0b11,
    });
    const note = 'collisions that are noted already do not stop again: those of sprites 0, 1 until $D01E is read';
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toMatchObject([{ note }]);
    const others = { ...wanted, sprite_mask: 0b100 };
    expect(await desk.call('vice.breakpoints.sprite_collision', others)).not.toHaveProperty('note');
    expect(await desk.call('vice.breakpoints.composite', { conditions: [{ type: 'sprite_collision' }] })).toMatchObject(
      {
        note,
      },
    );
    expect(stop.raster_line).toBeGreaterThan(100);
    expect(stop.raster_line).toBeLessThan(150);
    for (const sprite of [0, 1]) await desk.call('vice.vic2.sprites.set', { sprite, enabled: false });
  });

  test('vice.breakpoints.vic.register_write: a write that reaches the chip, by address or name', async () => {
    // INX, STX $D012, JMP $C000
    await desk.load(0xc000, [0xe8, 0x8e, 0x12, 0xd0, 0x4c, 0, 0xc0]);
    const { breakpoint_id, register } = await desk.call('vice.breakpoints.vic.register_write', {
      register: '$D012',
      condition: 'value > $80',
    });
    expect(register).toBe('$D012');
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({
      breakpoint_id,
      breakpoint_type: 'vic_register_write',
      value: '$81',
      instruction_pc: '$C001',
    });
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    const logged = { register: 'RASTER', log_only: true, duration_frames: 1 };
    expect(await desk.call('vice.breakpoints.vic.register_write', logged)).toMatchObject({ log_only: true });
    await desk.call('vice.execution.run');
    await expect
      .poll(async () => (await desk.call('vice.breakpoints.list')).breakpoints[0].hits, { timeout: 60_000 })
      .toBeGreaterThan(100);
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'RUNNING' });
    expect((await desk.refusal('vice.breakpoints.vic.register_write', { register: '$D400' })).code).toBe(-32602);
  });

  test('vice.breakpoints.composite: all of several conditions, or any', async () => {
    const all = {
      conditions: [
        { type: 'raster', line: 100 },
        { type: 'sprite_y', sprite: 0, operator: '<', value: 200 },
        { type: 'register', register: 'A', operator: '==', value: 0 },
      ],
      operator: 'AND',
    };
    await desk.call('vice.registers.set', { register: 'A', value: 0 });
    const { breakpoint_id } = await desk.call('vice.breakpoints.composite', all);
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({
      breakpoint_id,
      breakpoint_type: 'composite',
      raster_line: 100,
    });
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    const any = {
      conditions: [
        { type: 'pc', address: '$C100' },
        { type: 'pc', address: '$C004' },
        { type: 'sprite_collision', collision_type: 'sprite_sprite' },
      ],
      operator: 'OR',
    };
    await desk.call('vice.breakpoints.composite', any);
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ breakpoint_type: 'composite', pc: '$C004' });
    expect((await desk.refusal('vice.breakpoints.composite', { conditions: [{ type: 'moon' }] })).code).toBe(-32602);
  });

  const stopped = async (breakpoint: Readonly<Record<string, unknown>>) => {
    const { breakpoint_id } = await desk.call('vice.breakpoints.composite', breakpoint);
    await desk.call('vice.execution.run');
    const stop = await desk.reaches('BREAKPOINT');
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    return stop;
  };

  test('vice.breakpoints.composite: types by the names of tools and lists, values of accesses, flags, trees', async () => {
    const write = { type: 'memory_write', address: '$C100', operator: '==', value: '$42' };
    expect(await stopped({ conditions: [write] })).toMatchObject({ address: '$C100', value: '$42' });
    const watch = { type: 'memory.watch', trigger: 'change', address: '$C100', condition: 'value == $50' };
    expect(await stopped({ conditions: [watch] })).toMatchObject({ value: '$50' });
    const zero = { type: 'register', register: 'Z', value: 1 };
    expect(await stopped({ conditions: [zero, { type: 'pc', address: '$C001' }] })).toMatchObject({ pc: '$C001' });
    expect((await desk.call('vice.registers.get')).X).toBe(0);
    const late = { type: 'raster', operator: '>', value: 200 };
    expect((await stopped({ conditions: [late, { type: 'pc', address: '$C004' }] })).raster_line).toBeGreaterThan(200);
    // The system's timer asks for it.
    await desk.call('vice.registers.set', { register: 'I', value: 0 });
    expect(await stopped({ conditions: [{ type: 'irq' }] })).toMatchObject({
      interrupt: 'irq',
      interrupt_source: 'cia1 timer A',
      interrupted_pc: expect.stringMatching(/^\$C00/),
    });
    await desk.load(0xc000, [0xe8, 0x8e, 0, 0xc1, 0x4c, 0, 0xc0]);
    await desk.call('vice.registers.set', { register: 'I', value: 1 });
    const inner = { type: 'group', operator: 'AND', conditions: [{ type: 'raster', line: 60 }] };
    const outer = { type: 'group', operator: 'OR', conditions: [inner, { type: 'raster', line: 70 }] };
    expect([60, 70]).toContain((await stopped({ conditions: [outer] })).raster_line);
  });

  test('vice.breakpoints.composite: what a type does not take is refused, and the list shows the tree', async () => {
    for (const condition of [
      { type: 'pc', address: '$C000', operator: '!=' },
      { type: 'group' },
      { type: 'group', conditions: [] },
      { type: 'group', conditions: [{ type: 'pc', address: '$C000', sprite: 1 }] },
      { type: 'group', conditions: [5] },
      { type: 'raster', line: 5, value: 6 },
      { type: 'register', register: '-', value: 1 },
    ]) {
      expect((await desk.refusal('vice.breakpoints.composite', { conditions: [condition] })).code).toBe(-32602);
    }
    const conditions = [
      { type: 'raster', line_start: 100, line_end: 120 },
      { type: 'vic_register_write', register: '$D020', condition: 'value == 2' },
      { type: 'group', operator: 'OR', conditions: [{ type: 'irq' }, { type: 'expression', condition: 'A == 1' }] },
    ];
    await desk.call('vice.breakpoints.composite', { conditions, operator: 'OR' });
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toMatchObject([
      { type: 'composite', operator: 'OR', conditions },
    ]);
  });

  test('vice.breakpoints.set: in a bank, by the name that memory has', async () => {
    const rom = { address: '$C000', bank: 'kernal_rom' };
    expect(await desk.call('vice.breakpoints.set', rom)).toMatchObject({ bank: 'rom' });
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C004', bank: 'main' });
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ breakpoint_id, pc: '$C004' });
    expect(await desk.call('vice.breakpoints.set', { address: '$8000', bank: 'cartridge:3' })).toMatchObject({
      bank: 'cartridge:3',
    });
    expect((await desk.refusal('vice.breakpoints.set', { address: '$C000', bank: 'moon' })).code).toBe(-32602);
    await desk.call('vice.breakpoints.raster', { line_start: 1, line_end: 2, break_on_each: true });
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toMatchObject([
      { bank: 'rom' },
      { bank: 'main' },
      { bank: 'cartridge:3' },
      { line_start: 1, break_on_each: true },
    ]);
  });

  test.for(['constructor', '__proto__', 'toString'])('%s is neither a bank nor a type of condition', async (name) => {
    const bank = await desk.refusal('vice.breakpoints.set', { address: '$C000', bank: name });
    const condition = await desk.refusal('vice.breakpoints.composite', { conditions: [{ type: name, line: 5 }] });
    expect([bank.code, condition.code]).toEqual([-32602, -32602]);
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toEqual([]);
  });

  test('an answer about one breakpoint or byte has nothing of another', async () => {
    await desk.call('vice.breakpoints.memory.watch', { address: '$C100' });
    await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ address: '$C100', old_value: '$00' });
    const set = await desk.call('vice.breakpoints.set', { address: '$C000' });
    expect(set).not.toHaveProperty('breakpoint_type');
    for (const answer of [set, await desk.call('vice.memory.read', { address: '$C000', size: 1 })]) {
      expect(answer).toMatchObject({ execution_state: 'BREAKPOINT', address: '$C000' });
      for (const name of ['value', 'old_value', 'instruction_pc']) expect(answer).not.toHaveProperty(name);
    }
  });
});
