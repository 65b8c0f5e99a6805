import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compareGraph } from './golden-graph.ts';
import { type RomExpectation, romExpectations } from './rom-expectations.ts';
import { type RomRun, runRomImage } from './rom-image.ts';
import type { DosTest } from './suite-test.ts';

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
    if (expected.codes !== undefined || expected.size !== undefined || existsSync(dump)) {
      tests.push({ area: 'ROM images', name, run: () => judgeRam(ran(), expected, dump) });
    }
    const golden = join(folder, 'res/DumpedCfgBlocks', `${name}.json`);
    if (existsSync(golden)) {
      tests.push({
        area: 'control-flow graphs',
        name,
        run: () => ran().why || compareGraph(ran().cpu, JSON.parse(readFileSync(golden, 'utf8'))),
      });
    }
    return tests;
  });
}

function judgeRam({ ram, codes, why }: RomRun, expected: RomExpectation, dump: string): string {
  if (why) return why;
  if (expected.codes !== undefined) {
    const passed = codes.length === expected.codes && codes.at(-1) === 0xff;
    return passed ? '' : `test codes ${codes.map((code) => code.toString(16)).join(' ')}`;
  }
  const wanted = expected.size === undefined ? readFileSync(dump) : new Uint8Array(expected.size);
  for (const [at, byte] of Object.entries(expected.bytes ?? {})) wanted[Number(at)] = byte;
  const different = [...wanted.keys()].filter((at) => ram[at] !== wanted[at]);
  const shown = different.slice(0, 6).map((at) => `[${hex(at)}] ${hex(ram[at])} for ${hex(wanted[at])}`);
  return different.length === 0 ? '' : `${different.length} bytes differ: ${shown.join(', ')}`;
}

function hex(value = 0): string {
  return value.toString(16).padStart(2, '0');
}
