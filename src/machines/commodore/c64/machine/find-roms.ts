import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../../../../machine/errors.ts';
import { driveRomBytes } from '../../drive/drive-1541.ts';
import type { RomImages } from '../memory-map.ts';

/** Names under which the images go round, and their sizes. */
const images = {
  kernal: { names: ['kernal-901227-03.bin', 'kernal', 'kernal.bin', 'kernal.rom'], bytes: 8192 },
  basic: { names: ['basic-901226-01.bin', 'basic', 'basic.bin', 'basic.rom'], bytes: 8192 },
  chargen: { names: ['chargen-901225-01.bin', 'chargen', 'chargen.bin', 'char.rom'], bytes: 4096 },
} as const;

/** The DOS of a 1541, in one piece. */
const driveImage = {
  names: [
    'dos1541-325302-01+901229-05.bin',
    'dos1541ii-251968-03.bin',
    'dos1541',
    'dos1541.bin',
    '1541.bin',
    '1541.rom',
    'd1541.rom',
  ],
  bytes: driveRomBytes,
} as const;

/** Where emulators and Debian put them. */
const usualFolders = [
  '/usr/share/vice/C64',
  '/usr/lib/vice/C64',
  '/usr/local/share/vice/C64',
  '/usr/share/open-roms/C64',
];

export interface FoundRoms {
  readonly roms: RomImages;
  /** For the answer of `machine_start`: which set is live. */
  readonly description: string;
}

/** The set in this folder; `auto` takes the first complete one, or the built-in one. */
export async function findRoms(wanted: string, folders: readonly string[], own: RomImages): Promise<FoundRoms> {
  const builtIn = { roms: own, description: "frontpanel's own ROMs" };
  if (wanted === 'own') return builtIn;
  const candidates = wanted === 'auto' ? [...folders, ...usualFolders] : [wanted];
  for (const folder of candidates) {
    const roms = await readSet(folder);
    if (roms) return { roms, description: `ROMs from ${folder}` };
  }
  if (wanted === 'auto') return builtIn;
  const names = Object.values(images).map(({ names: [first], bytes }) => `${first} (${bytes} bytes)`);
  throw new MachineError(
    'NOT_FOUND',
    `${wanted} does not hold a complete set of C64 ROMs.`,
    `It needs ${names.join(', ')}; or leave roms out.`,
  );
}

/** The ROM of a 1541: in the folder itself or, as VICE has it, in DRIVES beside or below it. */
export async function findDriveRom(
  wanted: 'auto' | '1541' | 'fast',
  folders: readonly string[],
): Promise<{ readonly rom: Uint8Array; readonly folder: string } | undefined> {
  if (wanted === 'fast') return undefined;
  const places = [...folders, ...usualFolders].flatMap((folder) => [
    folder,
    join(folder, 'DRIVES'),
    join(folder, '..', 'DRIVES'),
  ]);
  for (const folder of places) {
    const rom = await readImage(folder, driveImage);
    if (rom) return { rom, folder };
  }
  if (wanted === 'auto') return undefined;
  throw new MachineError(
    'NOT_FOUND',
    'No ROM of a 1541 was found.',
    `Put ${driveImage.names[0]} (${driveImage.bytes} bytes) into a folder given with --roms, or use "drives":"fast".`,
  );
}

async function readSet(folder: string): Promise<RomImages | undefined> {
  const [kernal, basic, chargen] = await Promise.all([
    readImage(folder, images.kernal),
    readImage(folder, images.basic),
    readImage(folder, images.chargen),
  ]);
  return kernal && basic && chargen ? { kernal, basic, chargen } : undefined;
}

async function readImage(
  folder: string,
  { names, bytes }: { readonly names: readonly string[]; readonly bytes: number },
): Promise<Uint8Array | undefined> {
  for (const name of names) {
    const image = await readFile(join(folder, name)).catch(() => undefined);
    if (image?.length === bytes) return new Uint8Array(image);
  }
  return undefined;
}
