import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { X86 } from '../src/chips/x86/x86.ts';
import { atLeast, type Row, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

const x86: typeof import('../src/chips/x86/x86.ts') = await built('chips/x86/x86.js');
const { X86Memory }: typeof import('../src/chips/x86/memory.ts') = await built('chips/x86/memory.js');
const { stateWords }: typeof import('../src/chips/x86/registers.ts') = await built('chips/x86/registers.js');

const rounds = 5;
const instructionsPerRound = 10_000_000;
/** A machine stops at its next event; this far apart they are when the timer runs fast. */
const instructionsPerSlice = 4000;

/**
 * Mixed code at 1000:0100: a loop with arithmetic, memory, branches both ways, and a call with a stack frame.
 * xor ax,ax; mov bx,2000; mov cx,200; L: mov dx,cx; add ax,dx; mov [bx],ax; add bx,2; test al,1; jz +2; xor ax,dx;
 * push ax; call F; pop ax; cmp bx,2400; jb +3; mov bx,2000; loop L; inc word [3000]; jmp start;
 * F: push bp; mov bp,sp; mov si,[bp+4]; and si,ff; mov al,[si+2000]; shl al,1; adc ah,0; cmp al,ah; jbe +2; sub al,3;
 * mov [si+2800],al; pop bp; ret
 */
const mixed =
  '31c0bb0020b9c80089ca01d0890783c302a801740231d050e813005881fb00247203bb0020e2e1ff060030e9d2ff' +
  '5589e58b760481e6ff008a840020d0e080d40038e076022c03888400285dc3';

/** The processor of the DOS PC, in instructions per second of processor time, graph and functions recorded. */
export async function dosCpuTable(): Promise<Table> {
  const interpreted = processor(Number.POSITIVE_INFINITY);
  const compiled = processor(500);
  const watched = processor(500);
  watched.memory.setWatches([{ first: 0x50000, last: 0x50fff, kind: 'write' }]);
  const samples = await interleaved(rounds, {
    interpreted: async () => rateOf(interpreted, instructionsPerRound),
    compiled: async () => rateOf(compiled, instructionsPerRound),
    watched: async () => rateOf(watched, instructionsPerRound),
    v86: async () => v86Rate(),
  });
  const rows: Row[] = [
    {
      ...row('mixed code, interpreted', samples.interpreted),
      target: atLeast(median(samples.interpreted) / 1e6, 40, '40 million'),
    },
    {
      ...row('mixed code, compiled where hot', samples.compiled),
      ratio: ratio(samples.compiled, samples.v86).toFixed(2),
      reference: mega(median(samples.v86)),
      target: atLeast(ratio(samples.compiled, samples.v86), 0.8, '0.8 of v86'),
    },
    row('the same with a watchpoint elsewhere', samples.watched),
  ];
  return {
    title: 'Processor',
    rows,
    notes: [
      'The reference is v86, which compiles to WebAssembly and records nothing, running the same code in the same rounds.',
      `Edges, calls and functions are recorded; events every ${instructionsPerSlice} instructions.`,
    ],
  };
}

function processor(compileAfter: number): X86 {
  const ram = new Uint8Array(0x110100);
  ram.set(Buffer.from(mixed, 'hex'), 0x10100);
  const cpu = new x86.X86({
    model: '80386',
    state: new Int32Array(stateWords),
    memory: new X86Memory(ram),
    compileAfter,
    wires: { in: () => 0xff, out: () => undefined, callback: () => 'done', interruptVector: () => 8 },
  });
  cpu.reset();
  for (const name of ['cs', 'ds', 'es', 'ss']) cpu.set(name, 0x1000);
  cpu.set('eip', 0x100);
  cpu.set('esp', 0xfffe);
  return cpu;
}

function rateOf(cpu: X86, instructions: number): number {
  const before = process.cpuUsage();
  const until = cpu.instructions + instructions;
  while (cpu.instructions < until) cpu.run(Math.min(until, cpu.instructions + instructionsPerSlice));
  const { user, system } = process.cpuUsage(before);
  return (instructions * 1e6) / (user + system);
}

const run = promisify(execFile);

async function v86Rate(): Promise<number> {
  const program = fileURLToPath(new URL('v86-process.ts', import.meta.url));
  await run(process.execPath, [fileURLToPath(new URL('../scripts/tool.js', import.meta.url))]);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', program, mixed, '1500', '1500']);
  const { rate } = JSON.parse(stdout) as { readonly rate: number };
  return rate;
}

function row(what: string, rates: readonly number[]): Row {
  return { what, measured: mega(median(rates)), best: mega(Math.max(...rates)) };
}

function mega(rate: number): string {
  return `${(rate / 1e6).toFixed(1)} million/s`;
}
