import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { eventNames, type ViceEvents } from './vice-events.ts';
import { viceTool } from './vice-tool.ts';

export function eventTools(events: ViceEvents): readonly DialectTool[] {
  const subscribe = viceTool({
    name: 'vice.events.subscribe',
    title: 'Subscribe to events',
    description:
      'Be told of events from now on; an empty list ends it. They come as log messages where the protocol has sessions, and as ' +
      'updates of the resource in the answer for clients that subscribe to it.',
    effect: 'read',
    idempotent: true,
    input: z.strictObject({
      events: z.array(z.enum(eventNames)).max(eventNames.length),
      every_frames: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(1)
        .describe('frame_complete only every so many frames'),
    }),
    async call({ events: wanted, every_frames }, { host, caller }) {
      const resource = events.subscribe([...new Set(wanted)], every_frames, host, caller);
      return { subscribed: [...new Set(wanted)], ...(resource !== undefined && { resource }) };
    },
  });
  return [subscribe];
}
