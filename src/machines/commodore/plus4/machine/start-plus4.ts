import type { Host } from '../../../../machine/host.ts';
import { boot } from '../../machine/boot.ts';
import { CommodoreMachine } from '../../machine/commodore-machine.ts';
import { findDrives } from '../../machine/find-drives.ts';
import { findRoms } from '../../machine/find-roms.ts';
import { kernalNames } from '../../roms/names/kernal-names.ts';
import { plus4RomSymbols, plus4Roms } from '../../roms/plus4-roms.generated.ts';
import { findDriveRom } from '../../roms/search/find-rom-set.ts';
import { functionRoms, plus4NtscRomSet, plus4RomSet } from '../../roms/search/plus4-rom-specs.ts';
import { romPlaces } from '../../roms/search/rom-places.ts';
import { Plus4Board } from '../plus4-board.ts';
import type { Plus4KindOptions } from '../plus4-kind.ts';
import { plus4Setup } from './plus4-setup.ts';

const kilobytes = { '16k': 16, '32k': 32, '64k': 64 } as const;

const ownRomNames: Readonly<Record<string, number>> = { ...plus4RomSymbols, ...kernalNames };

export async function startPlus4(
  options: Plus4KindOptions,
  host: Host,
  bootWallMs?: number,
): Promise<CommodoreMachine> {
  const { video, kind, ram } = options;
  const places = await romPlaces(['auto', 'own'].includes(options.roms) ? undefined : options.roms, host);
  const { roms, description } = await findRoms(video === 'pal' ? plus4RomSet : plus4NtscRomSet, options.roms, places);
  const drives = await findDrives(options.drives, places);
  const functions = roms && kind === 'plus4' ? await findFunctions(places) : undefined;
  const board = new Plus4Board({
    roms: { ...(roms ?? plus4Roms), ...functions },
    video,
    ram: kilobytes[ram],
    hasUserPort: kind === 'plus4',
    driveRoms: drives.roms,
  });
  drives.connect(board.drives);
  const machine = new CommodoreMachine(
    plus4Setup(board, kind),
    host,
    [
      `${description}${functions ? ' and 3-plus-1' : ''}; ${video.toUpperCase()}, ${ram.toUpperCase()} of RAM.`,
      drives.introduction,
    ].filter(Boolean),
    roms ? kernalNames : ownRomNames,
    {
      video,
      ...(kind === 'c16' && { ram }),
      drives: drives.option,
      roms: roms ? 'auto' : 'own',
    },
  );
  if (options.boot) await boot(machine, host, bootWallMs);
  if (options.clock !== 'stepped') machine.control.runAlways(options.clock);
  return machine;
}

/** What a Plus/4 has built in beside BASIC, if both halves are found. */
async function findFunctions(places: Parameters<typeof findDriveRom>[1]) {
  const folders = places.flatMap((place) => [place, { ...place, path: `${place.path}/${plus4RomSet.folder}` }]);
  const low = await findDriveRom(functionRoms.low, folders);
  const high = await findDriveRom(functionRoms.high, folders);
  return low && high ? { functionLow: low.bytes, functionHigh: high.bytes } : undefined;
}
