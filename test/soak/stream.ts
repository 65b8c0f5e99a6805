import { createCipheriv } from 'node:crypto';

export const blockBytes = 1024 * 1024;
const lineBytes = 128;
const digits = 10;
const randomEvery = 17;
const key = Buffer.from('frontpanel soak!');
const filler = Buffer.from(
  `${'0'.repeat(digits)} ${'the quick brown fox '.repeat(6)}`.slice(0, lineBytes - 1).concat('\n'),
);

/** What a stream holds in one of its blocks: numbered lines, and every 17th time random bytes. */
export type Content = (block: number) => Buffer;

/** The same bytes for the same block, in every process. The buffer is used again by the next call. */
export function mixedContent(): Content {
  const lines = linesContent();
  const zeros = Buffer.alloc(blockBytes);
  return (block) => (block % randomEvery === randomEvery - 1 ? randomBlock(block, zeros) : lines(block));
}

export function linesContent(): Content {
  const buffer = Buffer.alloc(blockBytes, filler);
  const perBlock = blockBytes / lineBytes;
  return (block) => {
    for (let i = 0; i < perBlock; i++) {
      let number = block * perBlock + i;
      for (let at = i * lineBytes + digits - 1; at >= i * lineBytes; at--) {
        buffer[at] = 0x30 + (number % 10);
        number = Math.floor(number / 10);
      }
    }
    return buffer;
  };
}

/** Where in a stream of numbered lines these bytes are from; undefined while no whole number is among them. */
export function offsetOfLines(bytes: Buffer): number | undefined {
  const start = bytes.indexOf(0x0a) + 1;
  if (start === 0 || bytes.length < start + digits) return undefined;
  return Number(bytes.toString('latin1', start, start + digits)) * lineBytes - start;
}

function randomBlock(block: number, zeros: Buffer): Buffer {
  const counter = Buffer.alloc(16);
  counter.writeUInt32BE(block, 4);
  return createCipheriv('aes-128-ctr', key, counter).update(zeros);
}
