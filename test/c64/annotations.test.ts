import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { annotationTypes } from '../../src/formats/commodore/symbols/annotation.ts';
import { settings } from '../make-rack.ts';
import { Desk } from './desk.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'fp-notes-'));
beforeEach(async () => {
  desk = await Desk.withC64({ boot: false });
});
afterEach(() => desk.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** The example of the design this syntax comes from, with addresses that can be told. */
const source = [
  '* = $c000',
  '; @mcp-multiplex: Sprite multiplexer, 32 logical sprites using 8 hardware sprites',
  '; @mcp-timing-critical: Must complete within vblank (63 raster lines)',
  'sprite_multiplex:',
  '    lda #$00',
  '    sta $02',
  '    rts',
  '; @mcp-irq-handler: Raster interrupt at line 100 for score display',
  '; @mcp-state: Updates score_dirty flag, safe to modify score_buffer',
  'irq_score_update:',
  '    lda #$01',
  '    jmp $ea31  ; @mcp-irq-exit: Standard Kernal IRQ exit',
].join('\n');

test('of an assembled program: listed, by address or label, by type and by text', async () => {
  expect(await desk.call('program_run', { source, start: false })).toMatch(/5 annotations/);
  expect(await desk.data('annotations_read', { address: '$C000' })).toMatchObject({
    annotations: [
      {
        type: 'multiplex',
        description: 'Sprite multiplexer, 32 logical sprites using 8 hardware sprites',
        address: 0xc000,
        label: 'sprite_multiplex',
        file: 'source.asm',
        line: 2,
      },
      { type: 'timing-critical', description: 'Must complete within vblank (63 raster lines)', line: 3 },
    ],
    total: 2,
    known: 5,
  });
  expect(await desk.call('annotations_read', { address: 'irq_score_update' })).toMatch(
    /^annotations 1-3 of 3 \(5 are known\)\n\$C005 irq_score_update {2}irq-handler: Raster.*\(source.asm:8\)\n.*state: .*\n\$C007 .* irq-exit/,
  );
  expect((await desk.data('annotations_read', { type: '@mcp-irq-exit' })).total).toBe(1);
  expect((await desk.data('annotations_read', { text: 'SCORE_DIRTY' })).total).toBe(1);
  const page = await desk.data('annotations_read', { from: 2, limit: 2 });
  expect(page).toMatchObject({ total: 5, next: 4 });
  expect(await desk.call('annotations_read', { address: 'nowhere_else' })).toMatch(/neither an address nor/);
});

test('go with their program: another in its place, or a fork that has them too', async () => {
  await desk.call('program_run', { source, start: false });
  await desk.call('snapshot_save', { name: 's' });
  await desk.call('snapshot_restore', { name: 's', into: 'other' });
  await desk.call('program_run', { machine: 'c64-1', source: '* = $c000\nnew nop\n rts', start: false });
  expect((await desk.data('annotations_read', { machine: 'c64-1' })).total).toBe(0);
  expect((await desk.data('annotations_read', { machine: 'other' })).total).toBe(5);
});

test('all ten types, at constants and in scopes as well', async () => {
  const all = annotationTypes.map((type, index) => `; @mcp-${type}: number ${index}\nl${index} nop`).join('\n');
  await desk.call('program_run', {
    source: `* = $c000\n; @mcp-memory: the screen\nscreen = $0400\n${all}`,
    start: false,
  });
  const { annotations } = await desk.data('annotations_read');
  expect(annotations).toMatchObject([
    { type: 'memory', address: 0x400, label: 'screen' },
    ...annotationTypes.map((type, index) => ({ type, address: 0xc000 + index, label: `l${index}` })),
  ]);
});

test('of label files, on the line of a label or before it', async () => {
  const vice = 'al C:c000 .start ; @mcp-function: Begins\n; @mcp-data: Five bytes each\nal C:c100 .table\n';
  expect(await desk.call('symbols_load', { path: file('a.vs', vice) })).toMatch(/2 symbols .*\n2 annotations/);
  const acme = '\tmusic\t= $1000\t; @mcp-irq-handler: Calls play\n';
  await desk.call('symbols_load', { path: file('b.lbl', acme) });
  const kick = '.namespace draw {\n .label loop=$c010 // @mcp-optimization: unrolled\n}\n';
  await desk.call('symbols_load', { path: file('c.sym', kick) });
  expect((await desk.data('annotations_read')).annotations).toMatchObject([
    { type: 'irq-handler', address: 0x1000, label: 'music', file: join(folder, 'b.lbl'), line: 1 },
    { type: 'function', address: 0xc000, label: 'start', line: 1 },
    { type: 'optimization', address: 0xc010, label: 'draw.loop', line: 2 },
    { type: 'data', address: 0xc100, label: 'table', line: 2 },
  ]);
  await desk.call('symbols_load', { path: join(folder, 'a.vs'), unload: true });
  expect((await desk.data('annotations_read')).total).toBe(2);
});

test('of a source alone take the addresses of labels that are known', async () => {
  const path = file('game.asm', source.replace('* = $c000', '; made elsewhere'));
  expect(await desk.call('symbols_load', { path })).toMatch(/5 annotations\n5 without an address: load/);
  await desk.call('symbols_load', { path: file('g.vs', 'al 1000 .sprite_multiplex\nal 1005 .irq_score_update\n') });
  expect(await desk.call('symbols_load', { path })).not.toMatch(/without an address/);
  expect((await desk.data('annotations_read', { address: '$1000' })).total).toBe(2);
});

test('unknown types are kept and told of; the limit of --max-annotations holds', async () => {
  const small = await Desk.withC64({ boot: false }, { services: { settings: { ...settings, maxAnnotations: 2 } } });
  const answer = await small.call('program_run', {
    source: `${source}\n; @mcp-irq-hander: misspelt\n nop`,
    start: false,
  });
  expect(answer).toMatch(/6 annotations, 4 left out: --max-annotations is reached\nof unknown type: irq-hander/);
  expect((await small.data('annotations_read')).known).toBe(2);
  await small.close();
});

test('what is no comment, or hostile, is no annotation, and costs nothing', async () => {
  const text = `; ${'@mcp-'.repeat(3000)}\n; @mcp-state: a\u001b[31mb\n ldx #1 ; @mcp-1: no type\n`;
  await desk.call('program_run', { source: text, start: false });
  expect((await desk.data('annotations_read')).annotations).toMatchObject([{ type: 'state', description: 'a [31mb' }]);
});

test('stops and state_read show the line of source and its text', async () => {
  await desk.call('program_run', { source: '* = $c000\n nop\n\nloop  inc  $d020 ; border\n jmp loop' });
  await desk.call('breakpoint_set', { address: 'loop' });
  const stop = await desk.outcome('run', {});
  expect(outcomeText(stop)).toMatch(/^c64-1 BREAKPOINT at \$C001 loop \(source.asm:4: loop inc \$d020 ; border\) /);
  const { stop: told } = await desk.data('run', {});
  expect(told).toMatchObject({
    event: { pc: 0xc001, source: { file: 'source.asm', line: 4, text: 'loop inc $d020 ; border' } },
  });
  expect(await desk.call('state_read', { instructions: 1 })).toMatch(
    /^PC=.*\nsource.asm:4 {2}loop inc \$d020 ; border\n/,
  );
  expect((await desk.data('state_read')).source).toMatchObject({ file: 'source.asm', line: 4 });
});
