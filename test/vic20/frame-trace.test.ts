import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk } from '../c64/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.withVic20();
});
afterAll(() => desk.close());

test('frame_trace shows colours, voices and interrupts of a VIC-20', async () => {
  await desk.call('program_run', {
    source: `* = $1c00
loop    lda $9004
        cmp #50
        bne loop
        lda #$1a
        sta $900f
        sta $900a
wait    lda $9004
        cmp #60
        bne wait
        lda #$1b
        sta $900f
        jmp loop`,
  });
  await desk.call('run', { frames: 3 });
  const data = await desk.data('frame_trace', { types: ['write', 'irq'], limit: 500 });
  const [frame] = data.frames as readonly number[];
  const events = (data.events as readonly Record<string, unknown>[]).filter((event) => event.frame === frame);
  const written = events.filter(({ chip }) => chip === 'vic');
  expect(written.map(({ register_name: name, value, raster_line: line }) => [name, value, line])).toEqual([
    ['COLORS', 0x1a, 100],
    ['BASS', 0x1a, 100],
    ['COLORS', 0x1b, 120],
  ]);
  expect(written[0]).toMatchObject({ register: '$900F', annotation: 'loop' });
  expect(events.some(({ type }) => type === 'irq')).toBe(true);
});
