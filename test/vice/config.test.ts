import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { ViceDesk, ways } from './desk.ts';
import { plainCartridge } from './plain-cartridge.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
    await desk.call('vice.execution.pause');
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  const value = async (resource: string) => (await desk.call('vice.config.get', { resource })).value;
  /** Lines of a frame, seen from outside. */
  const lines = async () => {
    await desk.call('vice.vic2.raster.get');
    const { height } = await desk.call('vice.vic2.screen.capture', { format: 'base64' });
    return height;
  };

  test('vice.config.get: a resource with all that it can be', async () => {
    expect(await desk.call('vice.config.get', { resource: 'MachineVideoStandard' })).toMatchObject({
      resource: 'MachineVideoStandard',
      type: 'integer',
      value: 1,
      possible_values: [
        { value: 1, name: 'PAL' },
        { value: 2, name: 'NTSC' },
        { value: 3, name: 'NTSC-OLD' },
      ],
      category: 'video',
      description: expect.any(String),
    });
    expect(await desk.refusal('vice.config.get', { resource: 'WarpMode' })).toMatchObject({
      code: -32602,
      data: { resource: 'WarpMode', reason: expect.stringContaining('real time') },
    });
  });

  test('vice.config.list: by category, in the shape of the design', async () => {
    const { category, resources } = await desk.call('vice.config.list', { category: 'video' });
    expect(category).toBe('video');
    expect(resources.map(({ name }: { name: string }) => name)).toEqual([
      'MachineVideoStandard',
      'VICIIModel',
      'VICIIBorderMode',
    ]);
    expect(resources[2]).toMatchObject({ type: 'integer', current_value: 0, requires_reset: false });
    const all = await desk.call('vice.config.list');
    expect(all.resources.length).toBeGreaterThan(9);
  });

  test('vice.config.set: another standard is another machine after its reset', async () => {
    await desk.call('vice.memory.write', { address: '$C000', data: [1, 2, 3] });
    expect(await desk.call('vice.config.set', { resource: 'MachineVideoStandard', value: 2 })).toMatchObject({
      resource: 'MachineVideoStandard',
      value: 2,
      changed: ['MachineVideoStandard', 'VICIIModel'],
      reset: true,
    });
    expect(await lines()).toBe(247);
    expect((await desk.call('vice.memory.read', { address: '$C000', size: 3 })).data).not.toEqual([1, 2, 3]);
    expect(await desk.call('vice.config.set', { resource: 'VICIIBorderMode', value: 'Debug' })).toMatchObject({
      value: 2,
      reset: false,
    });
    expect(await lines()).toBe(263);
    await desk.call('vice.config.set', { resource: 'VICIIBorderMode', value: 0 });
    await desk.call('vice.config.set', { resource: 'MachineVideoStandard', value: 'PAL' });
    expect(await lines()).toBe(272);
  });

  test('vice.config.set_batch: all or nothing', async () => {
    const wanted = [
      { name: 'MachineVideoStandard', value: 2 },
      { name: 'SidModel', value: 1 },
      { name: 'Drive8Type', value: 1541 },
    ];
    const before = await desk.call('vice.config.list');
    expect(
      await desk.refusal('vice.config.set_batch', { resources: [...wanted, { name: 'Drive9Type', value: 1551 }] }),
    ).toMatchObject({ code: -32602, data: { resource: 'Drive9Type', possible_values: expect.any(Array) } });
    expect((await desk.call('vice.config.list')).resources).toEqual(before.resources);
    expect(await desk.call('vice.config.set_batch', { resources: wanted })).toMatchObject({
      resources: wanted,
      reset: true,
    });
    expect(await value('SidModel')).toBe(1);
    await desk.call('vice.machine.profile.apply', { profile_name: 'c64_pal_6581' });
    expect(await value('VICIIModel')).toBe(0);
  });

  test('vice.machine.profile.create, vice.machine.profile.list and vice.machine.profile.delete: kept as files', async () => {
    const own = {
      profile_name: 'c64_ntsc_8580_testing',
      description: 'NTSC C64 with 8580 SID for audio testing',
      resources: [
        { name: 'MachineVideoStandard', value: 2 },
        { name: 'SidModel', value: 1 },
        { name: 'Drive8Type', value: 1541 },
        { name: 'Drive9Type', value: 0 },
      ],
    };
    await desk.call('vice.machine.profile.create', own);
    const path = join(desk.sandbox.dir, '.config/frontpanel/profiles/c64_ntsc_8580_testing.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ description: own.description });
    const { profiles } = await desk.call('vice.machine.profile.list');
    const names = profiles.map(({ profile_name }: { profile_name: string }) => profile_name);
    for (const name of [
      'c64_pal_6581',
      'c64_pal_8580',
      'c64_ntsc_6581',
      'c64_ntsc_8580',
      'c64_ntsc_8580_1541',
      'c64c_pal',
    ]) {
      expect(names).toContain(name);
    }
    expect(profiles.at(-1)).toMatchObject({ ...own, predefined: false });
    await desk.call('vice.machine.profile.delete', { profile_name: own.profile_name });
    expect((await desk.refusal('vice.machine.profile.delete', { profile_name: own.profile_name })).code).toBe(-32602);
    expect((await desk.refusal('vice.machine.profile.delete', { profile_name: 'c64c_pal' })).code).toBe(-32600);
    expect((await desk.refusal('vice.machine.profile.create', { profile_name: '../x', resources: [] })).code).toBe(
      -32602,
    );
  });

  test('a saved profile whose file is broken is not missing: it says what is wrong', async () => {
    await desk.call('vice.machine.profile.create', { profile_name: 'cut', video_standard: 'ntsc' });
    await writeFile(join(desk.sandbox.dir, '.config/frontpanel/profiles/cut.json'), '{"video_sta');
    const { profiles } = await desk.call('vice.machine.profile.list');
    expect(profiles.at(-1)).toEqual({
      profile_name: 'cut',
      predefined: false,
      problem: expect.stringContaining('JSON'),
    });
    expect((await desk.refusal('vice.machine.profile.apply', { profile_name: 'cut' })).message).toMatch(
      /The file of profile cut is wrong: .*JSON/,
    );
    await desk.call('vice.machine.profile.delete', { profile_name: 'cut' });
  });

  test('vice.machine.profile.create: a machine described, and what it cannot have refused by name', async () => {
    const described = {
      profile_name: 'my_test_config',
      machine: 'C64',
      video_standard: 'PAL',
      sid_model: '8580',
      drives: [{ unit: 8, type: '1541' }],
      cartridge: null,
    };
    expect(await desk.call('vice.machine.profile.create', described)).toMatchObject({
      resources: expect.arrayContaining([
        { name: 'MachineVideoStandard', value: 1 },
        { name: 'SidModel', value: 1 },
        { name: 'Drive8Type', value: 1541 },
        { name: 'Drive9Type', value: 0 },
      ]),
    });
    const refused = async (more: Record<string, unknown>) =>
      desk.refusal('vice.machine.profile.create', { ...described, ...more });
    expect((await refused({ sid_model: '9999' })).data.resource).toBe('SidModel');
    for (const memory_expansion of ['MOON_RAM', 'REU_3K', 'GEORAM_16M']) {
      expect((await refused({ memory_expansion })).data).toMatchObject({
        resource: 'memory_expansion',
        reason: expect.stringContaining('REU_512K'),
      });
    }
    expect((await refused({ machine: 'VIC-20' })).message).toContain('this server runs a C64');
  });

  test('a cartridge of a profile that cannot be plugged in is refused when it is created, and before anything is changed', async () => {
    const text = join(desk.sandbox.dir, 'text.crt');
    await writeFile(text, 'not a cartridge');
    const profile = { profile_name: 'with_cartridge', video_standard: 'NTSC' };
    const [create, apply] = ['vice.machine.profile.create', 'vice.machine.profile.apply'];
    const missing = join(desk.sandbox.dir, 'missing.crt');
    expect((await desk.refusal(create, { ...profile, cartridge: missing })).message).toMatch(/missing\.crt/);
    expect((await desk.refusal(create, { ...profile, cartridge: text })).message).toMatch(/cartridge takes CRT/);
    expect((await desk.refusal(create, { ...profile, cartridge: '/etc/passwd' })).message).toMatch(/passwd/);
    const plain = join(desk.sandbox.dir, 'plain.crt');
    await writeFile(plain, plainCartridge());
    await desk.call(create, { ...profile, cartridge: plain });
    expect(await desk.call(apply, { profile_name: 'with_cartridge', reset_after: false })).toMatchObject({
      cartridge: plain,
      reset: true,
    });
    await desk.call(apply, { profile_name: 'c64_pal_6581' });
    await desk.call('vice.files.detach', { device: 'cartridge' });
    await writeFile(plain, 'gone');
    await desk.refusal(apply, { profile_name: 'with_cartridge' });
    const kept = { video_standard: 'NTSC', cartridge: plain };
    await desk.refusal('vice.machine.configure', { profile: kept, apply_immediately: false });
    expect(await value('MachineVideoStandard')).toBe(1);
    await desk.call('vice.machine.profile.delete', { profile_name: 'with_cartridge' });
  });

  test('vice.machine.profile.apply: with a reset, or under the running program', async () => {
    await desk.load(0xc000, [0xe8, 0x4c, 0, 0xc0]);
    const kept = await desk.call('vice.machine.profile.apply', { profile_name: 'c64_ntsc_8580', reset_after: false });
    expect(kept).toMatchObject({
      profile_name: 'c64_ntsc_8580',
      reset: false,
      changed: expect.arrayContaining(['SidModel']),
    });
    expect((await desk.call('vice.memory.read', { address: '$C000', size: 4 })).data).toEqual([0xe8, 0x4c, 0, 0xc0]);
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ pc: '$C000' });
    expect(await lines()).toBe(247);
    expect(await desk.call('vice.machine.profile.apply', { profile_name: 'c64_pal_6581' })).toMatchObject({
      reset: true,
    });
    expect((await desk.call('vice.memory.read', { address: '$C000', size: 4 })).data).not.toEqual([
      0xe8, 0x4c, 0, 0xc0,
    ]);
    expect((await desk.refusal('vice.machine.profile.apply', { profile_name: 'nobody' })).code).toBe(-32602);
  });

  test('what has crashed, or has not run since its reset, still has when it gets other parts', async () => {
    const without = { profile_name: 'c64_ntsc_8580', reset_after: false };
    await desk.confirmed('vice.execution.reset', { mode: 'soft' });
    await desk.call('vice.machine.profile.apply', without);
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'RESET' });
    await desk.load(0xc000, [0x02]);
    await desk.call('vice.execution.run');
    await desk.reaches('ERROR');
    await desk.call('vice.config.set', { resource: 'Drive8Type', value: 1571 });
    await desk.call('vice.machine.profile.apply', { ...without, profile_name: 'c64_pal_6581' });
    expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'ERROR', error: { opcode: '$02' } });
    expect(await desk.refusal('vice.execution.run')).toMatchObject({ message: 'Cannot run from ERROR state' });
    const done = await desk.call('vice.execution.clear_error', { pc: '$C001' });
    expect(done).toMatchObject({ execution_state: 'PAUSED', pc: '$C001' });
  });

  test('vice.machine.profile.apply: resets where nothing has changed, too; resources reset when they need it or when told', async () => {
    const profile = { profile_name: 'c64_pal_6581' };
    const code = [0xe8, 0x4c, 0, 0xc0];
    const kept = async () => (await desk.call('vice.memory.read', { address: '$C000', size: 4 })).data;
    await desk.call('vice.machine.profile.apply', profile);
    for (const more of [{ reset_after: true }, {}]) {
      await desk.load(0xc000, code);
      const applied = await desk.call('vice.machine.profile.apply', { ...profile, ...more });
      expect(applied).toMatchObject({ changed: [], reset: true, execution_state: 'RESET' });
      expect(await kept()).not.toEqual(code);
    }
    await desk.load(0xc000, code);
    expect(await desk.call('vice.machine.profile.apply', { ...profile, reset_after: false })).toMatchObject({
      changed: [],
      reset: false,
      execution_state: 'PAUSED',
    });
    const same = { resource: 'MachineVideoStandard', value: 'PAL' };
    expect(await desk.call('vice.config.set', same)).toMatchObject({ changed: [], reset: false });
    expect(await kept()).toEqual(code);
    expect(await desk.call('vice.config.set', { ...same, reset_after: true })).toMatchObject({ reset: true });
    expect(await kept()).not.toEqual(code);
  });

  test('memory expansions are plugged in and pulled out by a profile or by their resources', async () => {
    /** The size bit of the status register, which only an REU of 256K or more has. */
    const status = async () => (await desk.call('vice.memory.read', { address: '$DF00', size: 1, bank: 'io' })).data[0];
    await desk.call('vice.machine.profile.apply', { profile_name: 'c64_reu' });
    expect([await value('REU'), await value('REUsize'), await value('GEORAM')]).toEqual([1, 512, 0]);
    expect((await status()) & 0x10).toBe(0x10);
    await desk.call('vice.config.set', { resource: 'REUsize', value: '128K' });
    expect((await status()) & 0x10).toBe(0);
    await desk.confirmed('vice.machine.configure', { profile: { memory_expansion: 'GEORAM_64K' } });
    expect([await value('REU'), await value('GEORAM'), await value('GEORAMsize')]).toEqual([0, 1, 64]);
    await desk.confirmed('vice.machine.configure', { profile: { memory_expansion: null } });
    expect([await value('REU'), await value('GEORAM')]).toEqual([0, 0]);
    expect((await desk.refusal('vice.config.set', { resource: 'REUsize', value: 100 })).data.resource).toBe('REUsize');
  });

  test('vice.machine.configure: asks first; an inline profile; what would change', async () => {
    expect(await desk.call('vice.machine.configure', { profile: 'c64c_pal', apply_immediately: false })).toMatchObject({
      applied: false,
      would_change: expect.arrayContaining([{ name: 'VICIIModel', value: 1 }]),
    });
    expect(await value('VICIIModel')).toBe(0);
    expect(await desk.confirmed('vice.machine.configure', { profile: 'c64_ntsc_8580_1541' })).toMatchObject({
      applied: true,
    });
    expect([await value('MachineVideoStandard'), await value('SidModel'), await value('Drive8Type')]).toEqual([
      2, 1, 1541,
    ]);
    await desk.confirmed('vice.machine.configure', { profile: { video_standard: 'PAL', sid_model: 6581 } });
    expect([await value('MachineVideoStandard'), await value('SidModel')]).toEqual([1, 0]);
  });

  test('vice.machine.profile.apply: drives of all types without their ROMs, at the level of the protocol', async () => {
    const config = {
      profile_name: 'my_test_config',
      machine: 'C64',
      video_standard: 'PAL',
      sid_model: '8580',
      drives: [
        { unit: 8, type: '1541' },
        { unit: 9, type: '1571' },
      ],
      memory_expansion: 'REU_512K',
      cartridge: null,
    };
    await desk.call('vice.machine.profile.create', config);
    await desk.call('vice.machine.profile.apply', { profile_name: 'my_test_config' });
    expect([await value('Drive8Type'), await value('Drive9Type'), await value('Drive10Type')]).toEqual([1541, 1571, 0]);
    expect([await value('REU'), await value('REUsize')]).toEqual([1, 512]);
    await writeFile(join(desk.sandbox.dir, 'a.d71'), CommodoreDisk.create('d71').image.bytes);
    const disk = { unit: 9, path: join(desk.sandbox.dir, 'a.d71') };
    expect((await desk.call('vice.files.attach_disk', disk)).contents).toMatch(/1328 blocks free/);
    expect(await value('Drive9Type')).toBe(1571);
    await desk.call('vice.files.detach', { device: 9 });
    await desk.call('vice.machine.profile.delete', { profile_name: 'my_test_config' });
    await desk.call('vice.config.set_batch', {
      resources: [
        { name: 'Drive9Type', value: 0 },
        { name: 'REU', value: 0 },
      ],
    });
  });
});
