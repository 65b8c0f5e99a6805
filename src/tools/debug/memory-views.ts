import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import { fenced } from '../console/fence.ts';
import { hexLines } from './show.ts';

export const memoryViews = ['text', 'words', 'dwords', 'qwords', 'strings'] as const;
export type MemoryView = (typeof memoryViews)[number];

interface Shown {
  readonly bytes: Uint8Array;
  readonly first: bigint;
  readonly bigEndian: boolean;
}

const widths = { words: 2, dwords: 4, qwords: 8 } as const;
const bytesPerLine = 16;
const shortestString = 4;
const longestString = 200;
/** Smaller numbers are no addresses, whatever lies there. */
const leastPointer = 0x1000n;

/** Memory as bytes, as numbers with the names of what they point to, or as the texts in it. */
export function showMemory(view: MemoryView, shown: Shown, addresses: AddressCapability): string {
  if (view === 'text') return hexLines(shown.bytes, shown.first, addresses.format);
  return view === 'strings' ? strings(shown, addresses) : numbers(shown, widths[view], addresses);
}

function numbers({ bytes, first, bigEndian }: Shown, width: 2 | 4 | 8, addresses: AddressCapability): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += bytesPerLine) {
    const values: string[] = [];
    const names: string[] = [];
    for (let n = at; n < Math.min(at + bytesPerLine, bytes.length); n += width) {
      const part = [...bytes.subarray(n, n + width)];
      const value = part.length < width ? undefined : numberFrom(part, bigEndian);
      values.push(value === undefined ? `(${part.map((byte) => hex(byte, 2)).join(' ')})` : hex(value, 2 * width));
      const name =
        width > 2 && value !== undefined && value >= leastPointer ? addresses.symbols.describe(value) : undefined;
      if (name !== undefined) names.push(name);
    }
    const room = (bytesPerLine / width) * (2 * width + 1) - 1;
    const line = `${addresses.format(first + BigInt(at))}  ${values.join(' ').padEnd(room)}  ${names.join(', ')}`;
    lines.push(line.trimEnd());
  }
  return lines.join('\n');
}

function numberFrom(bytes: readonly number[], bigEndian: boolean): bigint {
  const ordered = bigEndian ? bytes : bytes.toReversed();
  return ordered.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** What the guest has put there is its own text. */
function strings({ bytes, first }: Shown, addresses: AddressCapability): string {
  const all = Buffer.from(bytes).toString('latin1');
  const found = [...all.matchAll(new RegExp(`[\\t\\x20-\\x7e]{${shortestString},}`, 'g'))].map(({ 0: run, index }) => {
    const rest = run.length > longestString ? ` … ${run.length - longestString} more` : '';
    return `${addresses.format(first + BigInt(index))}  ${JSON.stringify(run.slice(0, longestString))}${rest}`;
  });
  if (found.length === 0) return `no text of ${shortestString} characters or more`;
  return fenced(found.join('\n'), `${found.length} texts in memory`);
}
