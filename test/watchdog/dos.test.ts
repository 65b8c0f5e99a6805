import { watchBenches } from './watch-benches.ts';
import { dosGraph, dosLarge, dosSources, dosTools, dosValues } from './worst/dos.ts';

watchBenches([dosGraph, dosLarge, dosSources, dosValues, dosTools]);
