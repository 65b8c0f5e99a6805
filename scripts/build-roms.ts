/**
 * Assembles our own ROMs from the sources in `src/machines/commodore/roms` and writes `c64-roms.generated.ts` and
 * `vic20-roms.generated.ts`. With `--check` it only fails when one of them is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type RomMachine, RomSet } from './roms/rom-set.ts';

const folder = 'src/machines/commodore/roms';
const machines: readonly RomMachine[] = [
  { name: 'c64', basicStart: 0xa000 },
  { name: 'vic20', basicStart: 0xc000 },
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
