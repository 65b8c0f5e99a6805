import { type OriginalRoms as Originals, originalRoms } from '../scripts/commodore/original-roms.ts';
import type { C64Board } from '../src/machines/commodore/c64/c64-board.ts';
import { eightSprites } from '../src/machines/commodore/c64/eight-sprites-testing.ts';
import { latencyTable } from './c64-latency.ts';
import { observationTables } from './c64-observation.ts';
import { hasVice, type ViceTask, viceRate } from './c64-vice.ts';
import { atLeast, type Bench, type Row, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

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

const { CommodoreDisk }: typeof import('../src/formats/commodore/media/commodore-disk.ts') = await built(
  'formats/commodore/media/commodore-disk.js',
);

const rounds = 5;
/** Until then the JavaScript engine compiles code anew in the background, which counts as processor time. */
const roundsToWarmUp = 6;
const cyclesPerRound = 5_000_000;

/** A C64 against the reference emulator, in cycles per second of processor time. */
export const c64Bench: Bench = {
  summary: 'The built-in C64, in emulated cycles per second of processor time (real time is 0.985 million).',
  async run(progress) {
    const folder = process.env.FRONTPANEL_ROMS ?? '';
    const withVice = folder !== '' && hasVice(folder);
    progress(withVice ? 'x64sc is the reference' : 'no x64sc with ROMs here (FRONTPANEL_ROMS): no reference');
    const originals = await originalRoms(folder);
    const driven = 'problem' in originals || !originals.driveRoms['1541'] ? undefined : originals;
    if (!driven) progress('no ROM of a 1541 (FRONTPANEL_ROMS): no rows for drives');
    const boards = {
      prompt: booted(),
      seen: booted(),
      heard: heard(booted()),
      playing: heard(running(playingSource)),
      sprites: running(eightSprites()),
      busy: running(busySource),
      ...(driven && { idle: booted(driven), active: running(loadingSource, withDisk(booted(driven))) }),
    };
    const vice = (task: ViceTask) => async () => (withVice ? viceRate(folder, task) : Number.NaN);
    const ours = {
      prompt: async () => rateOf(boards.prompt),
      sprites: async () => rateOf(boards.sprites),
      busy: async () => rateOf(boards.busy),
      idle: async () => (boards.idle ? rateOf(boards.idle) : Number.NaN),
      active: async () => (boards.active ? rateOf(boards.active) : Number.NaN),
      seen: async () =>
        rateOf(boards.seen, (cycles) => eachFrame(boards.seen, cycles, () => boards.seen.visibleFrame())),
      heard: async () =>
        rateOf(boards.heard, (cycles) => eachFrame(boards.heard, cycles, () => boards.heard.catchUp())),
      playing: async () =>
        rateOf(boards.playing, (cycles) => eachFrame(boards.playing, cycles, () => boards.playing.catchUp())),
    };
    progress('warming up');
    await interleaved(roundsToWarmUp, ours);
    const samples = await interleaved(rounds, {
      ...ours,
      vicePrompt: vice({ withoutDrive: true }),
      viceSprites: vice({ withoutDrive: true, program: assemble(eightSprites()) }),
      viceBusy: vice({ withoutDrive: true, program: assemble(busySource) }),
      viceIdle: driven ? vice({}) : async () => Number.NaN,
      viceActive: driven ? vice({ program: assemble(loadingSource), disk: diskToLoad() }) : async () => Number.NaN,
    });
    const rows = [
      speedRow('BASIC prompt', samples.prompt, samples.vicePrompt, 3),
      speedRow('raster bars and eight sprites', samples.sprites, samples.viceSprites, 2.5),
      speedRow('arithmetic, no interrupts', samples.busy, samples.viceBusy, 3),
    ];
    if (driven) {
      rows.push(speedRow('BASIC prompt, a 1541 that waits', samples.idle, samples.viceIdle, 2.5));
      rows.push(speedRow('LOAD from a 1541, again and again', samples.active, samples.viceActive, 1.5));
    }
    rows.push(costRow('BASIC prompt, a picture taken of every frame', samples.seen, samples.prompt));
    rows.push(costRow('BASIC prompt, sound computed at 44.1 kHz', samples.heard, samples.prompt));
    rows.push(costRow('three voices and the filter, sound computed', samples.playing, samples.prompt));
    progress('breakpoints that never stop');
    const observation = await observationTables();
    progress('reads while two machines warp');
    const speed = { title: 'Speed', rows, notes: speedNotes(withVice) };
    return [speed, ...observation, stateTable(boards.sprites), await latencyTable()];
  },
};

function speedRow(what: string, ours: readonly number[], vice: readonly number[], times: number): Row {
  const row = { what, measured: mega(median(ours)), best: mega(Math.max(...ours)) };
  const reached = ratio(ours, vice);
  if (Number.isNaN(reached)) return row;
  const target = atLeast(reached, times, `${times} x x64sc`);
  return { ...row, ratio: reached.toFixed(2), reference: mega(median(vice)), target };
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
    'Each machine has run for 30 million cycles before, until nothing is compiled any more; the first 5 million run at a third of the speed.',
    'x64sc runs the same program, with its drive switched off where ours is. The rows with a 1541 use the original ROMs on both sides.',
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

/** Loads a file of forty blocks for ever. */
const loadingSource = `
* = $c000
again   lda #1
        ldx #8
        ldy #0
        jsr $ffba
        lda #4
        ldx #<name
        ldy #>name
        jsr $ffbd
        lda #0
        ldx #$00
        ldy #$40
        jsr $ffd5
        jmp again
name    .byte $46, $49, $4c, $45
`;

function diskToLoad(): Uint8Array {
  const disk = CommodoreDisk.create('d64', 'BENCH', 'FP');
  disk.write(
    'FILE',
    Uint8Array.from({ length: 40 * 254 }, (_, at) => at * 7),
  );
  return disk.image.bytes;
}

/** With the ROMs given, a 1541 is connected. */
function booted(originals?: Originals): C64Board {
  const board: C64Board = new c64.C64Board(originals ?? { roms: c64Roms });
  if (originals) board.drives.connect(8);
  board.runCycles(3_000_000);
  return board;
}

function withDisk(board: C64Board): C64Board {
  board.drives.attach(8, diskToLoad());
  board.runCycles(1_000_000);
  return board;
}

function running(source: string, board = booted()): C64Board {
  const { origin, bytes } = assemble(source);
  applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
  applyInput(board, { type: 'register', name: 'PC', value: origin });
  board.runCycles(1_000_000);
  return board;
}

/** Cycles per second of processor time. */
function rateOf(board: C64Board, run = (cycles: number) => board.runCycles(cycles)): number {
  const before = process.cpuUsage();
  run(cyclesPerRound);
  // With all that was put off.
  board.catchUp();
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
  const output = new sound.SidOutput(board.sid, boardWords(board, 'sid'), analogue, board.chips.sid, board.clockHz);
  board.listen({
    catchUp(cycles) {
      output.catchUp(cycles);
      output.take();
    },
  });
  return board;
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
