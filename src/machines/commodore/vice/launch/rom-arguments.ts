import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { advice, call, MachineError } from '../../../../machine/errors.ts';
import type { Host } from '../../../../machine/host.ts';
import type { RomPart } from '../../machine/commodore-model.ts';
import { findRoms } from '../../machine/find-roms.ts';
import { c64RomSet } from '../../roms/search/c64-rom-specs.ts';
import { plus4NtscRomSet, plus4RomSet } from '../../roms/search/plus4-rom-specs.ts';
import { type RomPlace, romPlaces } from '../../roms/search/rom-places.ts';
import type { RomSetSpec } from '../../roms/search/rom-spec.ts';
import { vic20NtscRomSet, vic20RomSet } from '../../roms/search/vic20-rom-specs.ts';
import type { ViceModel } from '../vice-models.ts';
import type { ViceFolder } from './vice-folder.ts';

const mostFiles = 200;
const mostBytes = 1024 * 1024;
/** In VICE's folders beside ROMs: key maps, palettes, hot keys. */
const noRom = /\.(?:vkm|vpl|vhk|vrs|vsc|vjm|sym|txt|am|in)$/i;

export interface RomArguments {
  readonly arguments: readonly string[];
  /** For the answer of `machine_start`. */
  readonly description: string;
}

type Images = Readonly<Partial<Record<RomPart, Uint8Array>>>;

/** Copies the ROMs into the folder of the machine, and tells VICE where they are. */
export async function romArguments(
  model: ViceModel,
  wanted: string,
  host: Host,
  folder: ViceFolder,
): Promise<RomArguments> {
  const places = await romPlaces(['auto', 'own'].includes(wanted) ? undefined : wanted, host);
  const looked = wanted === 'own' ? [] : wanted === 'auto' ? places : places.slice(0, 1);
  const drives = await copyFolder('DRIVES', looked, folder);
  // VICE looks for folders of these names in what it is given; earlier ones for the files.
  const directories = [folder.path, ...['DRIVES', model.folder].map((name) => join(folder.path, name))];
  // The last: wherever VICE would look.
  const search = ['-directory', [...directories, '$$'].join(':')];
  const drive = driveArguments(drives.names);
  if (model.ownRoms === undefined) {
    const { names, from } = await copyFolder(model.folder, looked, folder);
    if (from === undefined || names.length === 0) throw missing(model);
    return { arguments: [...search, ...drive], description: `ROMs from ${from}` };
  }
  const { images, description } = await imagesOf(model, model.ownRoms, wanted, places);
  const paths = await Promise.all(
    Object.entries(images).map(async ([part, bytes]) => [`-${part}`, await folder.write(`${part}.bin`, bytes)]),
  );
  return {
    arguments: [...search, ...paths.flat(), ...(await functionRoms(model, folder, looked)), ...drive],
    description,
  };
}

/** The programs that a Plus/4 has built in: where their ROMs are missing, VICE has to know that there are none. */
async function functionRoms(
  { program, folder: name }: ViceModel,
  folder: ViceFolder,
  places: readonly RomPlace[],
): Promise<readonly string[]> {
  if (program !== 'xplus4') return [];
  const { names } = await copyFolder(name, places, folder);
  return names.some((each) => /^3plus1/i.test(each)) ? [] : ['-functionlo', '', '-functionhi', ''];
}

/** Without the ROM of a drive, VICE has to know that there is none. */
function driveArguments(names: readonly string[]): readonly string[] {
  if (names.some((name) => /^dos1541ii/i.test(name))) return [];
  return ['-drive8type', names.some((name) => /^dos1541/i.test(name)) ? '1541' : '0'];
}

async function imagesOf(
  { standard }: ViceModel,
  which: NonNullable<ViceModel['ownRoms']>,
  wanted: string,
  places: readonly RomPlace[],
): Promise<{ readonly images: Images; readonly description: string }> {
  const sets: Readonly<Record<typeof which, readonly [RomSetSpec<RomPart> | RomSetSpec<'kernal' | 'basic'>, Images]>> =
    {
      c64: [c64RomSet, (await import('../../roms/c64-roms.generated.ts')).c64Roms],
      vic20: [
        standard === 'ntsc' ? vic20NtscRomSet : vic20RomSet,
        (await import('../../roms/vic20-roms.generated.ts')).vic20Roms,
      ],
      plus4: [
        standard === 'ntsc' ? plus4NtscRomSet : plus4RomSet,
        (await import('../../roms/plus4-roms.generated.ts')).plus4Roms,
      ],
    };
  const [set, own] = sets[which];
  const { roms, description } = await findRoms(set as RomSetSpec<RomPart>, wanted, places);
  return { images: roms ?? own, description };
}

/** All that may be a ROM in the first place that has such a folder. */
async function copyFolder(
  name: string,
  places: readonly RomPlace[],
  folder: ViceFolder,
): Promise<{ readonly names: readonly string[]; readonly from: string | undefined }> {
  for (const { path, mayRead } of places) {
    const from = join(path, name);
    const listed = await mayRead(from);
    if (listed === undefined) continue;
    const entries = await readdir(listed.path).catch(() => []);
    listed.close();
    const names: string[] = [];
    for (const entry of entries.filter((each) => !noRom.test(each)).slice(0, mostFiles)) {
      const bytes = await readSmall(join(from, entry), mayRead);
      if (bytes === undefined) continue;
      await folder.write(join(name, entry), bytes);
      names.push(entry);
    }
    if (names.length > 0) return { names, from };
  }
  return { names: [], from: undefined };
}

async function readSmall(path: string, mayRead: RomPlace['mayRead']): Promise<Uint8Array | undefined> {
  const granted = await mayRead(path);
  if (granted === undefined) return undefined;
  try {
    const file = await open(granted.path).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      const isRom = (await file.stat()).isFile() && size > 0 && size <= mostBytes;
      return isRom ? new Uint8Array(await file.readFile()) : undefined;
    } finally {
      await file.close();
    }
  } finally {
    granted.close();
  }
}

function missing({ program, name, folder, builtIn }: ViceModel): MachineError {
  return new MachineError(
    'NOT_FOUND',
    `${program} needs the ROMs of a ${name}, and none were found.`,
    [
      advice`Give a copy of VICE's data folder, with ${folder}/ in it, as "roms", or start the server with --roms.`,
      advice`x64sc, x64, xvic and xplus4 start with frontpanel's own ROMs.`,
      ...(builtIn ? [advice`The built-in machine needs none: ${call('machine_start', { kind: builtIn })}.`] : []),
    ],
    { program, folder },
  );
}
