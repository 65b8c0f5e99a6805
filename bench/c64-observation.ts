import type { BreakpointSpec } from '../src/machine/breakpoints.ts';
import type { Host } from '../src/machine/host.ts';
import type { C64Machine } from '../src/machines/commodore/c64/machine/c64-machine.ts';
import { pastTable } from './c64-past.ts';
import { atLeast, type Row, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

const { assemble }: typeof import('../src/formats/commodore/assembler/assemble.ts') = await built(
  'formats/commodore/assembler/assemble.js',
);
const { C64Board }: typeof import('../src/machines/commodore/c64/c64-board.ts') = await built(
  'machines/commodore/c64/c64-board.js',
);
const machines: typeof import('../src/machines/commodore/c64/machine/c64-machine.ts') = await built(
  'machines/commodore/c64/machine/c64-machine.js',
);
const { c64Roms }: typeof import('../src/machines/commodore/roms/c64-roms.generated.ts') = await built(
  'machines/commodore/roms/c64-roms.generated.js',
);

const rounds = 5;
/** See `c64.ts`. */
const roundsToWarmUp = 4;
const frames = 60;
const never = new AbortController().signal;

/** A program as games are: tables, a subroutine, the zero page, a register of the VIC-II, the KERNAL's interrupt. */
const source = `
* = $c000
loop    ldx #0
inner   lda $0400,x
        clc
        adc #1
        sta $0400,x
        inc $02
        jsr work
        inx
        bne inner
        inc $d020
        jmp loop
work    pha
        lda $fb
        adc #3
        sta $fb
        pla
        rts
`;

/** Registers of the VIC-II from $D000 on: all sprites on, side by side. */
const spritePlaces = Uint8Array.from({ length: 0x16 }, (_, register) => {
  if (register < 0x10) return register % 2 === 0 ? 30 + 13 * register : 140;
  return { 16: 0, 17: 0x1b, 21: 0xff }[register] ?? 0;
});

interface Case {
  readonly what: string;
  readonly watch?: Partial<BreakpointSpec> & { readonly type: string };
  /** With eight sprites in the picture. */
  readonly withSprites?: boolean;
  readonly condition?: string;
  readonly logsInterrupts?: boolean;
  readonly traces?: boolean;
  /** What is left of the speed, at least. */
  readonly target?: number;
}

const cases: Readonly<Record<string, Case>> = {
  none: { what: 'nothing is watched' },
  elsewhere: { what: 'a breakpoint in code that does not run', watch: { type: 'exec', address: 0x9000n }, target: 0.8 },
  loop: {
    what: 'a breakpoint in its inner loop, condition false',
    watch: { type: 'exec', address: 0xc002n },
    target: 0.8,
  },
  register: { what: 'writes to $D020, condition false', watch: { type: 'write', address: 0xd020n }, target: 0.8 },
  table: {
    what: 'writes to its table, condition false',
    watch: { type: 'write', address: 0x400n, length: 256 },
    target: 0.8,
  },
  low: {
    what: 'writes to the zero page in its inner loop, condition false',
    watch: { type: 'write', address: 0x02n },
    target: 0.8,
  },
  raster: { what: 'a raster line, condition false', watch: { type: 'raster', address: 100n }, target: 0.8 },
  lines: {
    what: 'each line of the raster, condition false',
    watch: { type: 'raster', address: 0n, length: 312, each: true },
    target: 0.8,
  },
  chip: {
    what: 'a register of the VIC-II, condition false',
    watch: { type: 'chip_write', chip: 'vic2', address: 0x20n },
    target: 0.8,
  },
  irq: { what: 'interrupts, condition false', watch: { type: 'irq' }, target: 0.8 },
  collision: { what: 'collisions, no sprites', watch: { type: 'sprite_sprite' }, target: 0.8 },
  event: {
    what: 'a composite of a write, a range of lines and an expression that is false',
    watch: {
      type: 'composite',
      condition: undefined,
      tree: {
        operator: 'and',
        of: [
          { type: 'write', address: 0x400n, length: 256 },
          { type: 'raster', address: 100n, length: 100 },
          { condition: 'A == $1ff' },
        ],
      },
    },
    target: 0.8,
  },
  gated: {
    what: 'a composite of a line and an expression that is false',
    watch: {
      type: 'composite',
      condition: undefined,
      tree: { operator: 'and', of: [{ type: 'raster', address: 100n, length: 1 }, { condition: 'A == $1ff' }] },
    },
    target: 0.8,
  },
  sprites: { what: 'eight sprites, nothing is watched', withSprites: true },
  collisions: {
    what: 'eight sprites, collisions that do not come',
    watch: { type: 'sprite_sprite', condition: undefined },
    withSprites: true,
    target: 0.8,
  },
  interrupts: { what: 'every interrupt is logged', logsInterrupts: true, target: 0.8 },
  trace: { what: 'a frame trace is going on', traces: true, target: 0.8 },
  beam: { what: 'a condition of the raster line', condition: 'raster_line == 999', target: 0.8 },
  each: { what: 'a condition of a register, before every instruction', condition: 'A == $1ff', target: 0.8 },
  byte: { what: 'a condition of a byte in memory', condition: '[$0340] * 2 == 511', target: 0.8 },
  tree: {
    what: 'a composite of two expressions that are false',
    watch: {
      type: 'composite',
      condition: undefined,
      tree: { operator: 'or', of: [{ condition: 'A == $1ff' }, { condition: 'sprite_x[0] == 400' }] },
    },
    target: 0.8,
  },
  cycle: { what: 'a condition of the cycle in the line', condition: 'raster_cycle == 99', target: 0.8 },
};

/** What looking on costs. */
export async function observationTables(): Promise<readonly Table[]> {
  const entries = await Promise.all(
    Object.entries(cases).map(async ([name, each]) => [name, { each, machine: await started(each) }] as const),
  );
  const subjects = Object.fromEntries(
    entries.map(([name, { each, machine }]) => [name, () => rateOf(machine, each.condition)]),
  );
  await interleaved(roundsToWarmUp, subjects);
  const samples = await interleaved(rounds, subjects);
  const rows = entries.map(([name, { each }]): Row => {
    const rates = samples[name] ?? [];
    const reference = each.withSprites ? 'sprites' : 'none';
    const left = ratio(rates, samples[reference] ?? []);
    const row = { what: each.what, ratio: left.toFixed(2), measured: `${(median(rates) / 1e6).toFixed(1)} M` };
    const target = each.target === undefined ? {} : { target: atLeast(left, each.target, 'costs at most 20 %') };
    return { ...row, reference: 'nothing watched', ...target };
  });
  const looking = { title: 'Looking on', rows, notes: ['Conditions never hold: they are asked and nothing stops.'] };
  return [looking, await pastTable(await started({ what: '', withSprites: true }))];
}

async function started({ watch, logsInterrupts, traces, withSprites }: Case): Promise<C64Machine> {
  const host = { report: () => {}, settings: {} } as unknown as Host;
  const machine = new machines.C64Machine(new C64Board({ roms: c64Roms }), host, []);
  await machine.control.run({ frames: 150, wallMs: 60_000 }, never);
  const { origin, bytes } = assemble(source);
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  if (withSprites) machine.control.input({ type: 'poke', bank: 'io', address: 0xd000, bytes: spritePlaces });
  const condition = 'A == $1ff';
  if (watch) {
    await machine.breakpoints.set({ address: 0n, length: 1, condition, logOnly: false, temporary: false, ...watch });
  }
  if (traces) machine.frameTrace?.start({ reads: false });
  if (logsInterrupts) machine.control.interrupts.switch(true);
  await machine.control.run({ frames, wallMs: 60_000 }, never);
  return machine;
}

/** Cycles per second of processor time. */
async function rateOf({ control }: C64Machine, condition: string | undefined): Promise<number> {
  const [cycles, before] = [control.board.cycles, process.cpuUsage()];
  await control.run({ frames, condition, wallMs: 60_000 }, never);
  const { user, system } = process.cpuUsage(before);
  return (control.board.cycles - cycles) / ((user + system) / 1e6);
}
