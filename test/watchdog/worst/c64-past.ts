import type { Bench } from './bench.ts';

/** The border changes all the time, and each register is read as fast as it goes. */
const busy = 'loop: inc $d020\n lda $d012\n jmp loop';
/** It calls itself for ever, and wraps the stack. */
const deep = 'loop: jsr loop';
/** Calls to 4,000 places within each other. */
const wide = `${Array.from({ length: 4000 }, (_, n) => `r${n}: jsr r${n + 1}`).join('\n')}\nr4000: jmp r0`;
/** DMA of 64 KiB over and over: hardly an instruction in a second. */
const held = `
  lda #0
  sta $df02
  sta $df03
  sta $df04
  sta $df05
  sta $df06
loop:
  lda #0
  sta $df07
  sta $df08
  lda #$92
  sta $df01
  jmp loop`;

const notes = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => `;@mcp-a ${'x'.repeat(length)}${length > 0 ? n : ''}`).join('\n');

const start = (what: string, source: string) => ({
  tool: 'program_run',
  what,
  input: { source: `* = $2000\n${source}`, start: true },
});
const frames = (count: number) => ({ tool: 'run', what: 'the past', input: { frames: count, timeout_ms: 20_000 } });

const routine = (what: string, pieces: number, refused?: RegExp) => ({
  tool: 'routine_call',
  what,
  input: {
    address: '$2000',
    memory: Object.fromEntries(Array.from({ length: pieces }, (_, n) => [`${0x4000 + n}`, 'ea'.repeat(0x4000)])),
    max_cycles: 2_000_000,
  },
  ...(refused && { refused }),
});

/** What is found out by running the past again. */
export const c64Past: Bench = {
  name: 'C64, its past',
  machine: { kind: 'c64', name: 'm', options: { roms: 'own', reu: '16M', drives: 'fast' } },
  files: {
    'notes.asm': () => notes(9000, 40),
    'many.asm': () => notes(60_000, 0),
    'many.json': () =>
      `{"format":"frontpanel-symbols","symbols":[{"name":"a","address":1}],"lines":[],"annotations":[${Array(150_000)
        .fill('{"type":"a","description":"b","file":"c","line":1}')
        .join()}]}`,
  },
  calls: [
    start('a busy loop', busy),
    frames(150),
    { tool: 'frame_trace', what: 'all of it', input: { frames: 100, reads: true, limit: 2000, format: 'json' } },
    { tool: 'frame_trace', what: 'none of it', input: { frames: 100, reads: true, types: ['nmi'] } },
    { tool: 'frame_trace', what: 'borders', input: { action: 'borders', frames: 50, limit: 2000 } },
    { tool: 'frame_trace', what: 'the bus', input: { action: 'bus', frames: 30 } },
    { tool: 'frame_xray', what: 'every access', input: { reads: true, format: 'json' } },
    { tool: 'frame_xray', what: 'a pixel', input: { x: 100, y: 100, frames_back: 30 } },
    { tool: 'history_read', what: 'as much as there may be', input: { count: 1000, format: 'json' } },
    { tool: 'history_read', what: 'who wrote what nobody did', input: { address: '$9000', timeout_ms: 1500 } },
    { tool: 'film_read', what: 'as many pictures as there may be', input: { count: 48 } },
    { tool: 'film_read', what: 'a moment', input: { at: 0 } },
    { tool: 'snapshot_save', what: 'a moment', input: { name: 'then', at: 0 } },
    { tool: 'profile_read', what: 'lines with a picture', input: { frames: 30, by: 'line', image: true } },
    { tool: 'chip_write', what: 'every register', input: { chip: 'vic2', values: { EXTCOL: 2, BGCOL0: 3 } } },
    routine('more memory than there is', 40, /bytes do not fit into memory/),
    routine('what never returns', 4),
    { tool: 'value_find', what: 'a start', input: { restart: true, width: 'dword', space: 'ram' } },
    { tool: 'value_find', what: 'all of it', input: { compare: 'unchanged', limit: 200, from: 60_000 } },
    { tool: 'symbols_load', what: 'annotations', input: { path: 'notes.asm' } },
    { tool: 'symbols_load', what: 'too many annotations', input: { path: 'many.asm' }, refused: /10000 is the limit/ },
    { tool: 'symbols_load', what: 'too many of JSON', input: { path: 'many.json' }, refused: /10000 is the limit/ },
    { tool: 'annotations_read', what: 'none of them', input: { text: 'nothing like this' } },
    { tool: 'annotations_read', what: 'as many as there may be', input: { limit: 500, format: 'json' } },
    start('a routine that calls itself', deep),
    frames(30),
    { tool: 'profile_read', what: 'calls within calls', input: { frames: 25, by: 'routine' } },
    start('4,000 routines', wide),
    frames(30),
    { tool: 'profile_read', what: 'as a tree', input: { frames: 25, by: 'tree', limit: 500, format: 'json' } },
    { tool: 'profile_read', what: 'by routine', input: { frames: 25, by: 'routine', limit: 500 } },
    { tool: 'graph_read', what: 'all of it', input: { limit: 200, format: 'json' } },
    { tool: 'functions_list', what: 'all of them', input: { limit: 200, format: 'json' } },
    start('a processor that is held', held),
    frames(100),
    { tool: 'history_read', what: 'few instructions in a long time', input: { count: 1000 } },
    { tool: 'step', what: 'back', input: { count: 1000, back: true, timeout_ms: 1500 } },
  ],
};
