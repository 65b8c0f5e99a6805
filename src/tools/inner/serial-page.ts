import { z } from 'zod';
import type { ConsolePort } from '../../machine/console.ts';
import { waitData } from '../console/describe-wait.ts';
import { foldLines } from '../console/fold-lines.ts';
import { portNamed } from '../console/port-named.ts';
import { ownReader } from '../console/reader-of.ts';
import { StripStream } from '../console/strip-stream.ts';
import { waitAfterEcho } from '../console/wait-after-echo.ts';
import { waitArguments, waitOptionsOf } from '../console/wait-arguments.ts';
import { defineTool } from '../tool.ts';

/** What clients take in one answer. */
const maxChars = 28_000;
const maxBytes = 4 * maxChars;
const maxPromptBytes = 400;
const reader = z.string().max(60);

export const serialPlace = defineTool({
  name: 'serial_place',
  title: 'Find a place in output',
  description: 'Where a reader is, where output ends, and what was printed after the last end of a line.',
  toolset: 'inner',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  idempotent: true,
  input: z.object({ reader }),
  async run({ console }, { reader: name }, context) {
    const port = portNamed(console, undefined);
    const at = Math.max(port.cursor(ownReader(name, context)), port.output.start);
    return { text: '', data: { at, end: port.output.end, last_line: lastLine(port) } };
  },
});

export const serialPage = defineTool({
  name: 'serial_page',
  title: 'Read a page of output',
  description:
    'What follows the last page, at most up to `end`, and no more than fits: nothing is left out between two.',
  toolset: 'inner',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  input: z.object({ reader, end: z.number().int().min(0) }),
  async run({ console }, { reader: name, end }, context) {
    const port = portNamed(console, undefined);
    const own = ownReader(name, context);
    const output = nextPage(port, own, end);
    return { text: '', data: { output, left: Math.max(0, end - port.cursor(own)) } };
  },
});

export const serialWait = defineTool({
  name: 'serial_wait',
  title: 'Wait for output',
  description: 'Goes on with a wait whose time was up, from the same place.',
  toolset: 'inner',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  input: z.object({ from: z.number().int().min(0), typed: z.string().optional(), ...waitArguments }),
  async run({ console }, { from, typed, ...conditions }, { signal, progress }) {
    const port = portNamed(console, undefined);
    const onProgress = ({ bytes }: { readonly bytes: number }) => progress(`${bytes} bytes`);
    const wait = await waitAfterEcho(port, typed, { ...waitOptionsOf(conditions), from, signal, onProgress });
    return { text: '', data: waitData(from, wait, 0) };
  },
});

function lastLine({ output }: ConsolePort): string {
  const from = Math.max(output.start, output.end - maxPromptBytes);
  const strip = new StripStream(from);
  const text = strip.push(output.read(from, maxPromptBytes).bytes);
  return withEnd((text + strip.end(true).text).split('\n').at(-1) ?? '');
}

function nextPage(port: ConsolePort, reader: string, end: number): string {
  const from = port.cursor(reader);
  const { bytes, from: first, lost } = port.output.read(from, Math.max(0, Math.min(end - from, maxBytes)));
  const strip = new StripStream(first);
  const text = strip.push(bytes);
  const rest = strip.end(false);
  const whole = text + rest.text;
  const cut = whole.length > maxChars ? whole.lastIndexOf('\n', maxChars - 1) + 1 || maxChars : undefined;
  // Half a character or sequence at the end waits for its rest, unless it is all there is.
  const next = rest.offset > first ? rest.offset : first + bytes.length;
  port.setCursor(reader, cut === undefined ? next : strip.offsetAt(cut));
  const gap = lost > 0 ? `[${lost} bytes were lost before they could be read]\n` : '';
  return gap + withEnd(cut === undefined ? whole : whole.slice(0, cut));
}

/** Lines as a terminal shows them. A prompt ends with a blank, and whoever waits for it has it with it. */
function withEnd(text: string): string {
  const [blanks = ''] = /[ \t]*$/.exec(text) ?? [];
  return foldLines(text) + blanks;
}
