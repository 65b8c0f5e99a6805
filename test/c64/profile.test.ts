import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk } from './desk.ts';

/** Once a frame: an interrupt whose handler calls `inner` twice, each 100 times round a loop of five cycles. */
const program = `
* = $c000
start   sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        lda #$35
        sta $01
        lda #100
        sta $d012
        lda #$0b                ; the picture is off: no bad lines
        sta $d011
        lda #1
        sta $d01a
        sta $d019
        cli
loop    jmp loop
irq     pha
        jsr outer
        lda #1
        sta $d019
        pla
        rti
outer   jsr inner
        jsr inner
        rts
inner   ldx #100
again   dex
        bne again
        rts
`;

interface Row {
  readonly routine?: string;
  readonly symbol?: string;
  readonly line?: string;
  readonly cycles?: number;
  readonly calls: number;
  readonly self: number;
  readonly total: number;
  readonly most_in_a_frame: number;
  readonly depth: number;
}

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.withC64();
  await desk.call('program_run', { source: program });
  await desk.call('run', { frames: 12 });
});
afterAll(() => desk.close());

const rows = async (args: Record<string, unknown>) => (await desk.data('profile_read', args)).rows as readonly Row[];
/** ldx, 100 times dex and bne, rts. */
const inner = 2 + 100 * 5 - 1 + 6;

test('routines, with what they call', async () => {
  const all = await rows({ frames: 10 });
  const of = (name: string) => all.find(({ routine }) => routine === name);
  expect(of('inner')).toMatchObject({ calls: 20, self: 20 * inner, total: 20 * inner, most_in_a_frame: 2 * inner });
  expect(of('outer')).toMatchObject({ calls: 10, self: 10 * (6 + 6 + 6), total: 10 * (18 + 2 * inner) });
  expect(of('irq irq')).toMatchObject({ calls: 10, total: 10 * (3 + 6 + 18 + 2 * inner + 2 + 4 + 4 + 6) });
  expect(all.reduce((sum, { self }) => sum + self, 0)).toBe(10 * 63 * 312);
  expect((await desk.data('profile_read', { frames: 10 })).stolen).toBe(0);
});

test('the most in a frame is of all places that a routine is called from', async () => {
  const other = await Desk.withC64();
  const lines = [
    '* = $c000',
    'loop jsr one',
    ' jsr two',
    ' jmp loop',
    'one jsr slow',
    ' rts',
    'two jsr slow',
    ' rts',
    'slow ldx #200',
  ];
  const source = [...lines, 'again dex', ' bne again', ' rts'].join('\n');
  await other.call('program_run', { source });
  await other.call('run', { frames: 12 });
  const { rows: all, frames } = await other.data('profile_read', { frames: 5 });
  const slow = (all as readonly Row[]).filter(({ most_in_a_frame, total }) => most_in_a_frame * Number(frames) < total);
  expect(slow).toEqual([]);
  await other.close();
});

test('as a tree, by symbol and by source line', async () => {
  const tree = await rows({ frames: 5, by: 'tree' });
  expect(tree.map(({ depth, routine }) => [depth, routine])).toEqual([
    [0, 'main'],
    [1, 'irq irq'],
    [2, 'outer'],
    [3, 'inner'],
  ]);
  const symbols = await rows({ frames: 5, by: 'symbol' });
  expect(symbols.find(({ symbol }) => symbol === 'again')?.cycles).toBe(5 * 2 * (100 * 5 - 1 + 6));
  const lines = await rows({ frames: 5, by: 'line' });
  expect(lines.some(({ line }) => /source\.asm:\d+/.test(line ?? ''))).toBe(true);
});

test('cycles that the VIC-II took are told', async () => {
  await desk.call('chip_write', { chip: 'vic2', values: { SCROLY: 0x1b } });
  await desk.call('run', { frames: 4 });
  const { stolen } = await desk.data('profile_read', { frames: 2 });
  expect(Number(stolen) / 50).toBeGreaterThanOrEqual(40);
  expect(Number(stolen) / 50).toBeLessThanOrEqual(43);
});

test('without a past there is nothing to count', async () => {
  await desk.call('run', { frames: 1 });
  await desk.call('snapshot_save', { name: 'here' });
  await desk.call('snapshot_restore', { name: 'here' });
  expect(await desk.call('profile_read', { frames: 2 })).toMatch(/No whole frame of the past is remembered/);
  await desk.call('run', { frames: 2 });
  expect(await desk.call('profile_read')).not.toMatch(/No whole frame/);
});

test('raster time as a picture', async () => {
  const outcome = await desk.outcome('profile_read', { image: true });
  const png = Buffer.from((outcome.type === 'answer' && outcome.answer.images?.[0]?.base64) || '', 'base64');
  expect(png.readUInt32BE(16)).toBe(28 + 63 * 12);
});
