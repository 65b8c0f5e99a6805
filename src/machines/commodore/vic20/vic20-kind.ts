import { z } from 'zod';
import { defineKind } from '../../../machine/kind.ts';
import { loadedOnce } from '../../shared/loaded-once.ts';
import { commodoreOptions, commodoreSnapshotOptions, romsOption } from '../machine/commodore-options.ts';

export const vic20Options = z.strictObject({
  video: z.enum(['pal', 'ntsc']).default('pal').describe('TV standard: pal has a 6561, ntsc a 6560'),
  expansion: z
    .enum(['none', '3k', '8k', '16k', '24k', '32k', 'all'])
    .default('none')
    .describe(
      'Plugged-in RAM; 32k includes 8K at $A000, all is 32k plus 3k. BASIC programs begin at $1001, with 3k at $0401, with 8k and more at $1201',
    ),
  roms: romsOption('VIC20'),
  ...commodoreOptions,
});

export type Vic20KindOptions = z.output<typeof vic20Options>;

export const vic20Kind = defineKind({
  kind: 'vic20',
  summary: 'A built-in, cycle-exact Commodore VIC-20. Time passes only when a tool lets it (run, step, input_send).',
  options: vic20Options,
  snapshotOptions: vic20Options.pick({ video: true, expansion: true }).extend(commodoreSnapshotOptions),
  snapshotDecides: ['video', 'expansion'],
  memoryMib: () => 25,
  // Loaded when it is wanted: the engine is not part of what a server needs to start.
  start: async (options, host) => (await load()).startVic20(options, host),
});

/** Piece by piece: while each of these is made ready to run, nothing else does. */
const load = loadedOnce(async () => {
  await import('../../../chips/mos6510/mos6510.ts');
  await import('../../../chips/mos6560/mos6560.ts');
  await import('../drive/drive-set.ts');
  await import('./vic20-board.ts');
  await import('../../../formats/commodore/assembler/assemble.ts');
  await import('../roms/vic20-roms.generated.ts');
  await import('../../../formats/commodore/symbols/read-symbols.ts');
  await import('../machine/commodore-engine.ts');
  await import('../chips/via-chip.ts');
  await import('../machine/commodore-media.ts');
  await import('../machine/commodore-program.ts');
  await import('../machine/commodore-machine.ts');
  await import('../machine/find-roms.ts');
  return import('./machine/start-vic20.ts');
});
