/**
 * Runs single-instruction vectors from a folder: `npm run vectors -- 6502 DIR` (every bus cycle has to match;
 * `6502-semantics` runs the readable form of the processor instead of the generated one),
 * `-- 8088 DIR` and `-- 80386 DIR` (registers, defined flags and memory). Prints failing cases, what could only be
 * compared in part, and `N passed, N failed`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cycle } from '../src/chips/mos6510/cycles.generated.ts';
import { Mos6510 } from '../src/chips/mos6510/mos6510.ts';
import { fields, stateWords } from '../src/chips/mos6510/registers.ts';
import { plainCycle } from '../src/chips/mos6510/semantics/plain-mos6510-testing.ts';
import { runX86 } from './vectors/x86.ts';

type Registers = readonly [pc: number, s: number, a: number, x: number, y: number, p: number];
type Case = readonly [
  name: string,
  before: Registers,
  ramBefore: readonly number[],
  after: Registers,
  ramAfter: readonly number[],
  cycles: readonly number[],
];
interface VectorFile {
  readonly source: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, readonly Case[]>>;
}

const runners: Readonly<Record<string, (folder: string) => number>> = {
  '6502': (path) => run6502(path, cycle),
  '6502-semantics': (path) => run6502(path, plainCycle),
  '8088': (path) => runX86(path, '8086'),
  '80386': (path) => runX86(path, '80386'),
  '80386-compiled': (path) => runX86(path, '80386', true),
};
const shownFailures = 20;

const [cpu = '', folder = ''] = process.argv.slice(2);
const run = runners[cpu];
if (!run || !folder) {
  console.error(`usage: npm run vectors -- CPU DIR; CPU is one of ${Object.keys(runners).join(', ')}`);
  process.exit(2);
}
process.exit(run(folder) === 0 ? 0 : 1);

function run6502(path: string, tick: typeof cycle): number {
  const memory = new Uint8Array(65536);
  const log: number[] = [];
  const bus = {
    read(address: number) {
      const value = memory[address] as number;
      log.push(address, value, 0);
      return value;
    },
    write(address: number, value: number) {
      memory[address] = value;
      log.push(address, value, 1);
    },
  };
  const processor = new Mos6510(new Int32Array(stateWords), bus);
  let passed = 0;
  let failed = 0;
  const limited = new Map<string, number>();

  for (const name of readdirSync(path).filter((file) => file.endsWith('.json.gz'))) {
    const file: VectorFile = JSON.parse(gunzipSync(readFileSync(join(path, name))).toString());
    for (const [opcode, cases] of Object.entries(file.tests)) {
      const source = file.source[opcode] ?? '';
      if (source.includes('-')) count(limited, limitOf(source), cases.length);
      for (const testCase of cases) {
        const difference = runCase(testCase);
        if (difference) failed += 1;
        else passed += 1;
        if (difference && failed <= shownFailures) console.log(`${opcode} "${testCase[0]}": ${difference}`);
      }
    }
  }
  for (const [limit, cases] of limited) console.log(`within limits: ${cases} cases: ${limit}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed + (passed === 0 ? 1 : 0);

  function runCase([, before, ramBefore, after, ramAfter, cycles]: Case): string {
    const { state } = processor;
    processor.powerUp();
    state[fields.aneMagic] = 0xee;
    for (let i = 0; i < ramBefore.length; i += 2) memory[ramBefore[i] as number] = ramBefore[i + 1] as number;
    const [pc, s, a, x, y, p] = before;
    Object.assign(state, { [fields.s]: s, [fields.a]: a, [fields.x]: x, [fields.y]: y });
    processor.status = p;
    processor.jump(pc);
    log.length = 0;
    const length = cycles.length / 3;
    for (let i = 0; i < length; i += 1) tick(state, bus);

    const now: Registers = [
      state[fields.pc],
      state[fields.s],
      state[fields.a],
      state[fields.x],
      state[fields.y],
      processor.status & 0xcf,
    ];
    const wanted = [...after.slice(0, 5), after[5] & 0xcf];
    if (String(now) !== String(wanted)) return `registers ${now}, expected ${wanted}`;
    if (String(log) !== String(cycles)) return `cycles ${log}, expected ${cycles}`;
    if (!processor.atInstruction && !state[fields.jammed]) return 'the instruction takes longer';
    for (let i = 0; i < ramAfter.length; i += 2) {
      const [address, value] = [ramAfter[i] as number, ramAfter[i + 1] as number];
      if (memory[address] !== value) return `memory ${address} is ${memory[address]}, expected ${value}`;
    }
    return '';
  }
}

function limitOf(source: string): string {
  return source.endsWith('-jam')
    ? 'JAM: registers and the first two bus cycles'
    : source.endsWith('-nocross')
      ? 'SHA (zp),Y: cases without page crossing only'
      : source;
}

function count(totals: Map<string, number>, key: string, amount: number): void {
  totals.set(key, (totals.get(key) ?? 0) + amount);
}
