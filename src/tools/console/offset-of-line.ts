import type { OutputRing } from '../../machine/console.ts';
import { eraseMark, StripStream } from './strip-stream.ts';

const moves = new RegExp(`[\\r\\b${eraseMark}]`);

/**
 * Ring offset of a place in the text that begins at `from`, so that a reader can go on where an elided answer stopped:
 * `column` characters after the start of line `line`, both from 0. On a line that was overwritten, where columns say
 * nothing about bytes, the start of the line. The end of the ring when the text ends before.
 */
export function offsetOfLine(output: OutputRing, from: number, line: number, column = 0): number {
  let offset = Math.max(from, output.start);
  let lineStart = offset;
  let lines = 0;
  let columns = 0;
  if (line <= 0 && column <= 0) return offset;
  const stream = new StripStream(offset);
  for (;;) {
    const { bytes } = output.read(offset, 16_384);
    if (bytes.length === 0) return offset;
    offset += bytes.length;
    const before = stream.units;
    const text = stream.push(bytes);
    let at = 0;
    while (lines < line) {
      const end = text.indexOf('\n', at);
      if (end < 0) break;
      at = end + 1;
      lines++;
      lineStart = stream.offsetAt(before + at);
    }
    if (lines >= line) {
      const rest = text.slice(at, at + column - columns).split('\n', 1)[0] ?? '';
      if (moves.test(rest)) return lineStart;
      columns += rest.length;
      if (columns >= column || at + rest.length < text.length) return stream.offsetAt(before + at + rest.length);
    }
    stream.forget(stream.units);
  }
}
