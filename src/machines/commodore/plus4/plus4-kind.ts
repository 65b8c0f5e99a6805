import { z } from 'zod';
import { defineKind } from '../../../machine/kind.ts';
import { loadedOnce } from '../../shared/loaded-once.ts';
import { commodoreOptions, commodoreSnapshotOptions, romsOption } from '../machine/commodore-options.ts';

const video = z.enum(['pal', 'ntsc']).default('pal').describe('TV standard');

const plus4Options = z.strictObject({ video, roms: romsOption('PLUS4', 'kernal and basic'), ...commodoreOptions });

const c16Options = z.strictObject({
  video,
  ram: z
    .enum(['16k', '32k', '64k'])
    .default('16k')
    .describe('As sold, or expanded; with 16k or 32k memory repeats itself up to $FFFF'),
  roms: romsOption('PLUS4', 'kernal and basic'),
  ...commodoreOptions,
});

/** What both kinds are started with. */
export interface Plus4KindOptions extends z.output<typeof plus4Options> {
  readonly ram: '16k' | '32k' | '64k';
  readonly kind: 'plus4' | 'c16';
}

export const plus4Kind = defineKind({
  kind: 'plus4',
  summary: 'A built-in, cycle-exact Commodore Plus/4. Time passes only when a tool lets it (run, step, input_send).',
  options: plus4Options,
  snapshotOptions: plus4Options.pick({ video: true }).extend(commodoreSnapshotOptions),
  snapshotDecides: ['video'],
  memoryMib: () => 25,
  // Loaded when it is wanted: the engine is not part of what a server needs to start.
  start: async (options, host) => (await load()).startPlus4({ ...options, kind: 'plus4', ram: '64k' }, host),
});

export const c16Kind = defineKind({
  kind: 'c16',
  summary: 'A built-in, cycle-exact Commodore 16: the Plus/4 with less memory and no user port.',
  options: c16Options,
  snapshotOptions: c16Options.pick({ video: true, ram: true }).extend(commodoreSnapshotOptions),
  snapshotDecides: ['video', 'ram'],
  memoryMib: () => 25,
  start: async (options, host) => (await load()).startPlus4({ ...options, kind: 'c16' }, host),
});

/** Piece by piece: while each of these is made ready to run, nothing else does. */
const load = loadedOnce(async () => {
  await import('../../../chips/mos6510/mos6510.ts');
  await import('../../../chips/ted/ted.ts');
  await import('../drive/drive-set.ts');
  await import('./plus4-board.ts');
  await import('../../../formats/commodore/assembler/assemble.ts');
  await import('../roms/plus4-roms.generated.ts');
  await import('../../../formats/commodore/symbols/read-symbols.ts');
  await import('../machine/commodore-engine.ts');
  await import('../chips/ted-chip.ts');
  await import('../machine/commodore-media.ts');
  await import('../machine/commodore-program.ts');
  await import('../machine/commodore-machine.ts');
  await import('../machine/find-roms.ts');
  return import('./machine/start-plus4.ts');
});
