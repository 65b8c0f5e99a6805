import { z } from 'zod';
import { defineKind } from '../../../machine/kind.ts';
import { loadedOnce } from '../../shared/loaded-once.ts';
import { dqbbSizes, geoRamSizes, ramCartSizes, reuSizes } from '../expansions/expansion-sizes.ts';
import { commodoreOptions, commodoreSnapshotOptions, romsOption } from '../machine/commodore-options.ts';
import { bankedRams } from './ram-banks.ts';
import { secondSidAddresses } from './second-sid.ts';

export const c64Options = z.strictObject({
  video: z.enum(['pal', 'ntsc', 'ntsc-old']).default('pal').describe('TV standard'),
  sid: z.enum(['6581', '8580']).default('6581').describe('Sound chip'),
  sid2: z
    .enum(['none', ...Object.keys(secondSidAddresses)] as ['none', ...(keyof typeof secondSidAddresses)[]])
    .default('none')
    .describe('Address of a second sound chip, of the same model'),
  revision: z
    .enum(['old', 'new', 'new-early', 'new-late'])
    .default('old')
    .describe('old: 6569/6526, new: 8565/6526A with grey dots; new-early and new-late: 8565s without'),
  reu: z
    .enum(['none', ...Object.keys(reuSizes)] as ['none', ...(keyof typeof reuSizes)[]])
    .default('none')
    .describe('RAM expansion with DMA; media slot: reu'),
  georam: z
    .enum(['none', ...Object.keys(geoRamSizes)] as ['none', ...(keyof typeof geoRamSizes)[]])
    .default('none')
    .describe('GeoRAM; its contents are the slot georam'),
  dqbb: z
    .enum(['none', ...Object.keys(dqbbSizes)] as ['none', ...(keyof typeof dqbbSizes)[]])
    .default('none')
    .describe('Double Quick Brown Box, RAM at $8000-$BFFF; its contents are the slot dqbb'),
  ramcart: z
    .enum(['none', ...Object.keys(ramCartSizes)] as ['none', ...(keyof typeof ramCartSizes)[]])
    .default('none')
    .describe('RAMCart, kept by a battery; its contents are the slot ramcart'),
  ramcart_readonly: z
    .boolean()
    .default(false)
    .describe('Write-protect switch of the RAMCart; with 128K, it also maps the page at $8000'),
  isepic: z
    .enum(['none', 'on', 'off'])
    .default('none')
    .describe('ISEPIC freezer with its switch on or off; the freeze button flips it'),
  ram_banks: z
    .enum(['none', ...Object.keys(bankedRams)] as ['none', ...(keyof typeof bankedRams)[]])
    .default('none')
    .describe('RAM soldered to the board, its register at $D100 or $D040'),
  roms: romsOption('C64'),
  ...commodoreOptions,
});

export type C64Options = z.output<typeof c64Options>;

export const c64Kind = defineKind({
  kind: 'c64',
  summary: 'A built-in, cycle-exact Commodore 64. Time passes only when a tool lets it (run, step, input_send).',
  options: c64Options,
  snapshotOptions: c64Options
    .pick({ video: true, sid: true, sid2: true, revision: true, reu: true, georam: true })
    .extend(c64Options.pick({ dqbb: true, ramcart: true, ramcart_readonly: true, isepic: true, ram_banks: true }).shape)
    .extend(commodoreSnapshotOptions),
  snapshotDecides: ['video', 'sid', 'sid2', 'revision', 'reu', 'georam', 'dqbb', 'ramcart', 'isepic', 'ram_banks'],
  memoryMib({ reu, georam }) {
    const kib = (reu === 'none' ? 0 : reuSizes[reu]) + (georam === 'none' ? 0 : geoRamSizes[georam]);
    return 25 + Math.ceil(kib / 1024);
  },
  // Loaded when it is wanted: the engine is not part of what a server needs to start.
  start: async (options, host) => (await load()).startC64(options, host),
});

/** Some hundred files, piece by piece: while each of these is made ready to run, nothing else does. */
const load = loadedOnce(async () => {
  await import('../../../chips/mos6510/mos6510.ts');
  await import('../../../chips/vic2/vic2.ts');
  await import('../../../chips/sid/sid.ts');
  await import('../drive/drive-set.ts');
  await import('./c64-board.ts');
  await import('../../../formats/commodore/assembler/assemble.ts');
  await import('../roms/c64-roms.generated.ts');
  await import('../../../formats/commodore/symbols/read-symbols.ts');
  await import('../machine/commodore-engine.ts');
  await import('../chips/vic2-chip.ts');
  await import('../machine/commodore-media.ts');
  await import('../machine/commodore-program.ts');
  await import('./machine/c64-machine.ts');
  await import('../roms/names/c64-original-names.ts');
  await import('../machine/find-roms.ts');
  return import('./machine/start-c64.ts');
});
