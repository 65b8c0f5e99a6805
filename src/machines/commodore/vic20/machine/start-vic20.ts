import type { Host } from '../../../../machine/host.ts';
import { boot } from '../../machine/boot.ts';
import { CommodoreMachine } from '../../machine/commodore-machine.ts';
import { findDrives } from '../../machine/find-drives.ts';
import { type FoundRoms, findRoms } from '../../machine/find-roms.ts';
import { kernalNames } from '../../roms/names/kernal-names.ts';
import { romPlaces } from '../../roms/search/rom-places.ts';
import { vic20NtscRomSet, vic20RomSet } from '../../roms/search/vic20-rom-specs.ts';
import { vic20RomSymbols, vic20Roms } from '../../roms/vic20-roms.generated.ts';
import { Vic20Board } from '../vic20-board.ts';
import type { Vic20KindOptions } from '../vic20-kind.ts';
import { vic20Model } from '../vic20-model.ts';
import { vic20Setup } from './vic20-setup.ts';

export async function startVic20(
  options: Vic20KindOptions,
  host: Host,
  bootWallMs?: number,
): Promise<CommodoreMachine> {
  const { video, expansion } = options;
  const places = await romPlaces(['auto', 'own'].includes(options.roms) ? undefined : options.roms, host);
  const found = await findRoms(video === 'pal' ? vic20RomSet : vic20NtscRomSet, options.roms, places);
  const drives = await findDrives(options.drives, places);
  const { roms = vic20Roms, description } = found;
  const board = new Vic20Board({ roms, vic: vic20Model.video[video], expansion, driveRoms: drives.roms });
  drives.connect(board.drives);
  const machine = new CommodoreMachine(
    vic20Setup(board),
    host,
    [
      `${description}; ${video.toUpperCase()}, ${expansion === 'none' ? 'no' : expansion} expansion.`,
      drives.introduction,
    ].filter(Boolean),
    romNames(found),
    { video, expansion, drives: drives.option, roms: found.roms ? 'auto' : 'own' },
  );
  if (options.boot) await boot(machine, host, bootWallMs);
  if (options.clock !== 'stepped') machine.control.runAlways(options.clock);
  return machine;
}

const ownRomNames: Readonly<Record<string, number>> = { ...vic20RomSymbols, ...kernalNames };

/** What is known of the places in these ROMs. */
function romNames({ roms }: FoundRoms): Readonly<Record<string, number>> {
  return roms ? kernalNames : ownRomNames;
}
