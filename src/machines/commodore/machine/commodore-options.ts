import { z } from 'zod';
import { binmonOption, dapOption, gdbOption } from '../../shared/debug-options.ts';
import { drivesShape } from './find-drives.ts';

/** What every Commodore can be started with. */
export const commodoreOptions = {
  drives: drivesShape
    .default('auto')
    .describe(
      '1541, 1571, 1581: real drives, which need their ROM; fast: emulated at protocol level; auto: the real drive that suits the disk, if its ROM is found. Or a list for drives 8, 9, 10, 11: 1541,1581',
    ),
  clock: z
    .enum(['stepped', 'real', 'warp'])
    .default('stepped')
    .describe(
      'stepped: time passes only in calls; real: runs continuously, at 50 or 60 frames a second; warp: continuously, at full speed',
    ),
  boot: z.boolean().default(true).describe('Run to the prompt at the start'),
  gdb: gdbOption,
  dap: dapOption,
  binmon: binmonOption,
} as const;

/** What a snapshot may say of the machine it is for: nothing that leads to files of this computer. */
export const commodoreSnapshotOptions = {
  drives: drivesShape,
  roms: z.enum(['auto', 'own']),
  boot: z.literal(false).default(false),
} as const;

/** `folder`: where emulators keep the ROMs of this machine. */
export function romsOption(folder: string, parts = 'kernal, basic and chargen') {
  return z
    .string()
    .default('auto')
    .describe(
      `auto (original ROMs if found, otherwise own), own (built in), or a folder that has ${parts}, directly or in ${folder}/`,
    );
}
