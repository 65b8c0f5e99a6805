import { z } from 'zod';
import { defineKind } from '../../machine/kind.ts';
import { dosOptions } from './dos-options.ts';

export const dosKind = defineKind({
  kind: 'dos',
  summary:
    'A built-in DOS PC (8086 to 486, VGA, DOS 5): runs COM, EXE and BAT files or boots images, with a live ' +
    'control-flow graph. Time passes only when a tool lets it.',
  options: dosOptions,
  snapshotOptions: dosOptions
    .pick({ cpu: true, coprocessor: true, speed: true, memory: true, umb: true, date: true, mouse: true, sound: true })
    .extend({
      config_sys: z.boolean(),
      run_to_prompt: z.literal(false),
      // Discs are not part of a snapshot, and a snapshot names no files.
      cdrom: z.array(z.string().regex(/^empty [D-V]:$/)).max(4),
    }),
  memoryMib: ({ memory }) => 54 + Math.ceil(memory / 1024),
  // Loaded when it is wanted: the engine is not part of what a server needs to start.
  start: async (options, host) => (await load()).startDos(options, host),
});

/** Some hundred files, piece by piece: while each of these is made ready to run, nothing else does. */
async function load() {
  await import('../../chips/x86/x86.ts');
  await import('../../chips/vga/vga.ts');
  await import('./board/pc-board.ts');
  await import('./services/bios/bios.ts');
  await import('./services/dos/functions/index.ts');
  await import('./services/dos/kernel.ts');
  await import('./board/dos-system.ts');
  await import('./drives/open-drive.ts');
  await import('./debug/dos-graph.ts');
  await import('./machine/dos-machine.ts');
  return import('./machine/start-dos.ts');
}
