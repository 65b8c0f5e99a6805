import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import type { ViceMachineFacts } from './machines.ts';
import { type EventName, eventNames, type ViceEvents } from './vice-events.ts';
import { viceTool } from './vice-tool.ts';

/** Why a machine never has an event. */
function lackOfEvent(event: EventName, { name, videoChip, sprites }: ViceMachineFacts): string | undefined {
  if (event === 'sprite_collision' && sprites === 0) return `${name} has no sprites`;
  if (event === 'raster_interrupt' && videoChip === 'VIC') return 'the VIC asks for no interrupts';
  return undefined;
}

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
    async call({ events: wanted, every_frames }, { host, caller, facts }) {
      const names = [...new Set(wanted)];
      const unavailable = names.flatMap((event) => {
        const reason = lackOfEvent(event, facts);
        return reason === undefined ? [] : [{ event, reason }];
      });
      const subscribed = names.filter((name) => !unavailable.some(({ event }) => event === name));
      const resource = events.subscribe(subscribed, every_frames, host, caller);
      return {
        subscribed,
        ...(unavailable.length > 0 && { unavailable }),
        ...(resource !== undefined && { resource }),
      };
    },
  });
  return [subscribe];
}
