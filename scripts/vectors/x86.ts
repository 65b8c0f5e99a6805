import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { X86Memory } from '../../src/chips/x86/memory.ts';
import { fields, stateWords } from '../../src/chips/x86/registers.ts';
import { X86 } from '../../src/chips/x86/x86.ts';

interface Case {
  readonly i: number;
  readonly n: string;
  readonly b: string;
  readonly r: readonly number[];
  readonly m: readonly (readonly [number, number])[];
  readonly fr: Readonly<Record<string, number>>;
  readonly fm: readonly (readonly [number, number])[];
  /** 80386: the exception and where its handler finds the pushed flags. */
  readonly x?: readonly [vector: number, flagsAddress: number];
  /** 80386: an encoding whose meaning is not defined. */
  readonly u?: 1;
}

interface Index {
  readonly regOrder: readonly string[];
  readonly opcodes: Readonly<Record<string, { readonly flagsMask?: number; readonly eflagsMask?: number }>>;
}

/** Runs the cases of a folder and prints every form with failing ones. `compiled` takes the other tier (80386 only). */
export function runX86(path: string, model: '8086' | '80386', compiled = false): number {
  const index: Index = JSON.parse(readFileSync(join(path, 'index.json'), 'utf8'));
  const wide = model === '80386';
  const ram = new Uint8Array(0x110100);
  const state = new Int32Array(stateWords);
  const cpu = new X86({
    model,
    state,
    memory: new X86Memory(ram),
    compileAfter: compiled ? 1 : Number.POSITIVE_INFINITY,
    wires: {
      in: (_port, width) => (width === 8 ? 0xff : width === 16 ? 0xffff : -1),
      out: () => undefined,
      callback: () => 'done',
      interruptVector: () => 0,
    },
  });
  const flagsName = wide ? 'eflags' : 'flags';
  let passed = 0;
  let skipped = 0;
  const failures = new Map<string, string[]>();

  const forms = readdirSync(path).filter((file) => file.endsWith('.json.gz'));
  for (const file of forms) {
    const form = file.slice(0, -'.json.gz'.length);
    const cases: Case[] = JSON.parse(gunzipSync(readFileSync(join(path, file))).toString());
    const row = index.opcodes[form];
    const mask = row?.eflagsMask ?? row?.flagsMask ?? -1;
    for (const testCase of cases) {
      if (testCase.u) {
        skipped += 1;
        continue;
      }
      const difference = runCase(testCase, mask);
      if (difference === '') passed += 1;
      else {
        const shown = failures.get(form) ?? [];
        failures.set(form, shown);
        shown.push(`#${testCase.i} ${testCase.b} "${testCase.n}": ${difference}`);
      }
    }
  }
  let failed = 0;
  for (const [form, shown] of failures) {
    failed += shown.length;
    console.log(`${form}: ${shown.length} failed`);
    for (const line of shown) console.log(`  ${line}`);
  }
  if (skipped > 0) console.log(`${skipped} skipped: undefined encodings`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed + (passed === 0 ? 1 : 0);

  function runCase(testCase: Case, mask: number): string {
    cpu.reset();
    for (const [address, value] of testCase.m) ram[address] = value;
    index.regOrder.forEach((name, place) => {
      cpu.set(name, testCase.r[place] as number);
    });
    // A repeated string instruction is one instruction here; the 80386 goes on to the HLT after it.
    let steps = 0;
    let stopped = '';
    do {
      const { reason } = compiled ? cpu.run(cpu.instructions + 2) : cpu.step();
      if (reason !== 'count' && reason !== 'halted') stopped = reason;
      if (state[fields.repeating] === 0) steps += 1;
    } while (stopped === '' && (state[fields.repeating] !== 0 || (wide && state[fields.halted] === 0 && steps < 3)));
    const differences = stopped === '' ? [] : [`stopped: ${stopped}`];
    index.regOrder.forEach((name, place) => {
      const compared = name === flagsName ? mask : -1;
      const expected = testCase.fr[name] ?? (testCase.r[place] as number);
      const found = cpu.get(name);
      if (((found ^ expected) & compared) !== 0) differences.push(`${name} ${hex(found)}, expected ${hex(expected)}`);
    });
    const pushed = testCase.x?.[1] ?? -2;
    for (const [address, value] of testCase.fm) {
      const compared = address === pushed ? mask : address === pushed + 1 ? mask >> 8 : 0xff;
      const found = ram[address] as number;
      if (((found ^ value) & compared & 0xff) !== 0)
        differences.push(`[${hex(address)}] ${hex(found)}, expected ${hex(value)}`);
    }
    for (const [address] of [...testCase.m, ...testCase.fm]) ram[address] = 0;
    return differences.join('; ');
  }
}

function hex(value: number): string {
  return value.toString(16);
}
