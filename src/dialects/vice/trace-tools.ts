import { z } from 'zod';
import { hexByte } from '../../formats/hex.ts';
import type { DialectTool } from '../dialect.ts';
import { momentOf } from './moment.ts';

import type { ViceCall } from './vice-call.ts';
import { viceTool } from './vice-tool.ts';

const nothing = z.strictObject({});
const cursor = z.number().int().min(0).default(0).describe('"next_cursor" of the page before');
const limit = z.number().int().min(1).max(2000).default(500);
const event = z.looseObject({
  cycle: z.number(),
  frame: z.number(),
  frame_cycle: z.number(),
  raster_line: z.number(),
  raster_cycle: z.number(),
  type: z.string(),
  chip: z.string().nullish(),
  register: z.string().optional(),
  register_name: z.string().optional(),
  value: z.number().optional(),
  target: z.string().optional(),
  note: z.string().optional(),
  pc: z.string(),
  annotation: z.string().optional(),
});
const page = {
  cycles: z.number(),
  frames: z.array(z.number()),
  frames_long: z.number(),
  total: z.number(),
  lost: z.number(),
  full_at: z.number().nullish(),
  next: z.number().nullish(),
  events: z.array(event),
};

type FrameEvent = z.output<typeof event>;

const accesses = ['write', 'read'];

const start = viceTool({
  name: 'vice.trace.frame.start',
  title: 'Begin frame tracing',
  description: 'From now on every write to a chip register (with "reads" every read too) belongs to the trace.',
  effect: 'change',
  input: z.strictObject({
    frames: z.number().int().min(1).max(1000).optional().describe('Ends after so many'),
    chips: z.array(z.string().max(20)).max(20).optional().describe('["vic2","sid"]; default: all'),
    reads: z.boolean().default(false),
  }),
  async call(wanted, call) {
    // Interrupts are events of the processor, whichever chips are traced.
    const chips = wanted.chips && [...new Set([...wanted.chips, 'cpu'])];
    await call.use('frame_trace', { action: 'start', ...wanted, ...(chips && { chips }) }, {});
    return { tracing: true };
  },
});

const stop = viceTool({
  name: 'vice.trace.frame.stop',
  title: 'Stop frame tracing',
  description: 'Stop tracing and return the first page of what was captured.',
  effect: 'change',
  input: nothing,
  async call(_input, call) {
    await call.use('frame_trace', { action: 'stop' }, {});
    return { tracing: false, ...(await captured(call, { cursor: 0, limit: 500 })) };
  },
});

const get = viceTool({
  name: 'vice.trace.frame.get',
  title: 'Get traced frames',
  description:
    'The register accesses of the trace, page by page; without a trace those of the last whole frame and since. "frame": ' +
    'only those of that frame.',
  effect: 'read',
  input: z.strictObject({ cursor, limit, frame: z.number().int().min(0).optional() }),
  call: (wanted, call) => captured(call, wanted),
});

const cyclesGet = viceTool({
  name: 'vice.trace.cycles.get',
  title: 'Get the cycle count',
  description:
    'Cycles since vice.trace.cycles.reset, or since power-up, and the whole frames and raster lines in them.',
  effect: 'read',
  input: nothing,
  async call(_input, call) {
    const { cycle, since_mark, beam } = await momentOf(call);
    const cycles = since_mark ?? cycle;
    const perLine = beam?.cyclesPerLine ?? 1;
    return {
      cycles,
      frames: Math.floor(cycles / (perLine * (beam?.linesPerFrame ?? 1))),
      raster_lines: Math.floor(cycles / perLine),
    };
  },
});

const cyclesReset = viceTool({
  name: 'vice.trace.cycles.reset',
  title: 'Reset the cycle counter',
  description: 'Count cycles from now on.',
  effect: 'change',
  idempotent: true,
  input: nothing,
  async call(_input, call) {
    await call.use('cycles_read', { mark: true }, {});
    return { cycles: 0, frames: 0, raster_lines: 0 };
  },
});

const events = viceTool({
  name: 'vice.trace.events.get',
  title: 'Get instrumentation events',
  description:
    'Sprite events (also writes to their registers, and reads of collisions), IRQ and NMI entries and exits, collisions and ' +
    'bad lines of the trace or the last frame.',
  effect: 'read',
  input: z.strictObject({ types: z.array(z.string().max(40)).min(1).max(40).optional(), cursor, limit }),
  async call({ types, ...wanted }, call) {
    // The design's sprite events are accesses to their registers.
    const sprites = call.facts.sprites > 0 ? ['sprite_write', 'sprite_read'] : [];
    const all = types ?? ['events', ...sprites];
    const reads = all.some((type) => type === 'read' || type === 'sprite_read');
    const found = await call.use('frame_trace', { ...wanted, types: all, ...(reads && { reads }) }, page);
    return { events: found.events.map((each) => eventFields(each)), ...paging(found) };
  },
});

async function captured(call: ViceCall, wanted: Readonly<Record<string, unknown>>) {
  const found = await call.use('frame_trace', { ...wanted, types: accesses }, page);
  return {
    frame_number: found.frames[0] ?? null,
    frames_captured: found.frames_long,
    total_cycles: found.cycles,
    events: found.events.map((each) => eventFields(each)),
    ...paging(found),
  };
}

function paging({
  next,
  lost,
  full_at,
}: {
  next?: number | null | undefined;
  lost: number;
  full_at?: number | null | undefined;
}) {
  return {
    next_cursor: next ?? null,
    ...(lost > 0 && { lost_cycles: lost }),
    ...(typeof full_at === 'number' && { full_at_cycle: full_at }),
  };
}

/** Sprites are registers of the VIC-II that have a type of their own. */
function eventFields(each: FrameEvent): Record<string, unknown> {
  const { chip, register, register_name = '', value, type, target, note, annotation } = each;
  const isSprite = chip === 'vic2' && /^(SP\d|MSIGX|SPENA|YXPAND|XXPAND|SPBGPR|SPMC|SPSPCL|SPBGCL)/.test(register_name);
  return {
    cycle: each.frame_cycle,
    frame: each.frame,
    raster_line: each.raster_line,
    raster_cycle: each.raster_cycle,
    type: accesses.includes(type) ? `${isSprite ? 'sprite' : chip}_${type}` : type,
    ...(register !== undefined && { register, register_name, value: hexByte(value ?? 0) }),
    ...(register === undefined && value !== undefined && { value }),
    ...(target !== undefined && { target }),
    ...(note !== undefined && { note }),
    pc: each.pc,
    annotation: annotation ?? null,
  };
}

export const traceTools: readonly DialectTool[] = [start, stop, get, cyclesGet, cyclesReset, events];
