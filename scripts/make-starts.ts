/** Boots each Commodore as most people start it, and keeps what it became in the folder that is named. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GymRack } from '../src/gym/gym-rack.ts';
import { vectorSpec } from '../src/gym/vector-spec.ts';
import { packStart, startFileName } from '../src/machines/commodore/machine/shipped-starts.ts';
import { startTemplates } from '../src/machines/commodore/machine/start-templates.ts';

const machines = [
  { kind: 'c64', options: {} },
  { kind: 'c64', options: { video: 'ntsc' } },
  { kind: 'vic20', options: {} },
  { kind: 'plus4', options: {} },
  { kind: 'c16', options: {} },
];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder?');
for (const { kind, options } of machines) {
  const place = await GymRack.open(vectorSpec.parse({ kind, options: { ...options, roms: 'own' }, count: 1 }));
  await place.first();
  await place.close();
}
for (const [recipe, start] of startTemplates.kept) writeFileSync(join(folder, startFileName(recipe)), packStart(start));
