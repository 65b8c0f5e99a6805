import type { Pause } from '../elf/pause.ts';

const sliceBytes = 2 * 1024 * 1024;

/** Where a pattern is in a copy of memory, without keeping others waiting. */
export async function* occurrences(image: Uint8Array, pattern: Buffer, pause: Pause): AsyncGenerator<number> {
  for (let from = 0; from < image.length; from += sliceBytes) {
    await pause();
    const end = Math.min(image.length, from + sliceBytes + pattern.length - 1);
    const slice = Buffer.from(image.buffer, image.byteOffset + from, end - from);
    for (let found = slice.indexOf(pattern); found >= 0; found = slice.indexOf(pattern, found + 1)) {
      yield from + found;
      await pause();
    }
  }
}
