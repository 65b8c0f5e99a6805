import { z } from 'zod';
import type { ConsolePort } from '../../machine/console.ts';
import { nextTurn } from '../../machines/shared/time-slice.ts';
import { portNamed } from '../console/port-named.ts';
import { ownReader } from '../console/reader-of.ts';
import { defineTool } from '../tool.ts';
import { EscapedText } from './escaped-text.ts';

/** Decoders hold the start of a character that output was cut in, one per console and reader. */
const decoders = new WeakMap<ConsolePort, Map<string, EscapedText>>();
/** As many as a console keeps readers; the one that was not heard of for longest is forgotten beyond this. */
const maxDecoders = 1000;
/** What is decoded in one go. */
const pieceBytes = 256 * 1024;

export const serialTakeNew = defineTool({
  name: 'serial_take_new',
  title: 'Take new output',
  description: 'All that came since the last time; waits if there is nothing, and for the pause after it.',
  toolset: 'inner',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  input: z.object({
    reader: z.string().max(60),
    wait_ms: z.number().int().min(0).max(30_000),
    settle_ms: z.number().int().min(0).max(5000),
  }),
  async run({ console }, { reader: name, wait_ms, settle_ms }, context) {
    const { signal } = context;
    const port = portNamed(console, undefined);
    const reader = ownReader(name, context);
    await outputArrived(port, reader, wait_ms, settle_ms, signal);
    return { text: '', data: { output: await allNewText(port, reader) } };
  },
});

async function allNewText(port: ConsolePort, reader: string): Promise<string> {
  const { output } = port;
  const pieces: string[] = [];
  for (let left = output.end - Math.max(port.cursor(reader), output.start); left > 0; left -= pieceBytes) {
    const { bytes, from, lost } = output.read(port.cursor(reader), Math.min(pieceBytes, left));
    port.setCursor(reader, from + bytes.length);
    const decoder = decoderOf(port, reader);
    const gap = lost > 0 ? `${decoder.end()}\n[gap of ${lost} bytes]\n` : '';
    pieces.push(gap + decoder.push(bytes));
    await nextTurn();
  }
  return pieces.join('');
}

async function outputArrived(
  port: ConsolePort,
  reader: string,
  waitMs: number,
  settleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  const left = () => deadline - performance.now();
  while (port.cursor(reader) >= port.output.end && left() > 0 && !signal.aborted) await activity(port, left(), signal);
  for (let seen = -1; seen !== port.output.end && left() > 0 && !signal.aborted; ) {
    seen = port.output.end;
    await activity(port, Math.min(settleMs, left()), signal);
  }
}

function activity(port: ConsolePort, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unlisten();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, ms));
    const unlisten = port.onActivity(done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function decoderOf(port: ConsolePort, reader: string): EscapedText {
  const perReader = decoders.get(port) ?? new Map<string, EscapedText>();
  decoders.set(port, perReader);
  const decoder = perReader.get(reader) ?? new EscapedText();
  perReader.delete(reader);
  perReader.set(reader, decoder);
  const [oldest] = perReader.keys();
  if (perReader.size > maxDecoders && oldest !== undefined) perReader.delete(oldest);
  return decoder;
}
