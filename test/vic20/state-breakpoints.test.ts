import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Desk } from '../c64/desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.withVic20();
});
afterEach(() => desk.close());

const source = `
* = $1200
main    inc $900f
        ldx #$10
        stx $900e
        lda $1e00
        sta $1e01
        inc $1300
        jsr work
        jmp main
work    lda #$7f
        sta $912e
        sta $911e
        lda #$c0
        sta $912e
        rts
`;

interface StopData {
  readonly cause: string;
  readonly breakpoint: { readonly id: number; readonly type: string };
  readonly event: {
    readonly time: number;
    readonly instruction: string;
    readonly beam: { readonly frame: number; readonly line: number; readonly cycle: number };
    readonly access?: Readonly<Record<string, unknown>>;
    readonly interrupt?: Readonly<Record<string, unknown>>;
  };
}

const started = () => desk.call('program_run', { source });
const run = async (args: Record<string, unknown> = {}) => (await desk.data('run', args)).stop as StopData;
const set = async (type: string, args: Record<string, unknown> = {}) =>
  Number((await desk.data('breakpoint_set', { type, ...args })).id);

test('has the types that make sense without sprites', async () => {
  expect((await desk.data('breakpoint_list')).types).toEqual([
    'exec',
    'read',
    'write',
    'change',
    'raster',
    'chip_write',
    'irq',
    'nmi',
    'brk',
    'composite',
  ]);
  expect(await desk.call('breakpoint_set', { type: 'sprite_sprite' })).toMatch(
    /No breakpoints of type "sprite_sprite"/,
  );
});

test('raster: once a frame where the line begins, each line of a range, and backwards', async () => {
  await started();
  const id = await set('raster', { options: { line: 130 } });
  const [one, two] = [await run(), await run()];
  expect(one).toMatchObject({ breakpoint: { id }, event: { beam: { line: 130, cycle: 0 } } });
  expect(two.event.time - one.event.time).toBe(71 * 312);
  expect((await run({ back: true })).event.time).toBe(one.event.time);
  await desk.call('breakpoint_delete', { id });
  await set('raster', { options: { line: 310, last_line: 311, each: true } });
  await set('raster', { options: { line: 0 } });
  const lines = [];
  for (let count = 0; count < 6; count++) lines.push((await run()).event.beam.line);
  expect(lines).toEqual([310, 311, 0, 310, 311, 0]);
});

test('a write to ROM is one to ROM', async () => {
  await started();
  await desk.call('program_run', { source: '* = $1400\nloop stx $ff00\n inx\n jmp loop', start: true });
  await set('write', { address: '$ff00', options: { bank: 'rom' } });
  const { access } = (await run()).event;
  expect(access).toMatchObject({ address: 0xff00, space: 'rom' });
});

describe('chip_write', () => {
  test('of the VIC, with both writes of INC and their values', async () => {
    await started();
    await set('chip_write', { options: { chip: 'vic', register: 15 }, condition: 'value != old_value' });
    const stop = await run();
    expect(stop.event).toMatchObject({
      instruction: 'INC $900F',
      access: { address: 0x900f, space: 'io', chip: { name: 'vic', register: 15 } },
    });
    const { value, old } = stop.event.access ?? {};
    expect(value).toBe((Number(old) + 1) & 255);
  });

  test('of a VIA by its address', async () => {
    await started();
    await set('chip_write', { address: '$911e' });
    expect((await run()).event).toMatchObject({
      instruction: 'STA $911E',
      access: { chip: { name: 'via1', register: 14 } },
    });
    await set('chip_write', { options: { chip: 'via2', register: 14 }, condition: 'value == $c0' });
    expect((await run()).event).toMatchObject({ instruction: 'STA $912E', access: { value: 0xc0 } });
  });
});

test('irq: who asked, and composites', async () => {
  await started();
  const irq = await set('irq');
  expect((await run()).event).toMatchObject({ interrupt: { line: 'irq', source: expect.stringContaining('via2') } });
  await desk.call('breakpoint_delete', { id: irq });
  const tree = {
    and: [
      { type: 'change', address: '$1300' },
      { type: 'raster', line: 100, last_line: 200 },
    ],
  };
  await set('composite', { options: { tree } });
  const { event } = await run();
  expect(event).toMatchObject({ instruction: 'INC $1300', access: { address: 0x1300 } });
  expect(event.beam.line).toBeGreaterThanOrEqual(100);
  expect(event.beam.line).toBeLessThanOrEqual(200);
});

test('memory on either half of the bus, with its bank', async () => {
  await started();
  await set('read', { address: '$1e00', options: { bank: 'rom' } });
  expect(await run({ frames: 2 })).toMatchObject({ cause: 'limit' });
  await set('read', { address: '$1e00', options: { bank: 'ram' } });
  expect((await run()).event).toMatchObject({ instruction: 'LDA $1E00', access: { kind: 'read', space: 'ram' } });
});
