import { MachineError } from '../../../machine/errors.ts';
import { describeSet, findRomSet } from '../roms/search/find-rom-set.ts';
import type { RomPlace } from '../roms/search/rom-places.ts';
import type { RomFile, RomSetSpec, RomSpec } from '../roms/search/rom-spec.ts';
import type { RomPart } from './commodore-model.ts';

export interface FoundRoms<Part extends string = RomPart> {
  /** Undefined: the built-in ones. */
  readonly roms: Readonly<Record<Part, Uint8Array>> | undefined;
  readonly maker: 'own' | 'original' | 'open-roms' | 'unknown';
  /** Part numbers, of originals. */
  readonly revisions: { readonly kernal?: string | undefined; readonly basic?: string | undefined };
  /** For the answer of `machine_start`: which set is live, and where it came from. */
  readonly description: string;
}

const own = { roms: undefined, maker: 'own', revisions: {}, description: "frontpanel's own ROMs" } as const;

/** `places` of which the first is the one that was asked for, unless `wanted` is auto or own. */
export async function findRoms<Part extends 'kernal' | 'basic' | 'chargen'>(
  set: RomSetSpec<Part>,
  wanted: string,
  places: readonly RomPlace[],
): Promise<FoundRoms<Part>> {
  if (wanted === 'own') return own;
  const { found, passedOver } = await findRomSet(set, wanted === 'auto' ? places : places.slice(0, 1));
  if (found) {
    const files: Partial<Readonly<Record<string, RomFile>>> = found.files;
    const parts = Object.keys(found.files) as Part[];
    const roms = Object.fromEntries(parts.map((part) => [part, found.files[part].bytes])) as Record<Part, Uint8Array>;
    const others = passedOver.length === 0 ? '' : ` (${passedOver.join('; ')})`;
    const revisions = { kernal: files.kernal?.origin.revision, basic: files.basic?.origin.revision };
    return { roms, maker: found.maker, revisions, description: `${describeSet(set, found)}${others}` };
  }
  if (wanted === 'auto') {
    const why = passedOver.length === 0 ? '' : `: ${passedOver.join('; ')}`;
    return { ...own, description: `${own.description}${why}` };
  }
  const names = Object.values<RomSpec>(set.images).map(({ names: [first], bytes }) => `${first} (${bytes} bytes)`);
  throw new MachineError(
    'NOT_FOUND',
    `${wanted} does not hold a complete set of ${set.machine} ROMs: ${passedOver.join('; ')}.`,
    `It needs ${names.join(', ')}, directly or in a subfolder ${set.folder}; or leave roms out.`,
  );
}
