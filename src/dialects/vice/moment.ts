import { z } from 'zod';
import { hexByte, hexWord } from '../../formats/hex.ts';
import { breakpointType } from './breakpoint-types.ts';

import type { ViceCall } from './vice-call.ts';

const beam = z.object({
  frame: z.number(),
  line: z.number(),
  cycle: z.number(),
  linesPerFrame: z.number(),
  cyclesPerLine: z.number(),
});
const place = beam.pick({ frame: true, line: true, cycle: true });
type Place = z.output<typeof place>;
const access = z.object({
  kind: z.string(),
  address: z.number(),
  value: z.number(),
  old: z.number().optional(),
});
const collision = z.object({ type: z.string(), sprites: z.number() });
const interrupt = z.object({ line: z.string(), source: z.string().optional(), interrupted: z.number() });
const happened = { pc: z.number().optional(), access: access.optional(), beam: place.optional() };
const stop = z.object({
  reason: z.string(),
  cause: z.string(),
  breakpoint: z.object({ id: z.number(), type: z.string() }).optional(),
  event: z.object({ ...happened, collision: collision.optional(), interrupt: interrupt.optional() }).optional(),
});
const shape = {
  state: z.string(),
  pc: z.number(),
  name: z.string().optional(),
  source: z.object({ file: z.string(), line: z.number(), text: z.string().optional() }).optional(),
  stop: stop.optional(),
  beam: beam.optional(),
  cycle: z.number(),
  since_mark: z.number().optional(),
};

export type Moment = z.output<z.ZodObject<typeof shape>>;

export function momentOf(call: ViceCall): Promise<Moment> {
  return call.use('moment_read', {}, shape);
}

/** What every answer carries. */
export function commonFields(moment: Moment): Record<string, unknown> {
  const { state, pc, stop: last, beam: at } = moment;
  const error = errorOf(moment);
  const place = state === 'RUNNING' ? {} : sourceFields(moment);
  const common = { execution_state: state, pc: hexWord(pc), ...place, ...(error && { error }) };
  if (state !== 'BREAKPOINT' || !last?.breakpoint) return common;
  return {
    ...common,
    breakpoint_id: last.breakpoint.id,
    breakpoint_type: breakpointType(last.breakpoint.type),
    ...(beamOf(last, at) && { raster_line: beamOf(last, at)?.line, raster_cycle: beamOf(last, at)?.cycle }),
    ...eventFields(last.event),
  };
}

/** What a debugger of sources shows of where the program stands. */
export const sourceNames: readonly string[] = ['symbol', 'source', 'source_text'];

function sourceFields({ name, source }: Moment): Record<string, unknown> {
  return {
    ...(name !== undefined && { symbol: name }),
    ...(source && { source: `${source.file}:${source.line}` }),
    ...(source?.text !== undefined && { source_text: source.text }),
  };
}

/** Where the beam was when it happened; the machine may have gone on to the end of the instruction. */
function beamOf({ event }: z.output<typeof stop>, now: Place | undefined): Place | undefined {
  return event?.beam ?? now;
}

/** Of what was waited for, all that `eventFields` may have. */
export const eventNames: readonly string[] = [
  ...['address', 'value', 'old_value', 'instruction_pc', 'collision_type', 'sprite_mask'],
  ...['interrupt', 'interrupt_source', 'interrupted_pc'],
];

interface Happened {
  readonly pc?: number | undefined;
  readonly access?: { readonly address: number; readonly value: number; readonly old?: number | undefined } | undefined;
  readonly collision?: z.output<typeof collision> | undefined;
  readonly interrupt?:
    | { readonly line: string; readonly source?: string | undefined; readonly interrupted: number }
    | undefined;
}

/** Of an access, which byte it was and who did it; of a collision the sprites; of an interrupt what it has interrupted. */
export function eventFields(event: Happened | undefined): Record<string, unknown> {
  if (event?.collision) return { collision_type: event.collision.type, sprite_mask: event.collision.sprites };
  if (event?.interrupt) {
    const { line, source, interrupted } = event.interrupt;
    return {
      interrupt: line,
      ...(source !== undefined && { interrupt_source: source }),
      interrupted_pc: hexWord(interrupted),
    };
  }
  if (!event?.access) return {};
  const { address, value, old } = event.access;
  return {
    address: hexWord(address),
    value: hexByte(value),
    ...(old !== undefined && { old_value: hexByte(old) }),
    ...(event.pc !== undefined && { instruction_pc: hexWord(event.pc) }),
  };
}

/** What is wrong with a machine in ERROR. */
function errorOf({ state, stop: last }: Moment): Record<string, unknown> | undefined {
  if (state !== 'ERROR' || !last) return undefined;
  const [, opcode, at] = /opcode (\$[0-9A-F]{2}) at (\$[0-9A-F]{4})/.exec(last.reason) ?? [];
  if (opcode === undefined) return { error_type: 'INTERNAL', message: last.reason };
  return { error_type: 'INVALID_OPCODE', pc: at, opcode, message: `Invalid opcode ${opcode} at ${at}` };
}
