import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { c64Model } from '../../src/machines/commodore/c64/c64-model.ts';
import type { RomImages } from '../../src/machines/commodore/c64/memory-map.ts';
import type { DriveRoms } from '../../src/machines/commodore/drive/real-drive.ts';
import { findDrives } from '../../src/machines/commodore/machine/find-drives.ts';
import { findRoms } from '../../src/machines/commodore/machine/find-roms.ts';
import { romPlaces } from '../../src/machines/commodore/roms/search/rom-places.ts';

export interface OriginalRoms {
  readonly roms: RomImages;
  readonly driveRoms: DriveRoms;
  /** What was taken from where. */
  readonly description: string;
}

/** Where suites look for ROMs unless told. */
export function romFoldersOfSuites(): string {
  return process.env.FRONTPANEL_ROMS ?? '';
}

/** The originals in folders that mean to suites what `--roms` and `FRONTPANEL_ROMS` mean to the program; else why there are none. */
export async function originalRoms(folders = romFoldersOfSuites()): Promise<OriginalRoms | { problem: string }> {
  const romFolders = [...folders.split(',').filter(Boolean), 'own'];
  const places = await romPlaces(undefined, {
    settings: { romFolders, environment: {} },
    files: new AllowedFiles({ read: [], write: [] }),
  });
  const { roms, maker, description } = await findRoms(c64Model.roms, 'auto', places);
  if (!roms || maker !== 'original') {
    const problem = `The suite needs the original ROMs, and this is what there is: ${description}. Name their folder with --roms or FRONTPANEL_ROMS: VICE's data folder, or its C64.`;
    return { problem };
  }
  return { roms, driveRoms: (await findDrives('auto', places)).roms, description };
}
