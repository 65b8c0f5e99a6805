import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { byBlock, byInstruction, type Comparison, compareGraphs } from './compare-graphs.ts';
import { segmented } from './plain-blocks.ts';
import { type RomExpectation, romExpectations } from './rom-expectations.ts';
import { type RomRun, runRomImage } from './rom-image.ts';
import type { DosTest } from './suite-test.ts';
import { UndefinedFlags } from './undefined-flags.ts';

/** ROM images against the RAM they should leave, and their graphs against the golden ones. */
export function romTests(folder: string): DosTest[] {
  const images = readdirSync(folder)
    .filter((name) => name.endsWith('.bin'))
    .sort();
  return images.flatMap((file) => {
    const name = basename(file, '.bin');
    const expected = romExpectations[name] ?? {};
    let run: RomRun | undefined;
    const ran = () => {
      run ??= runRomImage(join(folder, file), expected);
      return run;
    };
    const tests: DosTest[] = [];
    const dump = join(folder, 'res/MemoryDumps', file);
    tests.push({
      area: 'ROM images',
      name,
      run: () => judgeRam(ran(), expected, dump, undefinedBits(join(folder, file), expected)),
    });
    const golden = join(folder, 'res/DumpedCfgBlocks', `${name}.json`);
    if (!existsSync(golden)) return tests;
    let ways: ReadonlySet<string> | undefined;
    const judgeGraph = (by: Comparison) => {
      ways ??= tracedWays(join(folder, file), expected);
      return ran().why || compareGraphs(ran().cpu, JSON.parse(readFileSync(golden, 'utf8')), ways, by);
    };
    tests.push({ area: 'control-flow graphs, by blocks', name, run: () => judgeGraph(byBlock) });
    tests.push({ area: 'control-flow graphs, by instructions', name, run: () => judgeGraph(byInstruction) });
    return tests;
  });
}

/** Bits of memory that hold flags which the instruction before left undefined, by address. */
function undefinedBits(path: string, expected: RomExpectation): Map<number, number> {
  const bits = new Map<number, number>();
  if (expected.size !== undefined || expected.codes !== undefined) return bits;
  const flags = new UndefinedFlags();
  runRomImage(path, expected, (node, cpu) => {
    const mask = flags.before(node, cpu);
    if (node.form.mnemonic !== 'pushf') return;
    const at = cpu.get('ss') * 16 + ((cpu.get('sp') - 2) & 0xffff);
    bits.set(at, mask & 0xff);
    bits.set(at + 1, mask >> 8);
  });
  return bits;
}

/** Every way from one instruction to the next that a run takes, seen from outside. */
function tracedWays(path: string, expected: RomExpectation): Set<string> {
  const ways = new Set<string>();
  let before = '';
  runRomImage(path, expected, ({ cs, ip }) => {
    const here = segmented(cs, ip);
    ways.add(`${before} -> ${here}`);
    before = here;
  });
  return ways;
}

function judgeRam(
  { ram, codes, why }: RomRun,
  expected: RomExpectation,
  dump: string,
  undefinedAt: ReadonlyMap<number, number>,
): string {
  if (why) return why;
  if (expected.codes !== undefined) {
    const passed = codes.length === expected.codes && codes.at(-1) === 0xff;
    return passed ? '' : `test codes ${codes.map((code) => code.toString(16)).join(' ')}`;
  }
  // Of some only the graph is known, and that they come to their end.
  const wanted =
    expected.size === undefined && existsSync(dump) ? readFileSync(dump) : new Uint8Array(expected.size ?? 0);
  for (const [at, byte] of Object.entries(expected.bytes ?? {})) wanted[Number(at)] = byte;
  const different = [...wanted.keys()].filter(
    (at) => ((ram[at] ?? 0) ^ (wanted[at] ?? 0)) & ~(undefinedAt.get(at) ?? 0),
  );
  const shown = different.slice(0, 6).map((at) => `[${hex(at)}] ${hex(ram[at])} for ${hex(wanted[at])}`);
  return different.length === 0 ? '' : `${different.length} bytes differ: ${shown.join(', ')}`;
}

function hex(value = 0): string {
  return value.toString(16).padStart(2, '0');
}
