import type { ConsolePort } from '../../machine/console.ts';
import { nextTurn } from '../../machine/time-slice.ts';
import { EscapedText } from '../escaped-text.ts';

/** Decoders hold the start of a character that output was cut in, one per console and reader. */
const decoders = new WeakMap<ConsolePort, Map<string, EscapedText>>();
/** What is decoded in one go. */
const pieceBytes = 256 * 1024;
/** As many as a console keeps readers; the one that was not heard of for longest is forgotten beyond this. */
const maxDecoders = 1000;

/** What the reader has not seen yet, as text; a character cut at the end waits for its rest. */
export function newText(
  port: ConsolePort,
  reader: string,
  maxBytes = pieceBytes,
): { readonly text: string; readonly more: boolean } {
  const { output } = port;
  const { bytes, from, lost } = output.read(port.cursor(reader), maxBytes);
  const next = from + bytes.length;
  port.setCursor(reader, next);
  const decoder = decoderOf(port, reader);
  const gap = lost > 0 ? `${decoder.end()}\n[gap of ${lost} bytes]\n` : '';
  return { text: gap + decoder.push(bytes), more: next < output.end };
}

/** All that the reader has not seen yet and is there now, made while others have their turns. */
export async function allNewText(port: ConsolePort, reader: string): Promise<string> {
  const pieces: string[] = [];
  for (let left = port.output.end - Math.max(port.cursor(reader), port.output.start); left > 0; left -= pieceBytes) {
    pieces.push(newText(port, reader, Math.min(pieceBytes, left)).text);
    await nextTurn();
  }
  return pieces.join('');
}

/** All that is kept. */
export async function allText({ output }: ConsolePort): Promise<string> {
  const decoder = new EscapedText();
  const pieces: string[] = [];
  for (let at = output.start, end = output.end; at < end; ) {
    const { bytes, from } = output.read(at, Math.min(pieceBytes, end - at));
    pieces.push(decoder.push(bytes));
    at = from + bytes.length;
    await nextTurn();
  }
  return pieces.join('') + decoder.end();
}

/** Lets a reader begin with what is printed from now on. */
export function beginHere(port: ConsolePort, reader: string): void {
  forgetReader(port, reader);
  port.setCursor(reader, port.output.end);
}

export function forgetReader(port: ConsolePort, reader: string): void {
  decoders.get(port)?.delete(reader);
}

/** Waits for output that the reader has not seen, and for the pause after it, but not for long. */
export async function outputArrived(port: ConsolePort, reader: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + readTimeoutMs;
  const left = () => deadline - performance.now();
  while (port.cursor(reader) >= port.output.end && left() > 0 && !signal.aborted) await activity(port, left(), signal);
  for (let seen = -1; seen !== port.output.end && left() > 0 && !signal.aborted; ) {
    seen = port.output.end;
    await activity(port, Math.min(settleMs, left()), signal);
  }
}

/** As long as the original's `read` waits. */
const readTimeoutMs = 2000;
/** A silence after which an answer is taken to be whole. */
const settleMs = 100;

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
