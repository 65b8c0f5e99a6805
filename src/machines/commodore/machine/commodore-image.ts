import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MachineError } from '../../../machine/errors.ts';
import type { SnapshotImage } from '../../../machine/snapshots.ts';
import type { SavedSymbols } from '../symbols/commodore-symbols.ts';
import type { MediaRecord } from './commodore-media.ts';
import type { Fitted } from './fittings.ts';

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

const word = z.number().int().min(0).max(0xffff);
const text = z.string().max(1000);

const factsShape = z.strictObject({
  images: z.number().int().min(0).max(64),
  media: z.record(text, z.strictObject({ name: text, readOnly: z.boolean() })),
  before: z.record(text, z.string().max(200)),
  fitted: z.record(text, text),
  symbols: z.strictObject({
    entries: z
      .array(
        z.strictObject({
          name: text,
          address: z.number().int(),
          isConstant: z.boolean().optional(),
          file: text.optional(),
          line: z.number().int().min(0).optional(),
          source: text,
        }),
      )
      .max(0x10000),
    lines: z
      .array(
        z.tuple([
          text,
          z
            .array(
              z.strictObject({
                address: word,
                length: z.number().int().min(0).max(0x10000),
                file: text,
                line: z.number().int().min(0),
                isHigh: z.boolean().optional(),
              }),
            )
            .max(0x10000),
        ]),
      )
      .max(64),
  }),
});

/** What sources say beside names and lines, which may be much: a part of its own. */
const notesShape = z.strictObject({
  annotations: z
    .array(
      z.strictObject({
        type: text,
        description: text,
        file: text,
        line: z.number().int().min(0),
        label: text.optional(),
        address: word.optional(),
        source: text,
      }),
    )
    .max(1_000_000),
  texts: z.array(z.tuple([text, z.array(z.tuple([text, z.string()])).max(0x10000)])).max(64),
});

export function modelOf({ roms }: CommodoreOrigin): Readonly<Record<string, string>> {
  const known = Object.entries(roms).flatMap(([name, bytes]) => (bytes ? [[name, bytes] as const] : []));
  return Object.fromEntries(known.map(([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')]));
}

export function writeImage(content: CommodoreContent, origin: CommodoreOrigin, time: string): SnapshotImage {
  const { state, images, media, fitted } = content;
  const { annotations, texts, ...symbols } = content.symbols;
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
      symbols,
    },
    parts: new Map([
      ['state', state],
      ['notes', new TextEncoder().encode(JSON.stringify({ annotations, texts }))],
      ...images.map((bytes, index) => [`image${index}`, bytes] as const),
      ...slots.map(([slot, { bytes }]) => [`medium.${slot}`, bytes] as const),
    ]),
  };
}

/** Refuses what no machine here has written. */
export function readImage({ facts, parts }: SnapshotImage, slots: readonly string[]): CommodoreContent {
  const { data, error } = factsShape.safeParse(facts);
  if (!data) throw damaged(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  const part = (name: string) => {
    const bytes = parts.get(name);
    if (!bytes) throw damaged(`${name} is missing`);
    return bytes;
  };
  const notes = readNotes(parts.get('notes'));
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
    symbols: {
      entries: data.symbols.entries.map(known),
      lines: data.symbols.lines.map(([source, lines]) => [source, lines.map(known)]),
      annotations: notes.annotations.map(known),
      texts: notes.texts,
    },
  };
}

function readNotes(bytes: Uint8Array | undefined): z.output<typeof notesShape> {
  if (!bytes) return { annotations: [], texts: [] };
  let notes: unknown;
  try {
    notes = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damaged('notes are no JSON');
  }
  const { data, error } = notesShape.safeParse(notes);
  if (!data) throw damaged(`notes.${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  return data;
}

/** Without what is left out. */
function known<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

export function damaged(why: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `The snapshot is damaged: ${why}.`, 'Save it again where it came from.');
}
