import type { OutputRing } from '../../machine/console.ts';
import { foldLines } from './fold-lines.ts';
import { StripStream } from './strip-stream.ts';

/** The newest output, at most `maxBytes` of it, as an agent may read it. */
export function plainOutput(output: OutputRing, maxBytes: number): string {
  const { bytes, from } = output.read(Math.max(output.start, output.end - maxBytes), maxBytes);
  const strip = new StripStream(from);
  const text = strip.push(bytes);
  return foldLines(text + strip.end(true).text);
}
