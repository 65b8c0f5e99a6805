import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { pageOf } from './debug/paging.ts';
import { showBusEdges, showBusMessages } from './debug/show-bus.ts';
import { type ShownEvent, showBorders, showFrameEvent, showFrameTrace } from './debug/show-frame-trace.ts';
import { defineTool } from './tool.ts';

/** A second: whoever asks wants to see a file begin. */
const defaultBusFrames = 50;

export const frameTrace = defineTool({
  name: 'frame_trace',
  title: 'Trace what the chips did in a frame',
  description:
    'Every write to a chip register in the last whole frames with cycle, raster line, pc and symbol; also interrupts and ' +
    'their ends, sprite DMA, collisions, bad lines. Needs no preparation: the past is run again. Or mark a stretch with ' +
    '"action":"start", run, "stop", then read. Example: {"frames":1,"chips":["vic2"],"first_line":50,"last_line":100}.',
  toolset: 'timing',
  needs: ['frameTrace', 'addresses'],
  effect: 'read',
  input: z.object({
    action: z
      .enum(['read', 'start', 'stop', 'borders', 'bus', 'bus_edges'])
      .default('read')
      .describe('borders: colours of the border; bus: the serial bus to the drives, decoded'),
    frames: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('read: how many of the last frames; start: end after this many'),
    frame: z.number().int().min(0).optional().describe('Only the frame with this number'),
    chips: z.array(z.string()).max(20).optional(),
    registers: z.array(z.string()).max(64).optional().describe('By name or address: "EXTCOL", "$D020"'),
    types: z
      .array(z.string())
      .max(40)
      .optional()
      .describe('"write", "irq", "rti", "bad_line", "sprite_dma" …; "events": all but write and read'),
    first_line: z.number().int().min(0).optional(),
    last_line: z.number().int().min(0).optional(),
    reads: z.boolean().optional().describe('Also what was read from chips'),
    cursor: z.number().int().min(0).default(0).describe('Where the previous page ended'),
    limit: z.number().int().min(1).max(2000).default(100),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ frameTrace: trace, addresses, busTrace, annotations }, input, { rack, signal }) {
    const maxBytes = rack.limits.traceBytes;
    if (input.action === 'borders') {
      const history = await trace.borders(input.frames ?? 1, maxBytes, signal);
      return showBorders(pageOf(history, input.cursor, input.limit), addresses);
    }
    if (input.action === 'bus' || input.action === 'bus_edges') {
      if (!busTrace)
        throw new MachineError('MISSING_CAPABILITY', 'This machine has no serial bus.', 'Leave "action" out.');
      const bus = await busTrace.trace(input.frames ?? defaultBusFrames, signal);
      return input.action === 'bus'
        ? showBusMessages(bus, input.cursor, input.limit)
        : showBusEdges(bus, input.cursor, input.limit, addresses);
    }
    if (input.action !== 'read') {
      const { frames, chips, reads = false } = input;
      const status = input.action === 'start' ? trace.start({ frames, chips, reads }) : trace.stop();
      return { text: showStatus(status), data: { ...status } };
    }
    const { first_line: firstLine, last_line: lastLine, ...rest } = input;
    const query = { ...rest, firstLine, lastLine, maxBytes };
    const page = await trace.read(query, signal);
    const slice = new TimeSlice(unlessAborted(signal));
    const events: ShownEvent[] = [];
    for (const event of page.events) {
      events.push(showFrameEvent(event, addresses, annotations));
      if (slice.isOver) await slice.next();
    }
    const { from, to, frames, framesLong, lost, fullAt, total, next } = page;
    return {
      text: showFrameTrace(page, events),
      data: {
        from,
        to,
        cycles: to - from,
        frames,
        frames_long: framesLong,
        lost,
        full_at: fullAt,
        total,
        next,
        events: events.map(({ data }) => data),
      },
    };
  },
});

function showStatus({ active, from, to }: { active: boolean; from?: number | undefined; to?: number | undefined }) {
  if (from === undefined || to === undefined) return 'no trace was started';
  return active ? `tracing from cycle ${from} on` : `traced ${to - from} cycles from cycle ${from} on`;
}
