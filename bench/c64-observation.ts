import type { Host } from '../src/machine/host.ts';
import type { C64Machine } from '../src/machines/commodore/c64/machine/c64-machine.ts';
import { atLeast, type Row, type Table } from './harness/bench.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

const built = (path: string) => import(new URL(`../.cache/modules/${path}`, import.meta.url).href);
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

interface Case {
  readonly what: string;
  readonly watch?: { readonly type: string; readonly address: bigint; readonly length?: number };
  readonly condition?: string;
  readonly logsInterrupts?: boolean;
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
  low: { what: 'writes to the zero page in its inner loop, condition false', watch: { type: 'write', address: 0x02n } },
  interrupts: { what: 'every interrupt is logged', logsInterrupts: true, target: 0.8 },
  each: { what: 'a condition is asked before every instruction', condition: 'raster_line == 999' },
};

/** What looking on costs. */
export async function observationTable(): Promise<Table> {
  const entries = await Promise.all(
    Object.entries(cases).map(async ([name, each]) => [name, { each, machine: await started(each) }] as const),
  );
  const samples = await interleaved(
    rounds,
    Object.fromEntries(entries.map(([name, { each, machine }]) => [name, () => rateOf(machine, each.condition)])),
  );
  const rows = entries.map(([name, { each }]): Row => {
    const rates = samples[name] ?? [];
    const left = ratio(rates, samples.none ?? []);
    const row = { what: each.what, ratio: left.toFixed(2), measured: `${(median(rates) / 1e6).toFixed(1)} M` };
    const target = each.target === undefined ? {} : { target: atLeast(left, each.target, 'costs at most 20 %') };
    return { ...row, reference: 'nothing watched', ...target };
  });
  return { title: 'Looking on', rows, notes: ['Conditions never hold: they are asked and nothing stops.'] };
}

async function started({ watch, logsInterrupts }: Case): Promise<C64Machine> {
  const host = { report: () => {} } as Partial<Host> as Host;
  const machine = new machines.C64Machine(new C64Board({ roms: c64Roms }), host, []);
  await machine.control.run({ frames: 150, wallMs: 60_000 }, never);
  const { origin, bytes } = assemble(source);
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  const condition = 'A == $1ff';
  if (watch) await machine.breakpoints.set({ length: 1, condition, logOnly: false, temporary: false, ...watch });
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
