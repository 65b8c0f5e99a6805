import { afterAll, beforeAll, expect, test } from 'vitest';
import { Desk } from '../c64/desk.ts';
import { here } from '../support/tool-bench.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.withVic20({}, here);
});
afterAll(() => desk.close());

test('frame_trace shows colours, voices and interrupts of a VIC-20', async () => {
  await desk.call('program_run', {
    // An interrupt in a polling loop would last longer than the line it waits for.
    source: `* = $1c00
        sei
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
        cli
        nop
        sei
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

test('frame_xray finds who made a pixel of a VIC-20', async () => {
  const { history } = await desk.data('frame_trace', { action: 'borders' });
  expect((history as readonly Record<string, unknown>[]).slice(0, 3)).toMatchObject([
    { raster_line: 0, color: 3 },
    { raster_line: 100, color: 2 },
    { raster_line: 120, color: 3 },
  ]);
  const border = await desk.data('frame_xray', { x: 10, y: 110 - 28 });
  expect(border).toMatchObject({ element: 'border', color: 2, raster_line: 110 });
  expect((border.causes as readonly unknown[])[0]).toMatchObject({ register_name: 'COLORS', raster_line: 100 });
  const { events } = await desk.data('frame_xray', { registers: ['COLORS'] });
  const picture = await desk.machine().screen?.picture();
  if (!picture || !('pixels' in picture)) throw new Error('no picture');
  const [change] = events as readonly { readonly x: number; readonly y: number }[];
  const { x, y } = change ?? { x: 0, y: 0 };
  const at = (left: number) => picture.pixels[y * picture.width + left];
  expect([at(x - 2) === at(x), at(x)]).toEqual([false, at(x + 2)]);
  const text = await desk.data('frame_xray', { x: 120, y: 50 });
  expect(text.element).toMatch(/^text/);
});
