import { afterEach, beforeEach, expect, test } from 'vitest';
import { Desk } from '../c64/desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.withPlus4();
});
afterEach(() => desk.close());

/** The border is red for as long as the raster interrupt of line 100 waits. */
const bars = `
* = $1400
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #2
        sta $ff0a
        lda #100
        sta $ff0b
        cli
        jmp *
irq     lda #$32
bright  sta $ff19
        ldx #20
wait    dex
        bne wait
        lda #$71
dark    sta $ff19
        lda $ff09
        sta $ff09
        jmp $fcbe
`;

interface Event {
  readonly type: string;
  readonly raster_line: number;
  readonly register_name?: string;
  readonly value?: number;
  readonly note?: string;
  readonly annotation?: string;
}

const run = async () => {
  await desk.call('program_run', { source: bars });
  await desk.call('run', { frames: 4 });
};
const events = async (args: Record<string, unknown>) =>
  (await desk.data('frame_trace', { frames: 1, limit: 400, ...args })).events as readonly Event[];

test('frame_trace on a Plus/4: register writes with line and symbol, interrupts and bad lines', async () => {
  await run();
  const colours = (await events({ chips: ['ted'], registers: ['EXTCOL'] })).filter(({ type }) => type === 'write');
  expect(colours).toMatchObject([
    { register_name: 'EXTCOL', value: 0x32, annotation: expect.stringContaining('bright') },
    { register_name: 'EXTCOL', value: 0x71 },
  ]);
  const lines = colours.map((each) => each.raster_line);
  expect(lines[0]).toBeGreaterThanOrEqual(100);
  expect(lines[0]).toBeLessThanOrEqual(102);
  expect(lines[1]).toBe(103);
  const requests = await events({ types: ['irq_request'] });
  expect(requests).toMatchObject([{ raster_line: 100, note: 'ted raster' }]);
  expect((await events({ types: ['bad_line'] })).length).toBeGreaterThanOrEqual(50);
  expect(await desk.call('frame_trace', { action: 'borders' })).toMatch(/\$?32|50/);
});

test('frame_xray on a Plus/4: the instruction that made a pixel of the border, and one of a character', async () => {
  await run();
  const { y } = ((await desk.data('frame_xray', { format: 'json' })).events as { type: string; y: number }[])[0] ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  // Text begins at line 4, in row 41 of what the monitor shows.
  const border = await desk.call('frame_xray', { x: 4, y: 41 + 98 });
  expect(border).toMatch(/border/);
  expect(border).toMatch(/EXTCOL.*bright/s);
  await desk.call('memory_write', { address: '$0c00', bytes: 'a0', space: 'ram' });
  await desk.call('run', { frames: 2 });
  const text = await desk.call('frame_xray', { x: 36, y: 43 });
  expect(text).toMatch(/text foreground/);
  expect(text).toMatch(/character.*\$0C00.*A0/s);
});

test('profile_read on a Plus/4: where the time of a frame went', async () => {
  await run();
  expect(await desk.call('profile_read', { frames: 2 })).toMatch(/irq/);
});
