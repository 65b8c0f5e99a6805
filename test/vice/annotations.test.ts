import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { ViceDesk, ways } from './desk.ts';

/** The design's example: a multiplexer, and a handler with an unmarked label in it. */
const source = [
  '* = $c000',
  '; @mcp-multiplex: Sprite multiplexer, 32 logical sprites using 8 hardware sprites',
  '; @mcp-timing-critical: Must complete within vblank (63 raster lines)',
  'sprite_multiplex:',
  '    sta $d000',
  '    jmp irq_score_update',
  '; @mcp-irq-handler: Raster interrupt at line 100 for score display',
  'irq_score_update:',
  '    sta $d021',
  '    inc $d020  ; @mcp-irq-exit: Standard Kernal IRQ exit',
  'unmarked:',
  '    sta $d001',
  '    jmp sprite_multiplex',
].join('\n');

const { origin, bytes } = assemble(source);
const program = Uint8Array.of(origin & 255, origin >> 8, ...bytes);
const labels = 'al C:c000 .sprite_multiplex\nal C:c006 .irq_score_update\nal C:c00c .unmarked\n';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  let folder: string;
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
    folder = join(desk.sandbox.dir, 'game');
    await mkdir(folder);
    await writeFile(join(folder, 'sprites.prg'), program);
    await writeFile(join(folder, 'sprites.lbl'), labels);
    await writeFile(join(folder, 'sprites.asm'), source);
    await writeFile(join(folder, 'sprites.sym'), 'this is no list of symbols');
    const started = await desk.call('vice.files.autostart', { path: join(folder, 'sprites.prg') });
    expect(started).toMatchObject({
      started: true,
      symbol_files: [join(folder, 'sprites.lbl'), join(folder, 'sprites.asm')],
      notes: expect.arrayContaining([expect.stringMatching(/^sprites.sym: No symbols were found/)]),
    });
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test('vice.annotations.get: in the shape of the design, by address or label', async () => {
    const expected = {
      address: '$C000',
      label: 'sprite_multiplex',
      annotations: [
        { type: 'multiplex', description: 'Sprite multiplexer, 32 logical sprites using 8 hardware sprites' },
        { type: 'timing-critical', description: 'Must complete within vblank (63 raster lines)' },
      ],
      source_file: 'sprites.asm',
      line_number: 2,
    };
    for (const place of [{ address: '$C000' }, { address: 0xc000 }, { label: 'sprite_multiplex' }]) {
      const { execution_state, pc, ...rest } = await desk.call('vice.annotations.get', place);
      expect(rest).toEqual(expected);
    }
    expect(await desk.call('vice.annotations.get', { label: 'irq_score_update' })).toMatchObject({
      address: '$C006',
      annotations: [{ type: 'irq-handler' }, { type: 'irq-exit' }],
    });
    expect(await desk.call('vice.annotations.get', { address: '$1234' })).toMatchObject({
      address: '$1234',
      label: null,
      annotations: [],
      source_file: null,
    });
    expect((await desk.refusal('vice.annotations.get', { label: 'nowhere' })).code).toBe(-32602);
    expect((await desk.refusal('vice.annotations.get')).code).toBe(-32602);
    expect((await desk.refusal('vice.annotations.get', { address: 1, label: 'unmarked' })).code).toBe(-32602);
  });

  test('vice.annotations.list: all of them, of one type, page by page', async () => {
    const all = await desk.call('vice.annotations.list');
    expect(all).toMatchObject({ total: 4, next_cursor: null });
    expect(all.annotations[3]).toEqual({
      address: '$C006',
      label: 'irq_score_update',
      type: 'irq-exit',
      description: 'Standard Kernal IRQ exit',
      source_file: 'sprites.asm',
      line_number: 10,
    });
    const page = await desk.call('vice.annotations.list', { cursor: 1, limit: 2 });
    expect(page).toMatchObject({ annotations: all.annotations.slice(1, 3), next_cursor: 3 });
    expect((await desk.call('vice.annotations.list', { type: '@mcp-irq-exit' })).total).toBe(1);
  });

  test('vice.annotations.search: by type and by text', async () => {
    const found = await desk.call('vice.annotations.search', { text: 'SCORE DISPLAY' });
    expect(found.annotations).toMatchObject([{ type: 'irq-handler', address: '$C006' }]);
    expect((await desk.call('vice.annotations.search', { type: 'multiplex', text: 'kernal' })).total).toBe(0);
  });

  test('vice.trace.frame.get: each write with the annotation or the nearer symbol', async () => {
    await desk.call('vice.trace.frame.start', { frames: 1 });
    await desk.call('vice.execution.run');
    const { events } = await expectEvents(desk);
    const of = (register: string) => events.find((each) => each.register === register)?.annotation;
    expect([of('$D000'), of('$D021'), of('$D020'), of('$D001')]).toEqual([
      'sprite_multiplex',
      'irq_score_update',
      'irq_score_update',
      'unmarked',
    ]);
  });

  test('vice.files.autostart: a source is assembled, and its annotations are known', async () => {
    const path = join(folder, 'own.asm');
    await writeFile(path, '* = $c100\n; @mcp-function: Waits\nstart sei\n jmp start ; @mcp-state: Forever');
    expect(await desk.call('vice.files.autostart', { path })).toMatchObject({ started: true, load_address: '$C100' });
    expect(await desk.call('vice.annotations.get', { label: 'start' })).toMatchObject({
      address: '$C100',
      annotations: [
        { type: 'function', description: 'Waits' },
        { type: 'state', address: '$C101' },
      ],
      source_file: 'own.asm',
    });
  });

  test('vice.files.autostart: a report beside the program makes its lines addresses', async () => {
    const report = [
      '',
      '; ******** Source: lines.a',
      '     1                          * = $c000',
      '     2  c000 ee20d0             loop inc $d020',
      '     3  c003 4c00c0              jmp loop',
    ];
    await writeFile(join(folder, 'lines.rep'), report.join('\n'));
    await writeFile(join(folder, 'lines.prg'), Uint8Array.of(0, 0xc0, 0xee, 0x20, 0xd0, 0x4c, 0, 0xc0));
    const started = await desk.call('vice.files.autostart', { path: join(folder, 'lines.prg') });
    expect(started.symbol_files).toEqual([join(folder, 'lines.rep')]);
    const set = await desk.call('vice.breakpoints.set', { address: 'lines.a:3' });
    expect(set).toMatchObject({ address: '$C003', source: 'lines.a:3' });
    expect(set).not.toHaveProperty('note');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ pc: '$C003', symbol: 'loop+3', source: 'lines.a:3' });
    expect(await desk.call('vice.execution.step')).toMatchObject({ symbol: 'loop', source: 'lines.a:2' });
    const early = await desk.call('vice.breakpoints.set', { address: '/games/lines.a:1' });
    expect(early).toMatchObject({
      address: '$C000',
      note: 'line 1 has no code of its own, so it is at lines.a:2',
    });
    await desk.call('vice.breakpoints.delete', { breakpoint_id: early.breakpoint_id });
    const { message } = await desk.refusal('vice.breakpoints.set', { address: 'liens.a:2' });
    expect(message).toBe('No lines of liens.a are known.');
    await desk.call('vice.breakpoints.delete', { breakpoint_id: set.breakpoint_id });
  });
});

async function expectEvents(desk: ViceDesk): Promise<{ events: { register?: string; annotation: string }[] }> {
  await expect
    .poll(async () => (await desk.call('vice.trace.frame.get', { limit: 10 })).events.length, { timeout: 60_000 })
    .toBe(10);
  return desk.call('vice.trace.frame.stop');
}
