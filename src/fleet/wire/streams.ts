import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { subjects } from './subjects.ts';

export const namesStream = 'FP_NAMES';
export const eventsStream = 'FP_EVENTS';
export const leasesStream = 'FP_LEASES';
export const filesStream = 'FP_FILES';
export const partsStream = 'FP_PARTS';

type WantedStream = Pick<StreamConfig, 'name' | 'subjects'> & Partial<StreamConfig>;

const wanted: readonly WantedStream[] = [
  { name: namesStream, subjects: [subjects.allNames], max_msgs_per_subject: 1 },
  { name: leasesStream, subjects: [subjects.allLeases], max_msgs_per_subject: 1 },
  { name: filesStream, subjects: [subjects.allFiles], max_msgs_per_subject: 1 },
  { name: partsStream, subjects: [subjects.allParts], max_msgs_per_subject: 1 },
  { name: eventsStream, subjects: [subjects.allEvents], max_msgs: 10_000, duplicate_window: 120_000_000_000 },
];

/** Makes what is not there: at the first start, and when the server has lost its store. */
export async function ensureStreams(manager: JetStreamManager): Promise<void> {
  for (const stream of wanted) {
    try {
      await manager.streams.info(stream.name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await manager.streams.add(stream);
    }
  }
}

export function isNotFound(error: unknown): boolean {
  const { code, status, message } = factsOf(error);
  return code === 10059 || code === 10037 || status === 404 || /not found/i.test(message);
}

/** Somebody else has written there since. */
export function isOutrun(error: unknown): boolean {
  const { code, message } = factsOf(error);
  return code === 10071 || /wrong last sequence/i.test(message);
}

export function factsOf(error: unknown): {
  readonly code: unknown;
  readonly status: unknown;
  readonly message: string;
} {
  const facts = Object(error) as { code?: unknown; status?: unknown; message?: unknown };
  return { code: facts.code, status: facts.status, message: String(facts.message ?? '') };
}
