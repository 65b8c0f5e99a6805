import { z } from 'zod';
import type { MachineEvent } from '../machine/events.ts';
import type { EventFilter, EventLog } from '../rack/event-log.ts';
import { defineRackTool } from './tool.ts';

const maxListed = 100;
/** Of all events listed, as JSON. */
const maxListedChars = 24_000;

export const eventsRead = defineRackTool({
  name: 'events_read',
  title: 'Read events',
  description:
    'Unsolicited events: stops, resets, links lost or restored, machines gone, recording failures. ' +
    'Give `from` the number the last answer ended with; `wait_ms` waits for the first new one.',
  toolset: 'log',
  effect: 'read',
  input: z.object({
    from: z.number().int().min(0).optional().describe('First event number; default: all that are kept'),
    machine: z.string().optional().describe('Only of this machine'),
    types: z.array(z.string()).max(20).optional().describe('Only of these types, e.g. ["link_lost"]'),
    wait_ms: z.number().int().min(0).max(50_000).optional(),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ from = 0, machine, types, wait_ms = 0, format }, { rack, signal }) {
    const filter = { machine, types };
    let found = rack.events.read(from, filter);
    if (found.events.length === 0 && wait_ms > 0) {
      await nextEvent(rack.events, filter, wait_ms, signal);
      found = rack.events.read(from, filter);
    }
    const listed = fitting(found.events);
    const left = found.events.length - listed.length;
    const last = listed.at(-1);
    const next = left > 0 && last ? last.seq + 1 : rack.events.nextSeq;
    const data = { events: listed, next, lost: found.lost, left_out: left };
    if (format === 'json') return { text: JSON.stringify(data), data };
    const gap = found.lost > 0 ? [`(${found.lost} older events are no longer kept)`] : [];
    const lines = listed.length > 0 ? listed.map(asText) : ['No events.'];
    return {
      text: [...gap, ...lines, `${left > 0 ? `${left} more; ` : ''}go on with "from":${next}`].join('\n'),
      data,
    };
  },
});

/** As many as an answer has room for, and at least one. */
function fitting(events: readonly MachineEvent[]): readonly MachineEvent[] {
  let chars = 0;
  const tooMany = events.findIndex((event, index) => {
    chars += JSON.stringify(event).length;
    return index >= maxListed || (index > 0 && chars > maxListedChars);
  });
  return tooMany < 0 ? events : events.slice(0, tooMany);
}

function asText(event: MachineEvent): string {
  return `${event.seq} ${new Date(event.at).toISOString().slice(11, 23)} ${event.machine} ${event.type}: ${event.text}`;
}

function nextEvent(log: EventLog, filter: EventFilter, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unlisten();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    const unlisten = log.onEvent((event) => {
      const wanted = filter.machine === undefined || event.machine === filter.machine;
      if (wanted && (filter.types === undefined || filter.types.includes(event.type))) done();
    });
    signal.addEventListener('abort', done, { once: true });
  });
}
