import type { Host } from '../../../../machine/host.ts';
import { nextTurn } from '../../../shared/time-slice.ts';
import { dqbbSizes, geoRamSizes, ramCartSizes, reuSizes } from '../../expansions/expansion-sizes.ts';
import { boot } from '../../machine/boot.ts';
import { findDrives } from '../../machine/find-drives.ts';
import { type FoundRoms, findRoms } from '../../machine/find-roms.ts';
import { c64RomSymbols, c64Roms } from '../../roms/c64-roms.generated.ts';
import { originalBasicNames, originalKernalNames } from '../../roms/names/c64-original-names.ts';
import { kernalNames } from '../../roms/names/kernal-names.ts';
import { romPlaces } from '../../roms/search/rom-places.ts';
import { C64Board } from '../c64-board.ts';
import type { C64Options } from '../c64-kind.ts';
import { c64Model } from '../c64-model.ts';
import { secondSidAddresses } from '../second-sid.ts';
import { C64Machine } from './c64-machine.ts';

const vicModels = {
  old: { pal: '6569', ntsc: '6567', 'ntsc-old': '6567R56A' },
  new: { pal: '8565', ntsc: '8562', 'ntsc-old': '6567R56A' },
  'new-early': { pal: '8565early', ntsc: '8562early', 'ntsc-old': '6567R56A' },
  'new-late': { pal: '8565late', ntsc: '8562', 'ntsc-old': '6567R56A' },
} as const;

export async function startC64(options: C64Options, host: Host, bootWallMs?: number): Promise<C64Machine> {
  const places = await romPlaces(['auto', 'own'].includes(options.roms) ? undefined : options.roms, host);
  const found = await findRoms(c64Model.roms, options.roms, places);
  const { roms = c64Roms, description } = found;
  const drives = await findDrives(options.drives, places);
  // The program itself has just been loaded, and each of the two below goes through up to 16 MiB of an REU.
  await nextTurn();
  const board = new C64Board({
    roms,
    driveRoms: drives.roms,
    vic: vicModels[options.revision][options.video],
    cia: options.revision === 'old' ? '6526' : '6526A',
    sid: options.sid,
    sid2: options.sid2 === 'none' ? undefined : secondSidAddresses[options.sid2],
    reu: options.reu === 'none' ? undefined : reuSizes[options.reu],
    geoRam: options.georam === 'none' ? undefined : geoRamSizes[options.georam],
    dqbb: options.dqbb === 'none' ? undefined : dqbbSizes[options.dqbb],
    ramCart: options.ramcart === 'none' ? undefined : ramCartSizes[options.ramcart],
    ramCartReadOnly: options.ramcart_readonly,
    isepic: options.isepic === 'none' ? undefined : options.isepic,
    ramBanks: options.ram_banks === 'none' ? undefined : options.ram_banks,
  });
  drives.connect(board.drives);
  await nextTurn();
  const machine = new C64Machine(
    board,
    host,
    [
      `${description}; ${options.video.toUpperCase()}, SID ${options.sid}${secondSidOf(options)}${expansionsOf(options)}.`,
      drives.introduction,
    ].filter(Boolean),
    romNames(found),
    {
      video: options.video,
      sid: options.sid,
      sid2: options.sid2,
      revision: options.revision,
      reu: options.reu,
      georam: options.georam,
      dqbb: options.dqbb,
      ramcart: options.ramcart,
      ramcart_readonly: options.ramcart_readonly,
      isepic: options.isepic,
      ram_banks: options.ram_banks,
      drives: drives.option,
      roms: found.roms ? 'auto' : 'own',
    },
  );
  if (options.boot) await boot(machine, host, bootWallMs);
  if (options.clock !== 'stepped') machine.control.runAlways(options.clock);
  return machine;
}

function secondSidOf({ sid2 }: C64Options): string {
  return sid2 === 'none' ? '' : ` and another at $${sid2}`;
}

function expansionsOf({ reu, georam, dqbb, ramcart, isepic, ram_banks }: C64Options): string {
  const named = { REU: reu, GeoRAM: georam, DQBB: dqbb, RAMCart: ramcart, ISEPIC: isepic, RAM: ram_banks };
  const there = Object.entries(named).filter(([, option]) => option !== 'none');
  return there.map(([name, option]) => `, ${name} ${option}`).join('');
}

const ownRomNames: Readonly<Record<string, number>> = { ...c64RomSymbols, ...kernalNames };

/** What is known of the places in these ROMs. */
function romNames({ roms, revisions }: FoundRoms): Readonly<Record<string, number>> {
  if (!roms) return ownRomNames;
  return {
    ...(revisions.basic === '901226-01' && originalBasicNames),
    ...(revisions.kernal?.startsWith('901227') && originalKernalNames),
    ...kernalNames,
  };
}
