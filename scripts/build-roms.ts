/**
 * Assembles our own ROMs from the sources in `src/machines/commodore/roms` and writes a
 * `NAME-roms.generated.ts` for each machine. With `--check` it only fails when one of them is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type RomMachine, RomSet } from './roms/rom-set.ts';

const folder = 'src/machines/commodore/roms';
const kernalParts = ['system', 'editor', 'keyboard', 'files', 'serial'];
const usual = {
  kernalStart: 0xe000,
  kernal: [{ start: 0xe000, end: 0x10000 }],
  cells: 'usual',
  kernalParts: [...kernalParts, 'tape'],
} as const;
const machines: readonly RomMachine[] = [
  { ...usual, name: 'c64', basic: { start: 0xa000, end: 0xc000 } },
  { ...usual, name: 'vic20', basic: { start: 0xc000, end: 0xe000 } },
  {
    name: 'plus4',
    basic: { start: 0x8000, end: 0xc000 },
    kernalStart: 0xc000,
    // Characters lie at $D000, chips from $FD00 on.
    kernal: [
      { start: 0xc000, end: 0xd000 },
      { start: 0xd800, end: 0xfd00 },
      { start: 0xff40, end: 0x10000 },
    ],
    characters: 0xd000,
    cells: 'plus4',
    kernalParts,
  },
];

for (const machine of machines) {
  const target = `${folder}/${machine.name}-roms.generated.ts`;
  const set = new RomSet(folder, machine);
  const text = set.generated();
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text);
    for (const { name, free, size } of set.room()) {
      console.log(`${machine.name} ${name}: ${free} of ${size} bytes are free`);
    }
  } else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${target} is stale: run npx tsx scripts/build-roms.ts`);
    process.exitCode = 1;
  }
}
