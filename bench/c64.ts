import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { C64Board } from '../src/machines/commodore/c64/c64-board.ts';
import { eightSprites } from '../src/machines/commodore/c64/eight-sprites-testing.ts';
import { latencyTable } from './c64-latency.ts';
import { observationTable } from './c64-observation.ts';
import { atLeast, type Bench, type Row, type Table } from './harness/bench.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

// The built program, as users run it: what tsx makes of the sources is several times slower.
const built = (path: string) => import(new URL(`../.cache/modules/${path}`, import.meta.url).href);
const { assemble }: typeof import('../src/formats/commodore/assembler/assemble.ts') = await built(
  'formats/commodore/assembler/assemble.js',
);
const c64 = await built('machines/commodore/c64/c64-board.js');
const { CommodoreTimeline }: typeof import('../src/machines/commodore/machine/commodore-timeline.ts') = await built(
  'machines/commodore/machine/commodore-timeline.js',
);
const { applyInput }: typeof import('../src/machines/commodore/machine/input-event.ts') = await built(
  'machines/commodore/machine/input-event.js',
);
const { boardWords }: typeof import('../src/machines/commodore/c64/machine/board-words.ts') = await built(
  'machines/commodore/c64/machine/board-words.js',
);
const sound: typeof import('../src/chips/sid/sid-output.ts') = await built('chips/sid/sid-output.js');
const { c64Roms }: typeof import('../src/machines/commodore/roms/c64-roms.generated.ts') = await built(
  'machines/commodore/roms/c64-roms.generated.js',
);

const rounds = 5;
const cyclesPerRound = 5_000_000;
/** The difference of two runs leaves out what starting costs. */
const viceCycles = { short: 2_000_000, long: 12_000_000 };

/** A C64 against the reference emulator, in cycles per second of processor time. */
export const c64Bench: Bench = {
  summary: 'The built-in C64, in emulated cycles per second of processor time (real time is 0.985 million).',
  async run(progress) {
    const roms = process.env.FRONTPANEL_ROMS;
    const withVice = roms !== undefined && viceSeconds(roms, viceCycles.short) !== undefined;
    progress(withVice ? 'x64sc is the reference' : 'no x64sc with ROMs here (FRONTPANEL_ROMS): no reference');
    const boards = {
      prompt: booted(),
      seen: booted(),
      heard: heard(booted()),
      playing: heard(running(playingSource)),
      sprites: running(eightSprites()),
      busy: running(busySource),
    };
    const samples = await interleaved(rounds, {
      prompt: async () => rateOf(boards.prompt),
      sprites: async () => rateOf(boards.sprites),
      busy: async () => rateOf(boards.busy),
      seen: async () =>
        rateOf(boards.seen, (cycles) => eachFrame(boards.seen, cycles, () => boards.seen.visibleFrame())),
      heard: async () =>
        rateOf(boards.heard, (cycles) => eachFrame(boards.heard, cycles, () => boards.heard.catchUp())),
      playing: async () =>
        rateOf(boards.playing, (cycles) => eachFrame(boards.playing, cycles, () => boards.playing.catchUp())),
      vice: async () => (withVice ? viceRate(roms) : Number.NaN),
    });
    const rows = (['prompt', 'sprites', 'busy'] as const).map((name) => speedRow(name, samples[name], samples.vice));
    rows.push(costRow('BASIC prompt, a picture taken of every frame', samples.seen, samples.prompt));
    rows.push(costRow('BASIC prompt, sound computed at 44.1 kHz', samples.heard, samples.prompt));
    rows.push(costRow('three voices and the filter, sound computed', samples.playing, samples.prompt));
    progress('breakpoints that never stop');
    const observation = await observationTable();
    progress('reads while two machines warp');
    const speed = { title: 'Speed', rows, notes: speedNotes(withVice) };
    return [speed, observation, stateTable(boards.sprites), await latencyTable()];
  },
};

const what = { prompt: 'BASIC prompt', sprites: 'raster bars and eight sprites', busy: 'arithmetic, no interrupts' };

function speedRow(name: keyof typeof what, ours: readonly number[], vice: readonly number[]): Row {
  const times = ratio(ours, vice);
  const row = { what: what[name], measured: mega(median(ours)), best: mega(Math.max(...ours)) };
  if (Number.isNaN(times)) return row;
  const target = name === 'sprites' ? atLeast(times, 1, 'not below x64sc') : atLeast(times, 3, '3 x x64sc');
  return { ...row, ratio: times.toFixed(2), reference: mega(median(vice)), target };
}

function costRow(name: string, rates: readonly number[], prompt: readonly number[]): Row {
  return {
    what: name,
    ratio: ratio(rates, prompt).toFixed(2),
    measured: mega(median(rates)),
    best: mega(Math.max(...rates)),
    reference: 'the prompt alone',
  };
}

function speedNotes(withVice: boolean): string[] {
  const notes = [
    'The frame is always drawn, since collisions and snapshots need it; the arithmetic runs with the screen switched off. ' +
      'Samples of the sound are computed only when somebody listens, its registers always.',
  ];
  if (!withVice)
    notes.push('x64sc was not installed, or FRONTPANEL_ROMS did not name a folder with its ROMs: no ratio.');
  return notes;
}

/** What it costs to be able to go back. */
function stateTable(board: C64Board): Table {
  const buffer = board.snapshot();
  const save = microseconds(() => board.snapshot(buffer));
  const restore = microseconds(() => board.restore(buffer));
  const { history } = new CommodoreTimeline(board);
  const frame = () => {
    const { frameCount } = board;
    while (board.frameCount === frameCount) board.runCycles(64);
  };
  const plain = microseconds(frame, 100);
  const kept = microseconds(() => {
    frame();
    history.keep();
  }, 100);
  return {
    title: 'State',
    rows: [
      { what: `snapshot (${buffer.length} bytes)`, measured: `${save.toFixed(1)} µs` },
      { what: 'restore', measured: `${restore.toFixed(1)} µs` },
      { what: 'a frame', measured: `${plain.toFixed(0)} µs` },
      {
        what: 'a frame with its keyframe',
        measured: `${kept.toFixed(0)} µs`,
        ratio: (kept / plain).toFixed(2),
        reference: 'a frame without',
      },
    ],
    notes: [],
  };
}

const busySource = `
* = $c000
        sei
        lda #$0b
        sta $d011
loop    ldx #0
inner   lda table,x
        clc
        adc sum
        sta sum
        eor #$5a
        sta table,x
        inx
        bne inner
        jmp loop
sum     .byte 0
        .align 256
table   .fill 256, 7
`;

/** Pulse, sawtooth and triangle held at their sustain levels, the first two through the low-pass. */
const playingSource = `
* = $c000
        ldx #24
set     lda values,x
        sta $d400,x
        dex
        bpl set
        jmp *
values  .byte $25,$11,$00,$08,$41,$09,$f0
        .byte $80,$16,$00,$00,$21,$09,$f0
        .byte $12,$09,$00,$00,$11,$0a,$f8
        .byte $00,$60,$f3,$1f
`;

function booted(): C64Board {
  const board: C64Board = new c64.C64Board({ roms: c64Roms });
  board.runCycles(3_000_000);
  return board;
}

function running(source: string): C64Board {
  const { origin, bytes } = assemble(source);
  const board = booted();
  applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
  applyInput(board, { type: 'register', name: 'PC', value: origin });
  board.runCycles(1_000_000);
  return board;
}

/** Cycles per second of processor time. */
function rateOf(board: C64Board, run = (cycles: number) => board.runCycles(cycles)): number {
  const before = process.cpuUsage();
  run(cyclesPerRound);
  const { user, system } = process.cpuUsage(before);
  return cyclesPerRound / ((user + system) / 1e6);
}

function eachFrame(board: C64Board, cycles: number, action: () => void): void {
  const end = board.cycles + cycles;
  while (board.cycles < end) {
    board.runUntilFrame();
    action();
  }
}

/** Somebody listens to it, and throws away what was heard. */
function heard(board: C64Board): C64Board {
  const analogue = new Float64Array(sound.outputDoubles);
  const output = new sound.SidOutput(board.sid, boardWords(board, 'sid'), analogue, board.sidModel, board.clockHz);
  board.listen({
    catchUp(cycles) {
      output.catchUp(cycles);
      output.take();
    },
  });
  return board;
}

function viceRate(roms: string): number {
  const short = viceSeconds(roms, viceCycles.short) ?? Number.NaN;
  const long = viceSeconds(roms, viceCycles.long) ?? Number.NaN;
  return (viceCycles.long - viceCycles.short) / (long - short);
}

/** Processor time of x64sc for so many cycles; undefined when it cannot be run. */
function viceSeconds(roms: string, cycles: number): number | undefined {
  const folders = roms
    .split(',')
    .flatMap((folder) => ['', 'C64', 'DRIVES', 'common', '../DRIVES'].map((name) => join(folder, name)));
  const args = [
    '-default',
    '-console',
    '-directory',
    folders.join(':'),
    '-warp',
    '+sound',
    '-limitcycles',
    String(cycles),
  ];
  const script = `${['x64sc', ...args].map((word) => `'${word}'`).join(' ')} >/dev/null 2>&1; times`;
  const done = spawnSync('sh', ['-c', script], { encoding: 'utf8', timeout: 120_000 });
  const children = done.stdout.trim().split('\n')[1];
  const [user = Number.NaN, system = Number.NaN] = (children ?? '').split(' ').map(secondsOf);
  return user + system > 0.2 ? user + system : undefined;
}

/** `0m1.23s` */
function secondsOf(text: string): number {
  const [, minutes = '', seconds = ''] = /(\d+)m([\d.]+)s/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

function microseconds(action: () => void, times = 2000): number {
  for (let count = 0; count < times / 4; count++) action();
  const began = performance.now();
  for (let count = 0; count < times; count++) action();
  return ((performance.now() - began) * 1000) / times;
}

function mega(rate: number): string {
  return `${(rate / 1e6).toFixed(1)} M`;
}
