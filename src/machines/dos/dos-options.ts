import { z } from 'zod';
import { models } from '../../chips/x86/models.ts';
import { dapOption, gdbOption } from '../shared/debug-options.ts';
import { soundCards } from './board/sound-cards.ts';

export const dosOptions = z.strictObject({
  program: z
    .string()
    .min(1)
    .optional()
    .describe(
      'COM, EXE or BAT to run; its folder becomes drive C: unless "folder" is one above it. C:\\GAME.EXE names one on a drive',
    ),
  arguments: z.string().max(120).default('').describe('Its command line, after its name'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('Folder, zip file or image that is drive C:; default: the folder of the program'),
  write: z
    .boolean()
    .default(false)
    .describe('Write changes through to the folder and to images; otherwise they stay in memory'),
  floppy: z.string().min(1).optional().describe('Image in drive A:'),
  hard_disk: z.string().min(1).optional().describe('Hard-disk image: BIOS drive 80h, and D: if it has a FAT volume'),
  cdrom: z
    .array(z.string().min(1))
    .max(4)
    .default([])
    .describe(
      'CD images (ISO, or CUE with its BIN and WAV files), one drive each from D: on (E: after a hard_disk); "empty" is a drive without a disc, "empty F:" a first one with that letter',
    ),
  boot: z
    .enum(['dos', 'floppy', 'disk'])
    .default('dos')
    .describe('dos: our own, built in; floppy, disk: whatever system is on that image'),
  printer: z.string().min(1).optional().describe('New file for output to LPT1'),
  midi: z
    .string()
    .min(1)
    .optional()
    .describe('New MIDI file for what is played on the MPU-401 (port 330h), which is also heard'),
  sound: z
    .enum([...soundCards, 'gravis'])
    .default('sb2')
    .describe(
      'Sound Blaster 2.0, Pro or 16 (220h, IRQ 7, DMA 1 and 5; the last two with an OPL3), adlib: an OPL2 alone, tandy: three voices and noise at C0h; gravis is refused',
    ),
  mouse: z
    .enum(['ps2', 'serial'])
    .default('ps2')
    .describe('serial: a Microsoft mouse at COM2, which is then not a console'),
  commands: z.array(z.string().max(126)).max(50).default([]).describe('Typed at the prompt before the program'),
  cpu: z
    .enum(models)
    .default('80386')
    .describe('Processor; 80386 and 486 have protected mode, for programs with a DOS extender'),
  coprocessor: z
    .enum(['auto', 'none'])
    .default('auto')
    .describe('auto: the one that matches the processor (8087, 80287 or 80387)'),
  speed: z
    .number()
    .int()
    .min(100_000)
    .max(100_000_000)
    .default(4_000_000)
    .describe('Instructions in an emulated second'),
  memory: z.number().int().min(0).max(16_384).default(1024).describe('KiB above the first megabyte'),
  config_sys: z.boolean().optional().describe('Obey CONFIG.SYS in the root of C:; default: only if "folder" is given'),
  umb: z
    .enum(['dos', 'xms', 'none'])
    .default('dos')
    .describe(
      'Upper memory (95 KiB): dos: as blocks of DOS, as after DOS=UMB; xms: from the XMS driver; none: not available',
    ),
  date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/, 'YYYY-MM-DD or YYYY-MM-DDThh:mm:ss')
    .default('1994-01-01T12:00:00')
    .describe('Its clock at the start; never the time of this computer, so that runs are repeatable'),
  clock: z
    .enum(['stepped', 'real', 'warp'])
    .default('stepped')
    .describe(
      'stepped: time passes only in calls; real: runs continuously, at its own speed; warp: continuously, at full speed',
    ),
  run_to_prompt: z.boolean().default(true).describe('Run briefly at the start, to the prompt or into the program'),
  gdb: gdbOption,
  dap: dapOption,
});

export type DosOptions = z.output<typeof dosOptions>;
