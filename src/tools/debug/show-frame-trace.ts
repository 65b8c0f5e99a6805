import type { ToolAnswer } from '../../api/tool-host.ts';
import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { AnnotationsCapability } from '../../machine/annotations.ts';
import type { BorderChange, FrameEvent, FrameTracePage } from '../../machine/frame-trace.ts';
import type { Page } from './paging.ts';

export interface ShownEvent {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event as a line, and as data with addresses as the machine writes them. */
export function showFrameEvent(
  event: FrameEvent,
  { format, symbols }: AddressCapability,
  annotations?: AnnotationsCapability,
): ShownEvent {
  const { cycle, frame, frameCycle, line, lineCycle, type, chip, register, value, note } = event;
  const symbol = symbols.describe(event.pc);
  const annotation = nearestName(event.pc, symbol, annotations);
  const pc = format(event.pc);
  const isJump = chip === 'cpu' && value !== undefined && note === undefined;
  const goal = isJump ? format(BigInt(value)) : undefined;
  const what = register
    ? `${chip} ${format(BigInt(register.address))} ${register.name} ${type === 'read' ? 'read as' : '='} $${hex(value ?? 0, 2)}`
    : `${type}${note ? ` ${note}` : ''}${goal ? ` to ${goal}` : ''}`;
  return {
    text: `${frame}:${line}/${lineCycle} ${what}  at ${pc}${symbol ? ` ${symbol}` : ''}`,
    data: {
      cycle,
      frame,
      frame_cycle: frameCycle,
      raster_line: line,
      raster_cycle: lineCycle,
      type,
      chip,
      ...(register && { register: format(BigInt(register.address)), register_name: register.name }),
      ...(value !== undefined && { value }),
      ...(goal !== undefined && { target: goal }),
      ...(note !== undefined && { note }),
      pc,
      ...(symbol !== undefined && { symbol }),
      ...(annotation !== undefined && { annotation }),
    },
  };
}

/** What the code belongs to: the annotation before it, or a symbol that is nearer and not a part of what is annotated. */
function nearestName(
  pc: bigint,
  symbol: string | undefined,
  annotations: AnnotationsCapability | undefined,
): string | undefined {
  const [, name, offset = '0'] = /^([^+ (]+)(?:\+(\d+))?/.exec(symbol ?? '') ?? [];
  const found = annotations?.nearest(pc);
  if (found?.address === undefined) return name ?? symbol;
  const label = found.label ?? `${found.type}: ${found.description}`;
  const isPart = name?.startsWith(label) && /^[^A-Za-z0-9_]/.test(name.slice(label.length));
  return name === undefined || isPart || pc - found.address <= BigInt(offset) ? label : name;
}

export function showFrameTrace(page: FrameTracePage, events: readonly ShownEvent[]): string {
  const { from, to, frames, lost, fullAt, total, next } = page;
  const [first, last] = [frames[0], frames.at(-1)];
  const span = first === last ? `frame ${first}` : `frames ${first} to ${last}`;
  return [
    `${span}, ${to - from} cycles, ${total} events${events.length < total ? `, ${events.length} shown` : ''} (frame:line/cycle)`,
    ...(lost > 0 ? [`the first ${lost} cycles are no longer remembered`] : []),
    ...(fullAt === undefined
      ? []
      : [`full: nothing after cycle ${fullAt} was kept (--max-trace-bytes); what filters leave out takes no room`]),
    ...events.map(({ text }) => text),
    ...(next === undefined ? [] : [`more; go on with "cursor":${next}`]),
  ].join('\n');
}

export function showBorders(page: Page<BorderChange>, addresses: AddressCapability): ToolAnswer {
  const rows = page.items.map(({ frame, line, lineCycle, cycle, colour, pc }) => ({
    frame,
    raster_line: line,
    raster_cycle: lineCycle,
    cycle,
    color: colour,
    ...(pc !== undefined && { pc: addresses.format(pc), symbol: addresses.symbols.describe(pc) }),
  }));
  const text = rows.map(({ frame, raster_line: line, raster_cycle: lineCycle, color, pc, symbol }) =>
    pc === undefined
      ? `frame ${frame} begins with ${color}`
      : `${frame}:${line}/${lineCycle} ${color}  at ${pc}${symbol ? ` ${symbol}` : ''}`,
  );
  const more = page.next === undefined ? [] : [`${page.total - page.next} more; go on with "cursor":${page.next}`];
  return { text: [...text, ...more].join('\n'), data: { history: rows, total: page.total, next: page.next } };
}
