import { z } from 'zod';
import type { SavedEpisode } from './pool-messages.ts';

const headerShape = z.strictObject({
  observation: z.int().min(0),
  facts: z.strictObject({
    random: z.int().min(0).max(0xffff_ffff),
    steps: z.int().min(0),
    last: z.array(z.number()).max(4),
    actions: z.array(z.int().min(0).max(255)).max(4),
    hasEnded: z.boolean().default(false),
  }),
});

/** A saved episode as bytes: the length of a header, the header as JSON, the observation, and a snapshot file. */
export function savedBytes({ file, facts, observation }: SavedEpisode): Uint8Array {
  const header = Buffer.from(JSON.stringify({ facts, observation: observation.length }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  // No Buffer, whose `slice` is a view of the same bytes.
  return new Uint8Array(Buffer.concat([length, header, observation, file]));
}

/** Throws what is wrong with them. */
export function savedFrom(bytes: Uint8Array): SavedEpisode {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = buffer.length < 4 ? Number.POSITIVE_INFINITY : buffer.readUInt32LE(0);
  if (4 + length > buffer.length) throw new RangeError('a saved episode is cut short');
  const { facts, observation } = headerOf(buffer.toString('utf8', 4, 4 + length));
  const start = 4 + length;
  if (start + observation > buffer.length) throw new RangeError('a saved episode is cut short');
  return {
    facts,
    observation: new Uint8Array(buffer.subarray(start, start + observation)),
    file: new Uint8Array(buffer.subarray(start + observation)),
  };
}

function headerOf(text: string): z.output<typeof headerShape> {
  try {
    return headerShape.parse(JSON.parse(text));
  } catch {
    throw new RangeError('these bytes are not a saved episode: restore takes what save has returned, unchanged');
  }
}
