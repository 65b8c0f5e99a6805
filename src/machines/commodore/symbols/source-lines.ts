import type { FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';

const addresses = 0x10000;

/** Which code belongs to which lines of source. */
export class SourceLines {
  #lines: readonly FileLine[];
  /** For each address the number of its line, counted from 1; made when it is first asked for. */
  #byAddress: Uint32Array | undefined;

  constructor(lines: readonly FileLine[]) {
    this.#lines = lines;
  }

  get all(): readonly FileLine[] {
    return this.#lines;
  }

  /** Forgets lines whose code lies in this range, which is another program's now. */
  drop(first: number, last: number): void {
    this.#lines = this.#lines.filter(({ address, length }) => address + length <= first || address > last);
    this.#byAddress = undefined;
  }

  get files(): readonly string[] {
    return [...new Set(this.#lines.map(({ file }) => file))];
  }

  /** This line where its code begins, or the next that has some. */
  lineMeant(file: string, line: number): FileLine | undefined {
    let best: FileLine | undefined;
    for (const each of this.#lines) {
      if (each.file !== file || each.line < line || each.length <= 0) continue;
      if (best && (each.line > best.line || (each.line === best.line && each.address >= best.address))) continue;
      best = each;
    }
    return best;
  }

  /** Of C and what the compiler made of it, the line of C. */
  at(address: number): FileLine | undefined {
    this.#byAddress ??= linesByAddress(this.#lines);
    return this.#lines[(this.#byAddress[address] ?? 0) - 1];
  }
}

/** The best line of each address: of C, then the one with the least code. Each address is written once, however many lines it has. */
function linesByAddress(lines: readonly FileLine[]): Uint32Array {
  const found = new Uint32Array(addresses);
  // Where the next address without a line is to be looked for.
  const next = Uint32Array.from({ length: addresses + 1 }, (_, address) => address);
  const free = (address: number) => {
    let at = address;
    while (next[at] !== at) {
      next[at] = next[next[at] as number] as number;
      at = next[at] as number;
    }
    return at;
  };
  const order = lines.map((_, index) => index);
  const line = (index: number) => lines[index] as FileLine;
  order.sort(
    (a, b) => Number(line(b).isHigh ?? false) - Number(line(a).isHigh ?? false) || line(a).length - line(b).length,
  );
  for (const index of order) {
    const { address, length } = line(index);
    const end = Math.min(addresses, address + length);
    for (let at = address < end ? free(Math.max(0, address)) : end; at < end; at = free(at)) {
      found[at] = index + 1;
      next[at] = at + 1;
    }
  }
  return found;
}
