import { watchBenches } from './watch-benches.ts';
import { dosArchives, dosGuests } from './worst/dos.ts';

watchBenches([...dosGuests, ...dosArchives]);
