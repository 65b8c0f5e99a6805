import { watchBenches } from './watch-benches.ts';
import { dosGraph, dosLarge, dosSources, dosTools } from './worst/dos.ts';

watchBenches([dosGraph, dosLarge, dosSources, dosTools]);
