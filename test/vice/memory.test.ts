import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ViceDesk, ways } from './desk.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
    await desk.call('vice.execution.pause');
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test('vice.memory.read: any way to write an address, every bank', async () => {
    await desk.call('vice.memory.write', { address: '$C000', data: [1, 2, 0xff] });
    for (const address of ['$C000', '0xC000', 0xc000, '49152']) {
      expect(await desk.call('vice.memory.read', { address, size: 3 })).toMatchObject({
        address: '$C000',
        size: 3,
        bank: 'cpu',
        data: [1, 2, 255],
        hex: '01 02 FF',
      });
    }
    const read = async (bank: string, address: string) =>
      (await desk.call('vice.memory.read', { address, size: 8, bank })).hex;
    await desk.call('vice.memory.write', { address: '$E000', data: '00 11 22', bank: 'main' });
    expect(await read('main', '$E000')).toMatch(/^00 11 22/);
    expect(await read('cpu', '$E000')).toBe(await read('kernal_rom', '$E000'));
    expect(await read('kernal_rom', '$E000')).not.toMatch(/^00 11 22/);
    expect(await read('basic_rom', '$A000')).toBe(await read('rom', '$A000'));
    // The letter A follows the @ that is character 0.
    expect(await read('char_rom', '$D008')).toBe(await read('char_rom', '8'));
    await desk.call('vice.memory.write', { address: '$D800', data: [1, 2], bank: 'color_ram' });
    expect(await read('color_ram', '$D800')).toMatch(/^01 02/);
    expect(await read('io', '$D800')).toMatch(/^.1 .2/);
    expect(await desk.refusal('vice.memory.read', { address: '$E000', size: 4, bank: 'color_ram' })).toMatchObject({
      code: -32600,
      data: { requested_address: '$E000', valid_range: '$D800-$DBFF' },
    });
    expect(await desk.refusal('vice.memory.write', { address: '$E000', data: [1], bank: 'kernal_rom' })).toMatchObject({
      message: 'kernal_rom cannot be written.',
      data: { suggested_fix: expect.stringContaining('color_ram') },
    });
    expect(await desk.refusal('vice.memory.read', { address: 0, size: 1, bank: 'attic' })).toMatchObject({
      code: -32602,
      data: { valid_banks: expect.arrayContaining(['cpu', 'main', 'color_ram', 'char_rom', 'kernal_rom']) },
    });
    const missing = async (bank: string) => (await desk.refusal('vice.memory.read', { address: 0, bank })).message;
    expect(await missing('cartridge')).toBe('No cartridge is plugged in.');
    expect(await missing('drive9')).toMatch(/^drive9 has no memory of its own/);
    expect(await missing('drive12')).toBe('There is no bank "drive12".');
  });

  test('vice.memory.write: bytes as numbers or as text in "data", or as text in "hex", but not twice', async () => {
    const read = async () => (await desk.call('vice.memory.read', { address: '$C000', size: 2 })).hex;
    await desk.call('vice.memory.write', { address: '$C000', hex: 'A9 12' });
    expect(await read()).toBe('A9 12');
    await desk.call('vice.memory.write', { address: '$C000', data: 'A9 13' });
    expect(await read()).toBe('A9 13');
    for (const bytes of [{}, { data: [1], hex: '01' }]) {
      const { message } = await desk.refusal('vice.memory.write', { address: '$C000', ...bytes });
      expect(message).toBe('Which bytes?');
    }
  });

  test('vice.memory.write: a byte has two digits, as in a search', async () => {
    for (const half of [{ hex: 'A9 0' }, { data: '0xA9,0x0' }, { hex: '5' }]) {
      expect(await desk.refusal('vice.memory.write', { address: '$C000', ...half })).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^The byte ".*" has only one digit\.$/),
        data: { suggested_fix: 'Write two digits each: "A9 00".' },
      });
    }
    expect((await desk.refusal('vice.memory.search', { pattern: 'A9 0' })).code).toBe(-32602);
  });

  test('vice.memory.read: a range that does not fit is refused as the design shows', async () => {
    expect(await desk.refusal('vice.memory.read', { address: '$FFFF', size: 256 })).toMatchObject({
      code: -32600,
      message: 'Invalid address range',
      data: {
        error_type: 'ADDRESS_OUT_OF_BOUNDS',
        requested_address: '$FFFF',
        requested_size: 256,
        valid_range: '$0000-$FFFF',
        suggested_fix: expect.stringContaining('1'),
      },
    });
  });

  test('vice.memory.write: bytes or hex; above 4 KB after a question; not while it runs', async () => {
    await desk.call('vice.memory.write', { address: '$C100', data: 'A9 00' });
    expect((await desk.call('vice.memory.read', { address: '$C100', size: 2 })).data).toEqual([0xa9, 0]);
    const large = { address: '$2000', data: Array.from({ length: 4097 }, (_, index) => index & 255) };
    expect(await desk.confirmed('vice.memory.write', large)).toMatchObject({ address: '$2000', size: 4097 });
    expect((await desk.call('vice.memory.read', { address: '$2001', size: 2 })).data).toEqual([1, 2]);
    await desk.call('vice.execution.run');
    expect(await desk.refusal('vice.memory.write', { address: 0xc100, data: [0] })).toMatchObject({
      code: -32001,
      message: 'Cannot write memory while RUNNING',
    });
    await desk.call('vice.execution.pause');
  });

  test('vice.memory.search: patterns with gaps, ranges, and how many', async () => {
    await desk.call('vice.memory.write', {
      address: '$C200',
      data: [0xde, 0xad, 1, 0xbe, 0xef, 0xde, 0xad, 2, 0xbe, 0xef],
    });
    const wanted = { pattern: 'DE AD ?? BE EF', start: '$C000', end: '$CFFF' };
    expect((await desk.call('vice.memory.search', wanted)).matches).toEqual(['$C200', '$C205']);
    expect(await desk.call('vice.memory.search', { ...wanted, max_results: 1 })).toMatchObject({
      matches: ['$C200'],
      truncated: true,
    });
    expect((await desk.call('vice.memory.search', { ...wanted, start: '$C201', end: '$C208' })).matches).toEqual([]);
    expect((await desk.call('vice.memory.search', { pattern: [0xde, 0xad, 2], start: 0xc000 })).matches).toEqual([
      '$C205',
    ]);
  });

  test('vice.memory.compare: where two regions differ', async () => {
    await desk.call('vice.memory.write', { address: '$C300', data: [1, 2, 3, 4] });
    await desk.call('vice.memory.write', { address: '$C310', data: [1, 9, 3, 8] });
    expect(await desk.call('vice.memory.compare', { address1: '$C300', address2: '$C310', size: 4 })).toMatchObject({
      differences: [
        { offset: 1, value1: 2, value2: 9 },
        { offset: 3, value1: 4, value2: 8 },
      ],
      total: 2,
    });
  });
});
