import type { Writable } from 'node:stream';

const mostWaitingBytes = 1024 * 1024;

/** Writes entries of a log to a stream that perhaps nobody reads: what would wait beyond a bound is left out, and counted when there is room. */
export function boundedWriter(stream: Pick<Writable, 'write' | 'writableLength'>): (line: string) => void {
  let leftOut = 0;
  return (line) => {
    if (stream.writableLength > mostWaitingBytes) {
      leftOut++;
      return;
    }
    if (leftOut > 0) {
      const entries = leftOut === 1 ? '1 entry was' : `${leftOut} entries were`;
      stream.write(`${entries} left out here, because nobody read this\n`);
    }
    leftOut = 0;
    stream.write(line);
  };
}
