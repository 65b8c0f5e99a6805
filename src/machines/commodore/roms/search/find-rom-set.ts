import { join } from 'node:path';
import { RomFolder } from './rom-folder.ts';
import type { RomPlace } from './rom-places.ts';
import type { RomFile, RomOrigin, RomSetSpec, RomSpec } from './rom-spec.ts';

export interface FoundSet<Part extends string> {
  readonly files: Readonly<Record<Part, RomFile>>;
  readonly folder: string;
  readonly maker: RomOrigin['maker'];
}

export interface SetSearch<Part extends string> {
  readonly found?: FoundSet<Part>;
  /** What was looked at and not taken, and why. */
  readonly passedOver: readonly string[];
}

/** The first complete set in a folder that somebody named, or of originals in one that nobody did. */
export async function findRomSet<Part extends string>(
  set: RomSetSpec<Part>,
  places: readonly RomPlace[],
): Promise<SetSearch<Part>> {
  const passedOver: string[] = [];
  for (const place of places) {
    const { found, problem } = await lookInto(place, set);
    if (found && (place.isNamed || found.maker === 'original')) return { found, passedOver };
    if (found && found.maker === 'unknown') passedOver.push(`${found.folder} holds no known originals`);
    if (problem !== undefined && place.isNamed) passedOver.push(problem);
  }
  return { passedOver };
}

/** One image in a folder, or in `DRIVES` below or beside it. */
export async function findDriveRom(spec: RomSpec, places: readonly RomPlace[]): Promise<RomFile | undefined> {
  for (const { path, isNamed, mayRead } of places) {
    for (const folder of [path, join(path, 'DRIVES'), join(path, '..', 'DRIVES')]) {
      const opened = await orProblem(RomFolder.open(folder, mayRead));
      const file = opened.value && (await orProblem(opened.value.find(spec))).value;
      if (file && (isNamed || file.origin.maker === 'original')) return file;
    }
  }
  return undefined;
}

/** As an answer has it: `originals (KERNAL 901227-03, …) from /usr/share/vice/C64`. */
export function describeSet<Part extends string>(
  { images }: RomSetSpec<Part>,
  { files, folder, maker }: FoundSet<Part>,
): string {
  const parts = partsOf(images).map((part) => `${images[part].title} ${files[part].origin.revision ?? 'unknown'}`);
  if (maker === 'original') return `original ROMs from ${folder} (${parts.join(', ')})`;
  if (maker === 'unknown') return `ROMs from ${folder}, not all of them known (${parts.join(', ')})`;
  return `open-roms from ${folder}, whose BASIC is unfinished: PRINT 6*7 is an error ("roms":"own" is complete)`;
}

async function lookInto<Part extends string>(
  { path, mayRead }: RomPlace,
  set: RomSetSpec<Part>,
): Promise<{ readonly found?: FoundSet<Part>; readonly problem?: string }> {
  const top = await orProblem(RomFolder.open(path, mayRead));
  if (top.problem !== undefined) return { problem: top.problem };
  if (top.value === undefined) return { problem: `${path} is not a folder that can be read` };
  const below = await orProblem(top.value.below(set.folder));
  const problems = [below.problem].filter((problem) => problem !== undefined);
  for (const folder of [top.value, below.value]) {
    if (folder === undefined) continue;
    const { value, problem } = await orProblem(completeSet(folder, set));
    if (value && 'files' in value) return { found: { ...value, folder: folder.path } };
    problems.push(problem ?? `${folder.path} lacks ${value?.missing.join(', ')}`);
  }
  return { problem: problems.at(-1) ?? '' };
}

type Completeness<Part extends string> =
  | Pick<FoundSet<Part>, 'files' | 'maker'>
  | { readonly missing: readonly string[] };

async function completeSet<Part extends string>(
  folder: RomFolder,
  { images, inOne = [] }: RomSetSpec<Part>,
): Promise<Completeness<Part>> {
  const files: Partial<Record<Part, RomFile>> = {};
  for (const part of partsOf(images)) {
    const file = await folder.find(images[part]);
    if (file) files[part] = file;
  }
  if (inOne.some((part) => files[part] === undefined)) {
    const pieces = await folder.findInOne(inOne.map((part) => images[part]));
    for (const [index, part] of inOne.entries()) files[part] ??= pieces?.[index];
  }
  const missing = partsOf(images).filter((part) => files[part] === undefined);
  if (!isWhole(files, images)) {
    return { missing: missing.map((part) => images[part].title) };
  }
  const makers = partsOf(images).map((part) => files[part].origin.maker);
  const maker = makers.includes('open-roms') ? 'open-roms' : makers.includes('unknown') ? 'unknown' : 'original';
  return { files, maker };
}

function isWhole<Part extends string>(
  files: Partial<Record<Part, RomFile>>,
  images: Readonly<Record<Part, RomSpec>>,
): files is Record<Part, RomFile> {
  return partsOf(images).every((part) => files[part] !== undefined);
}

function partsOf<Part extends string>(images: Readonly<Record<Part, RomSpec>>): readonly Part[] {
  return Object.keys(images) as Part[];
}

/** A folder that cannot be read is no reason to start no machine, but one to tell. */
async function orProblem<Value>(
  attempt: Promise<Value>,
): Promise<{ readonly value?: Value; readonly problem?: string }> {
  try {
    return { value: await attempt };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { problem: error.message };
    throw error;
  }
}
