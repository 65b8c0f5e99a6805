import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { ConsolePort } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import { describeEnd, describeOutput, waitData } from './console/describe-wait.ts';
import { fenced } from './console/fence.ts';
import { hexdump, rawText } from './console/hexdump.ts';
import { portFor } from './console/port-for.ts';
import { readerOf } from './console/reader-of.ts';
import { standsAt } from './console/stands-at.ts';
import { waitArguments, waitOptionsOf } from './console/wait-arguments.ts';
import { waitForOutput } from './console/wait-for-output.ts';
import { defineTool } from './tool.ts';

/** Characters that a byte takes in the lossless views, at most. */
const charsPerByte = { raw: 4, hex: 5 };

export const consoleRead = defineTool({
  name: 'console_read',
  title: 'Read a console',
  description:
    'What a serial console printed since you last read it, or from an offset; can wait for text or silence first. ' +
    'Example: {"expect":"login:","fail_on":["Kernel panic"]}. "view":"screen" shows what a terminal would show.',
  toolset: 'console',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  openWorld: true,
  input: z.object({
    port: z.string().optional(),
    from: z.string().default('cursor').describe('cursor (where you stopped), now, start, or an offset'),
    view: z.enum(['text', 'screen', 'raw', 'hex']).default('text'),
    ...waitArguments,
    max_chars: z.number().int().min(100).max(28_000).optional(),
    reader: z.string().max(48).optional().describe('Named cursor, to share; default: your own'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, input, context) {
    const { signal, progress } = context;
    const port = portFor(machine.console, input.port, context);
    const reader = readerOf(input.reader, context);
    const from = startOffset(port, input.from, reader);
    const { asked, ...conditions } = waitOptionsOf(input);
    const maxChars = input.max_chars ?? (input.expect === undefined ? 6000 : 1500);
    let end = '';
    if (asked || input.view === 'text' || input.view === 'screen') {
      const wait = await waitForOutput(port, {
        ...conditions,
        from,
        standsAt: () => standsAt(machine),
        signal,
        onProgress: ({ elapsedMs, bytes }) => progress(`${Math.round(elapsedMs / 1000)} s, ${bytes} bytes`),
      });
      if (input.view === 'text') return readText(port, from, wait, reader, maxChars, asked);
      if (input.view === 'screen') {
        port.setCursor(reader, wait.nextOffset);
        return readScreen(port, asked ? describeEnd(wait) : undefined);
      }
      end = `${describeEnd(wait)}\n`;
    }
    const answer = readBytes(port, from, input.view === 'hex' ? 'hex' : 'raw', reader, maxChars);
    return { ...answer, text: `${end}${answer.text}` };
  },
});

function startOffset(port: ConsolePort, from: string, reader: string): number {
  if (from === 'cursor') return port.cursor(reader);
  if (from === 'now') return port.output.end;
  if (from === 'start') return port.output.start;
  const offset = /^\d{1,15}$/.test(from) ? Number(from) : Number.NaN;
  if (offset <= port.output.end) return offset;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `from: ${JSON.stringify(from.slice(0, 40))} is not a position in the output.`,
    `Use "cursor", "now", "start", or an offset from ${port.output.start} to ${port.output.end}.`,
    { valid_range: `${port.output.start}-${port.output.end}` },
  );
}

function readText(
  port: ConsolePort,
  from: number,
  wait: Awaited<ReturnType<typeof waitForOutput>>,
  reader: string,
  maxChars: number,
  asked: boolean,
): ToolAnswer {
  port.setCursor(reader, wait.nextOffset);
  const end = asked ? `${describeEnd(wait)}\n` : '';
  const left = port.output.end - wait.nextOffset;
  const more = left > 0 ? `\n${left} ${left === 1 ? 'byte more has' : 'bytes more have'} arrived` : '';
  return { text: `${end}${describeOutput(port, from, wait, maxChars)}${more}`, data: waitData(from, wait, maxChars) };
}

async function readScreen(port: ConsolePort, end: string | undefined): Promise<ToolAnswer> {
  const screen = await port.screen.read();
  const { column, row, visible } = screen.cursor;
  const cursor = `cursor at column ${column}, row ${row}${visible ? '' : ' (hidden)'}`;
  const size = `${screen.columns}x${screen.rows}, ${cursor}${screen.title && `, title ${JSON.stringify(screen.title)}`}`;
  const lines = screen.lines.join('\n').replace(/\n+$/, '');
  return {
    text: `${end ? `${end}\n` : ''}${fenced(lines, `screen ${size}`)}`,
    data: { ...screen, untrusted: true },
  };
}

function readBytes(port: ConsolePort, from: number, view: 'raw' | 'hex', reader: string, maxChars: number): ToolAnswer {
  const { bytes, from: first, lost } = port.output.read(from, Math.floor(maxChars / charsPerByte[view]));
  const next = first + bytes.length;
  port.setCursor(reader, next);
  const shown = view === 'hex' ? hexdump(bytes, first) : rawText(bytes);
  const gap = lost > 0 ? `[${lost} bytes were lost before they could be read]\n` : '';
  const left = port.output.end - next;
  const more = left > 0 ? `\n${left} bytes more; go on with "from":"${next}"` : '';
  return {
    text: `${gap}${fenced(shown, `bytes ${first}-${next} of ${port.name}, ${view}`)}${more}`,
    data: { view, output: shown, from: first, next, lost_bytes: lost, left_bytes: left, untrusted: true },
  };
}
