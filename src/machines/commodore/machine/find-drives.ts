import { dirname } from 'node:path';
import { z } from 'zod';
import { MachineError } from '../../../machine/errors.ts';
import type { DriveSet } from '../drive/drive-set.ts';
import { driveUnits } from '../drive/drive-state.ts';
import { type DriveModel, type DriveRoms, driveModels } from '../drive/real-drive.ts';
import { driveRomSpecs } from '../roms/search/drive-rom-specs.ts';
import { findDriveRom } from '../roms/search/find-rom-set.ts';
import type { RomPlace } from '../roms/search/rom-places.ts';
import type { RomFile } from '../roms/search/rom-spec.ts';

const sort = '(auto|fast|1541|1571|1581)';

/** What drives are, as a machine is started with it: one word for all of them, or one for each from 8 on. */
export const drivesShape = z.string().regex(new RegExp(`^${sort}(,${sort}){0,3}$`));

type Sort = DriveModel | 'auto' | 'fast';

export interface FoundDrives {
  readonly roms: DriveRoms;
  /** For another machine of this sort. */
  readonly option: string;
  /** For the answer of `machine_start`; empty where drives have no processors. */
  readonly introduction: string;
  /** Says what drives shall be, and switches those on that were asked for by number, else drive 8 if it has a processor. */
  connect(drives: DriveSet): void;
}

/** The ROMs of drives; throws where one is missing that is demanded. */
export async function findDrives(option: string, places: readonly RomPlace[]): Promise<FoundDrives> {
  const sorts = option.split(',') as Sort[];
  const wanted = driveModels.filter((model) => sorts.includes('auto') || sorts.includes(model));
  const files: (readonly [DriveModel, RomFile])[] = [];
  for (const model of wanted) {
    const file = await findDriveRom(driveRomSpecs[model], places);
    if (file) files.push([model, file]);
    else if (sorts.includes(model)) throw missing(model);
  }
  const [first] = files;
  return {
    roms: Object.fromEntries(files.map(([model, { bytes }]) => [model, bytes])),
    option: first ? option : 'fast',
    introduction: first ? introduce(files) : '',
    connect: (drives) => {
      driveUnits.forEach((unit, index) => {
        const each = sorts.length === 1 ? sorts[0] : sorts[index];
        drives.want(unit, each === 'auto' ? undefined : each);
      });
      if (sorts.length > 1) for (const unit of driveUnits.slice(0, sorts.length)) drives.connect(unit);
      // It takes two seconds to wake up, as long as the computer does.
      else if (first) drives.connect(8);
    },
  };
}

function introduce(files: readonly (readonly [DriveModel, RomFile])[]): string {
  const names = files.map(([model]) => `${model}s`);
  const revisions = files.map(([, { origin }]) => origin.revision ?? 'unknown');
  const folders = [...new Set(files.map(([, { path }]) => dirname(path)))];
  const which = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}, by the disk`;
  const rom = names.length === 1 ? 'ROM' : 'ROMs';
  return `Drives are real ${which} (${rom} ${revisions.join(', ')} from ${folders.join(', ')}) and as slow; "drives":"fast" is the quick sort. Debug one with "cpu":"drive8".`;
}

function missing(model: DriveModel): MachineError {
  const { names, bytes } = driveRomSpecs[model];
  return new MachineError(
    'NOT_FOUND',
    `No ROM of a ${model} was found.`,
    `Put ${names[0]} (${bytes} bytes) into a folder given with --roms, or use "drives":"fast".`,
  );
}
