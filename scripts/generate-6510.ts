/**
 * Writes the fast forms of the processor from `src/chips/mos6510/semantics`, where a reader finds what each cycle and each instruction
 * does: `cycles.generated.ts`, and the documented opcodes as wholes in five functions. With `--check` it only fails when they are stale.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { bodies, cyclesSource, firstWrite } from './mos6510/cycle-source.ts';
import {
  busSource,
  driveSource,
  gatedSource,
  instructionsSource,
  observedSource,
  plainInstruction,
} from './mos6510/instruction-sources.ts';
import { wholesIn } from './mos6510/whole-source.ts';

const cyclesPath = 'src/chips/mos6510/cycles.generated.ts';
const instructionsPath = 'src/chips/mos6510/instructions.generated.ts';
const observedPath = 'src/chips/mos6510/observed-instructions.generated.ts';
const askingPath = 'src/chips/mos6510/asking-instructions.generated.ts';
const busInstructionsPath = 'src/chips/mos6510/instructions-on-bus.generated.ts';
const driveInstructionsPath = 'src/chips/mos6510/drive-instructions.generated.ts';

let isStale = false;
for (const [path, text] of [
  [cyclesPath, cyclesSource],
  [instructionsPath, instructionsSource],
  [observedPath, observedSource],
  [askingPath, gatedSource],
  [busInstructionsPath, busSource],
  [driveInstructionsPath, driveSource],
] as const) {
  const formatted = spawnSync(process.execPath, ['scripts/tool.js', 'biome', 'format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
  });
  if (formatted.status !== 0) {
    console.error(formatted.stderr);
    process.exit(1);
  }
  const stale = !existsSync(path) || readFileSync(path, 'utf8') !== formatted.stdout;
  isStale ||= stale;
  if (stale && process.argv.includes('--check')) {
    console.error(`stale: ${path}. Run npx tsx scripts/generate-6510.ts and commit the result.`);
  } else if (stale) writeFileSync(path, formatted.stdout);
}
if (process.argv.includes('--check')) process.exit(isStale ? 1 : 0);
console.log(
  `${bodies.length} micro-ops, ${firstWrite} of them reads; ${wholesIn(plainInstruction).length} whole instructions`,
);
