import type { FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';

/** Lines as numbers: tens of thousands of objects would take long to come over from another thread. */
export interface PackedLines {
  readonly files: readonly string[];
  /** Of each line its address, its length, its number, the number of its file, and 1 for a high language. */
  readonly numbers: Int32Array;
}

const fields = 5;

export function packLines(lines: readonly FileLine[]): PackedLines {
  const files = new Map<string, number>();
  const numbers = new Int32Array(lines.length * fields);
  for (const [index, { address, length, file, line, isHigh }] of lines.entries()) {
    const known = files.get(file) ?? files.size;
    files.set(file, known);
    numbers.set([address, length, line, known, isHigh ? 1 : 0], index * fields);
  }
  return { files: [...files.keys()], numbers };
}

export function unpackLines({ files, numbers }: PackedLines): readonly FileLine[] {
  const lines: FileLine[] = [];
  for (let at = 0; at < numbers.length; at += fields) {
    const [address = 0, length = 0, line = 0, file = 0, isHigh = 0] = numbers.subarray(at, at + fields);
    const known = { address, length, file: files[file] ?? '', line };
    lines.push(isHigh === 1 ? { ...known, isHigh: true } : known);
  }
  return lines;
}
