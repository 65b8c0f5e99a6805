import type { ToolAnswer } from '../../api/tool-host.ts';
import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { BusByte, BusTrace } from '../../machine/bus-trace.ts';
import { type Page, pageHead, pageOf } from './paging.ts';
import { showAddress } from './show.ts';

const mostBytesInLine = 256;

/** Each change of a line. */
export function showBusEdges(trace: BusTrace, from: number, limit: number, addresses: AddressCapability): ToolAnswer {
  const page = pageOf(trace.edges, from, limit);
  const lines = page.items.map(
    ({ cycle, line, level, by, pc }) =>
      `${cycle} ${line} ${level === 0 ? 'low' : 'high'} (${by}${by === 'computer' ? ` at ${showAddress(pc, addresses)}` : ''})`,
  );
  const edges = page.items.map((edge) => ({ ...edge, pc: addresses.format(edge.pc) }));
  return {
    text: [pageHead(page, 'edges'), ...roomOf(trace), ...lines, ...rest(page)].join('\n'),
    data: { from: trace.from, to: trace.to, total: page.total, next: page.next, edges },
  };
}

/** Commands and data, decoded. */
export function showBusMessages(trace: BusTrace, from: number, limit: number): ToolAnswer {
  const page = pageOf(messages(trace.bytes), from, limit);
  return {
    text: [pageHead(page, 'messages'), ...roomOf(trace), ...page.items.map(({ text }) => text), ...rest(page)].join(
      '\n',
    ),
    data: {
      from: trace.from,
      to: trace.to,
      total: page.total,
      next: page.next,
      messages: page.items.map(({ data }) => data),
    },
  };
}

function roomOf({ fullAt }: BusTrace): readonly string[] {
  return fullAt === undefined ? [] : [`full: nothing after cycle ${fullAt} was kept`];
}

function rest({ next, total }: Page<unknown>): readonly string[] {
  return next === undefined ? [] : [`${total - next} more; go on with "cursor":${next}`];
}

interface Message {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A command each, and data that belong together. */
function messages(bytes: readonly BusByte[]): readonly Message[] {
  const all: Message[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as BusByte;
    if (first.attention) {
      all.push({
        text: `${first.cycle} ${first.command}`,
        data: { cycle: first.cycle, type: 'command', command: first.command, value: first.value },
      });
      at += 1;
      continue;
    }
    const end = endOfData(bytes, at);
    all.push(dataMessage(bytes.slice(at, end)));
    at = end;
  }
  return all;
}

function endOfData(bytes: readonly BusByte[], start: number): number {
  let at = start;
  while (at < bytes.length && at - start < mostBytesInLine) {
    const byte = bytes[at] as BusByte;
    if (byte.attention || byte.by !== bytes[start]?.by) return at;
    at += 1;
    if (byte.last) return at;
  }
  return at;
}

function dataMessage(bytes: readonly BusByte[]): Message {
  const [cycle, by] = [bytes[0]?.cycle ?? 0, bytes[0]?.by ?? 'computer'];
  const isLast = bytes.at(-1)?.last ?? false;
  const codes = bytes.map(({ value }) => hex(value, 2)).join(' ');
  const text = bytes.map(({ value }) => (value >= 0x20 && value < 0x5e ? String.fromCharCode(value) : '.')).join('');
  return {
    text: `${cycle} ${by} ${codes}  ${text}${isLast ? '  (end)' : ''}`,
    data: { cycle, type: 'data', by, bytes: codes, text, end: isLast },
  };
}
