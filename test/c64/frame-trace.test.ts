import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommodoreMachine } from '../../src/machines/commodore/machine/commodore-machine.ts';
import { here } from '../support/tool-bench.ts';
import { Desk } from './desk.ts';

interface TracedEvent {
  readonly cycle: number;
  readonly frame: number;
  readonly frame_cycle: number;
  readonly raster_line: number;
  readonly raster_cycle: number;
  readonly type: string;
  readonly chip: string;
  readonly register?: string;
  readonly register_name?: string;
  readonly value?: number;
  readonly pc: string;
  readonly annotation?: string;
  readonly note?: string;
  readonly target?: string;
}

/** A raster interrupt in line 100 that colours the border, and two sprites that overlap at lines 150 and 160. */
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
        lda #$1b
        sta $d011
        lda #1
        sta $d01a
        sta $d019
        ldx #62
        lda #$ff
fill    sta $3000,x
        dex
        bpl fill
        lda #$c0
        sta $07f8
        sta $07f9
        lda #100
        sta $d000
        lda #110
        sta $d002
        lda #150
        sta $d001
        lda #160
        sta $d003
        lda #3
        sta $d015
        cli
loop    jmp loop
irq     pha
        lda #2
        sta $d020
        nop
        nop
        lda #0
        sta $d020
        lda #$34
        sta $01
        lda #7
        sta $d021               ; with I/O banked out: RAM
        lda #$35
        sta $01
        lda $d01e
        sta $d019
        pla
        rti
`;

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.withC64();
});
afterAll(() => desk.close());

const trace = async (args: Record<string, unknown> = {}) => {
  const data = await desk.data('frame_trace', args);
  return { ...data, events: data.events as readonly TracedEvent[] } as {
    readonly events: readonly TracedEvent[];
    readonly frames: readonly number[];
    readonly total: number;
    readonly next?: number;
    readonly lost: number;
    readonly full_at?: number;
    readonly from: number;
    readonly to: number;
  };
};

describe('frame_trace on a C64', () => {
  beforeAll(async () => {
    await desk.call('program_run', { source: program });
    await desk.call('run', { frames: 3 });
  });

  test('the last frame is there without having been asked for', async () => {
    const before = await desk.call('state_read');
    const { events, frames } = await trace({ types: ['write'], chips: ['vic2'] });
    const frame = frames[0];
    const border = events.filter((event) => event.register_name === 'EXTCOL' && event.frame === frame);
    expect(border.map(({ value }) => value)).toEqual([2, 0]);
    const [first, second] = border as [TracedEvent, TracedEvent];
    expect(first).toMatchObject({ raster_line: 100, register: '$D020', chip: 'vic2', annotation: 'irq' });
    expect(second.cycle - first.cycle).toBe(10);
    expect(second.raster_cycle - first.raster_cycle).toBe(10);
    expect(first.frame_cycle).toBe(100 * 63 + first.raster_cycle - 2);
    expect(await desk.call('state_read')).toBe(before);
  });

  test('writes that end in RAM under the chips are none', async () => {
    const { events } = await trace({ registers: ['$D021'] });
    expect(events).toEqual([]);
    const port = await trace({ registers: ['R6510'] });
    expect(port.events.slice(0, 2).map(({ value }) => value)).toEqual([0x34, 0x35]);
  });

  test('interrupts from the request to the return', async () => {
    const { events, frames } = await trace({ types: ['irq_request', 'irq', 'rti'] });
    const [request, entry, exit] = events.filter(({ frame }) => frame === frames[0]) as TracedEvent[];
    expect(request).toMatchObject({
      type: 'irq_request',
      chip: 'vic2',
      note: 'vic2 raster',
      raster_line: 100,
      raster_cycle: 1,
    });
    expect(entry).toMatchObject({ type: 'irq', annotation: 'loop' });
    expect(exit).toMatchObject({ type: 'rti', annotation: 'irq' });
    expect((entry?.cycle ?? 0) - (request?.cycle ?? 0)).toBeGreaterThanOrEqual(7);
    expect(exit?.target).toMatch(/^\$C0/);
  });

  test('sprites, their collisions and bad lines', async () => {
    const { events, frames } = await trace({ chips: ['vic2'], frames: 1, limit: 2000 });
    const whole = events.filter(({ frame }) => frame === frames[0]);
    const of = (type: string) => whole.filter((event) => event.type === type);
    expect(of('bad_line').map(({ raster_line: line }) => line)).toEqual(
      Array.from({ length: 25 }, (_, row) => 51 + 8 * row),
    );
    expect(of('sprite_dma').map(({ raster_line: line, value }) => [line, value])).toEqual([
      [150, 1],
      [160, 2],
    ]);
    expect(of('sprite_display').map(({ raster_line: line }) => line)).toEqual([150, 160]);
    expect(of('sprite_dma_end').map(({ raster_line: line, note }) => [line, note])).toEqual([
      [171, 'sprite 0'],
      [181, 'sprite 1'],
    ]);
    expect(of('sprite_collision')).toMatchObject([{ raster_line: 161, note: 'sprites 0, 1' }]);
  });

  test('reads on request, filters by line, pages by cursor', async () => {
    expect((await trace({ types: ['read'], frames: 1 })).events).toEqual([]);
    const { events } = await trace({ types: ['read'], reads: true, frames: 1 });
    expect(events[0]).toMatchObject({ register_name: 'SPSPCL', raster_line: 100 });
    const lines = await trace({ first_line: 51, last_line: 60 });
    expect(lines.events.map(({ raster_line: line }) => line)).toEqual([51, 59]);
    const all = await trace({ frames: 2, limit: 2000 });
    const pages: TracedEvent[] = [];
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof trace>> = await trace({ frames: 2, limit: 7, cursor });
      pages.push(...page.events);
      cursor = page.next;
    }
    expect(pages).toEqual(all.events);
    expect(all.total).toBe(all.events.length);
  });

  test('a stretch from start to stop, of any length', async () => {
    await desk.call('frame_trace', { action: 'start', chips: ['vic2'], frames: 2 });
    await desk.call('run', { frames: 5 });
    const { events, from, to } = await trace({ registers: ['EXTCOL'] });
    expect(to - from).toBe(2 * 63 * 312);
    expect(events).toHaveLength(4);
    expect(await desk.call('frame_trace', { action: 'start' })).toMatch(/^tracing from cycle/);
    await desk.call('run', { frames: 1 });
    expect(await desk.call('frame_trace', { action: 'stop' })).toMatch(/^traced 19\d{3} cycles/);
    await desk.call('run', { frames: 3 });
    expect((await trace({ registers: ['EXTCOL'] })).events).toHaveLength(2);
  });

  test('unknown names are refused with those that are known', async () => {
    expect(await desk.call('frame_trace', { chips: ['ted'] })).toMatch(/No chip "ted".*\n.*vic2, sid, cia1, cia2/);
    expect(await desk.call('frame_trace', { types: ['x'] })).toMatch(/Use one of: write, read, irq/);
    expect(await desk.call('frame_trace', { registers: ['NONE'] })).toMatch(/No chip has a register "NONE"/);
  });

  test('the machine runs on as if nobody had looked', async () => {
    await desk.call('snapshot_save', { name: 'here' });
    await desk.call('run', { frames: 4 });
    const plain = await desk.bytes('$0000', 0x800);
    const screen = await desk.call('state_read');
    await desk.call('snapshot_restore', { name: 'here' });
    for (let frame = 0; frame < 4; frame++) {
      await desk.call('run', { frames: 1 });
      await trace({ frames: 1, reads: true });
    }
    expect(await desk.bytes('$0000', 0x800)).toBe(plain);
    expect(await desk.call('state_read')).toBe(screen);
  });
});

test('a trace that takes longer than a call goes on in the next one where it was', async () => {
  await desk.close();
  desk = await Desk.withC64({}, here);
  await desk.call('program_run', { source: program });
  const { frameTrace, control } = desk.machine() as unknown as CommodoreMachine;
  if (!frameTrace) throw new Error('no frame trace');
  frameTrace.start({ reads: false });
  await desk.call('run', { frames: 40 });
  frameTrace.stop();
  const query = { cursor: 0, limit: 2000, maxBytes: 10_000_000 };
  const never = new AbortController().signal;
  const whole = await frameTrace.read(query, never);
  // Another stretch takes the place of the one that is at hand.
  await frameTrace.read({ ...query, frames: 1 }, never);
  const { board } = control;
  const { tick } = board;
  let ticks = 0;
  let isEnough = () => {};
  board.tick = () => {
    ticks += 1;
    if (ticks % 300_000 === 0) isEnough();
    tick.call(board);
  };
  let calls = 0;
  let page: typeof whole | undefined;
  while (page === undefined && calls < 12) {
    const call = new AbortController();
    isEnough = () => call.abort();
    calls += 1;
    page = await frameTrace.read(query, call.signal).catch(() => undefined);
  }
  Reflect.deleteProperty(board, 'tick');
  expect(calls).toBeGreaterThan(1);
  expect(page).toEqual(whole);
});

test('keys that were pressed in the past are pressed again', async () => {
  await desk.call('machine_reset', { mode: 'hard' });
  await desk.call('run', { frames: 150 });
  await desk.call('frame_trace', { action: 'start' });
  await desk.call('input_send', { text: 'A' });
  await desk.call('run', { frames: 5 });
  await desk.call('frame_trace', { action: 'stop' });
  const { events } = await trace({ registers: ['$DC01'], types: ['read'], reads: true, limit: 2000 });
  expect(events.some(({ value }) => value === 0xfb)).toBe(true);
});

test('a trace ends where its room does, and says so', async () => {
  await desk.close();
  desk = await Desk.withC64({}, { limits: { traceBytes: 260 } });
  await desk.call('run', { frames: 60 });
  const { total, full_at: fullAt, from } = await trace({ frames: 5 });
  expect(total).toBe(10);
  expect(fullAt).toBeGreaterThan(from);
});

test('what a filter leaves out takes no room', async () => {
  const ofOneRegister = await trace({ frames: 5, registers: ['R6510'] });
  expect(ofOneRegister.total).toBe(6);
  expect(ofOneRegister.full_at).toBeUndefined();
  const interrupts = await trace({ frames: 20, types: ['irq'] });
  const met = interrupts.events.map(({ frame }) => frame);
  expect(met).toHaveLength(10);
  expect(Math.max(...met) - Math.min(...met)).toBeGreaterThan(6);
  const { history } = (await desk.data('frame_trace', { action: 'borders', frames: 5 })) as {
    history: readonly unknown[];
  };
  expect(history).toHaveLength(6);
});
