import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import type { BusByte } from '../machine/bus-trace.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { showAddress } from './debug/show.ts';
import { defineTool } from './tool.ts';

const mostBytesInLine = 256;

export const busTrace = defineTool({
  name: 'bus_trace',
  title: 'Trace the serial bus',
  description:
    'What went over the serial bus to the drives in the last frames: commands (LISTEN, OPEN, TALK …) and data, decoded; or ' +
    'with {"view":"edges"} each change of ATN, CLK and DATA with its cycle, and who made it. Needs no preparation: the ' +
    'past is run again.',
  toolset: 'more',
  needs: ['busTrace', 'addresses'],
  effect: 'read',
  input: z.object({
    frames: z.number().int().min(1).max(1000).default(50).describe('How many frames back'),
    view: z.enum(['bytes', 'edges']).default('bytes'),
    from: z.number().int().min(0).default(0).describe('Of which to begin, as the page before says'),
    limit: z.number().int().min(1).max(2000).default(100),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ busTrace: bus, addresses }, { frames, view, from, limit }, { signal }) {
    const trace = await bus.trace(frames, signal);
    const full = trace.fullAt === undefined ? [] : [`full: nothing after cycle ${trace.fullAt} was kept`];
    if (view === 'edges') {
      const page = pageOf(trace.edges, from, limit);
      const lines = page.items.map(
        ({ cycle, line, level, by, pc }) =>
          `${cycle} ${line} ${level === 0 ? 'low' : 'high'} (${by}${by === 'computer' ? ` at ${showAddress(pc, addresses)}` : ''})`,
      );
      const edges = page.items.map((edge) => ({ ...edge, pc: addresses.format(edge.pc) }));
      return {
        text: [pageHead(page, 'edges'), ...full, ...lines, ...pageTail(page)].join('\n'),
        data: { from: trace.from, to: trace.to, total: page.total, next: page.next, edges },
      };
    }
    const page = pageOf(messages(trace.bytes), from, limit);
    return {
      text: [pageHead(page, 'messages'), ...full, ...page.items.map(({ text }) => text), ...pageTail(page)].join('\n'),
      data: {
        from: trace.from,
        to: trace.to,
        total: page.total,
        next: page.next,
        messages: page.items.map(({ data }) => data),
      },
    };
  },
});

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
