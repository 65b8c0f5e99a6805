/**
 * Boots each Commodore as most people start it, and keeps what it became in the folder that is named; of machines that
 * are named after it only those.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GymRack } from '../src/gym/gym-rack.ts';
import { vectorSpec } from '../src/gym/vector-spec.ts';
import { packStart, startFileName } from '../src/machines/commodore/machine/shipped-starts.ts';
import { startTemplates } from '../src/machines/commodore/machine/start-templates.ts';

const machines = [
  { name: 'c64', kind: 'c64', options: {} },
  { name: 'c64-ntsc', kind: 'c64', options: { video: 'ntsc' } },
  { name: 'vic20', kind: 'vic20', options: {} },
  { name: 'plus4', kind: 'plus4', options: {} },
  { name: 'c16', kind: 'c16', options: {} },
];

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('Give the folder: npx tsx scripts/make-starts.ts FOLDER');
for (const { name, kind, options } of machines) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const place = await GymRack.open(vectorSpec.parse({ kind, options: { ...options, roms: 'own' }, count: 1 }));
  await place.first();
  await place.close();
}
for (const [recipe, start] of startTemplates.kept) writeFileSync(join(folder, startFileName(recipe)), packStart(start));
