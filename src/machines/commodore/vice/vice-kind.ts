import { z } from 'zod';
import { defineKind } from '../../../machine/kind.ts';
import { vicePrograms } from './vice-models.ts';

const place = z.string().max(300).optional();

export const viceOptions = z.strictObject({
  program: z
    .enum(vicePrograms)
    .default('x64sc')
    .describe(
      'Which VICE emulator; x64sc, x64, xvic and xplus4 need no ROMs from you. With "connect": the one that is running there',
    ),
  video: z.enum(['pal', 'ntsc']).default('pal').describe('TV standard'),
  roms: z
    .string()
    .default('auto')
    .describe("auto (original ROMs if found, otherwise own), own (frontpanel's), or VICE's data folder"),
  boot: z.boolean().default(true).describe('Run to the prompt at the start'),
  clock: z
    .enum(['stepped', 'real', 'warp'])
    .default('stepped')
    .describe('stepped: time passes only in calls; real, warp: runs continuously'),
  sound: z
    .enum(['off', 'computed', 'file'])
    .default('off')
    .describe(
      'computed: half as fast, for programs that read OSC3 and ENV3 of the SID; file: the same, and audio_capture can record it',
    ),
  window: z.boolean().default(false).describe('Show its window to the person at this computer'),
  connect: place.describe('host:port of the binary monitor of a running VICE'),
  text_monitor: place.describe('host:port of its text monitor (-remotemonitor), for cycles, warp and media'),
});

export type ViceOptions = z.output<typeof viceOptions>;

export const viceKind = defineKind({
  kind: 'vice',
  summary:
    'A real VICE (x64sc, xvic, xplus4, x128, xpet …), started here or running already: the reference emulator with the ' +
    'tools of the built-in machines.',
  options: viceOptions,
  memoryMib: () => 150,
  async start(options, host) {
    const { startVice } = await import('./start-vice.ts');
    return startVice(options, host);
  },
});
