import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MachineError } from '../../../machine/errors.ts';
import type { SnapshotImage } from '../../../machine/snapshots.ts';
import { TimeSlice, unlessAborted } from '../../shared/time-slice.ts';
import type { SavedSymbols } from '../symbols/commodore-symbols.ts';
import type { MediaRecord } from './commodore-media.ts';
import type { Fitted } from './fittings.ts';
import { readSymbols, writeSymbols } from './symbols-part.ts';

/** What a machine was made of, for snapshots that leave it. */
export interface CommodoreOrigin {
  /** Options that make another of its sort. */
  readonly options: Readonly<Record<string, unknown>>;
  /** ROMs by name; they are no part of the state. */
  readonly roms: Readonly<Record<string, Uint8Array | undefined>>;
}

/** A snapshot of a Commodore as it is kept and as it travels. */
export interface CommodoreContent {
  readonly state: Uint8Array;
  /** Contents of disks, tapes and flash memory that the state names by their hash. */
  readonly images: readonly Uint8Array[];
  readonly media: MediaRecord;
  /** What was in the sockets and ports. */
  readonly fitted: Fitted;
  readonly symbols: SavedSymbols;
}

const text = z.string().max(1000);

const factsShape = z.strictObject({
  images: z.number().int().min(0).max(64),
  media: z.record(text, z.strictObject({ name: text, readOnly: z.boolean() })),
  before: z.record(text, z.string().max(200)),
  fitted: z.record(text, text),
});

export function modelOf({ roms }: CommodoreOrigin): Readonly<Record<string, string>> {
  const known = Object.entries(roms).flatMap(([name, bytes]) => (bytes ? [[name, bytes] as const] : []));
  return Object.fromEntries(known.map(([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')]));
}

export async function writeImage(
  content: CommodoreContent,
  origin: CommodoreOrigin,
  time: string,
): Promise<SnapshotImage> {
  const { state, images, media, fitted } = content;
  const slots = [...media.media];
  return {
    options: origin.options,
    model: modelOf(origin),
    time,
    facts: {
      images: images.length,
      media: Object.fromEntries(slots.map(([slot, { name, readOnly }]) => [slot, { name, readOnly }])),
      before: Object.fromEntries(media.before),
      fitted,
    },
    parts: new Map([
      ['state', state],
      ['symbols', await writeSymbols(content.symbols, new TimeSlice())],
      ...images.map((bytes, index) => [`image${index}`, bytes] as const),
      ...slots.map(([slot, { bytes }]) => [`medium.${slot}`, bytes] as const),
    ]),
  };
}

/** Refuses what no machine here has written. */
export async function readImage(
  { facts, parts }: SnapshotImage,
  slots: readonly string[],
  signal: AbortSignal,
): Promise<CommodoreContent> {
  const { data, error } = factsShape.safeParse(facts);
  if (!data) throw damaged(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  const part = (name: string) => {
    const bytes = parts.get(name);
    if (!bytes) throw damaged(`${name} is missing`);
    return bytes;
  };
  const stranger = [...Object.keys(data.media), ...Object.keys(data.before)].find((slot) => !slots.includes(slot));
  if (stranger !== undefined) throw damaged(`there is no slot ${JSON.stringify(stranger.slice(0, 40))}`);
  return {
    state: part('state'),
    images: Array.from({ length: data.images }, (_, index) => part(`image${index}`)),
    media: {
      media: new Map(
        Object.entries(data.media).map(([slot, medium]) => [slot, { ...medium, bytes: part(`medium.${slot}`) }]),
      ),
      before: new Map(Object.entries(data.before)),
    },
    fitted: data.fitted,
    symbols: await symbolsIn(parts.get('symbols') ?? new Uint8Array(), signal),
  };
}

async function symbolsIn(part: Uint8Array, signal: AbortSignal): Promise<SavedSymbols> {
  const slice = new TimeSlice(unlessAborted(signal));
  try {
    return await readSymbols(part, slice);
  } catch (error) {
    if (error instanceof MachineError) throw error;
    throw damaged(`symbols: ${error instanceof z.ZodError ? error.issues[0]?.message : (error as Error).message}`);
  }
}

export function damaged(why: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `The snapshot is damaged: ${why}.`,
    'Save it again on the machine it came from.',
  );
}
