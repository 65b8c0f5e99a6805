import { watchBenches } from './watch-benches.ts';
import { argumentBench } from './worst/arguments.ts';
import { c64Files, c64Run } from './worst/c64.ts';
import { c64Past } from './worst/c64-past.ts';

watchBenches([argumentBench, c64Files, c64Run, c64Past]);
