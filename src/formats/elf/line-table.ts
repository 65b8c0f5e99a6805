import { countUpTo, risingOrder } from './address-order.ts';

const maxRows = 8_000_000;
/** Code the linker threw away may lie over code it kept; so many are looked at. */
const maxOverlaps = 16;

interface Run {
  readonly start: bigint;
  readonly end: bigint;
  readonly firstRow: number;
  readonly rows: number;
}

/** Which line of which file an address comes from. Rows come in runs of rising addresses, the runs in any order. */
export class LineTable {
  readonly #offset: bigint;
  #count = 0;
  #addresses = new BigUint64Array(1024);
  #lines = new Uint32Array(1024);
  #files = new Uint32Array(1024);
  readonly #names: string[] = [];
  readonly #nameIndexes = new Map<string, number>();
  readonly #runs: Run[] = [];
  #runStart = 0;
  #rises = true;
  #sorted: { readonly starts: BigUint64Array; readonly order: Uint32Array } | undefined;

  /** `offset` is added to every address. */
  constructor(offset = 0n) {
    this.#offset = offset;
  }

  get rows(): number {
    return this.#count;
  }

  get files(): number {
    return this.#names.length;
  }

  /** False when there is no room for more. */
  add(address: bigint, file: string, line: number): boolean {
    if (this.#count === maxRows) return false;
    if (this.#count === this.#lines.length) this.#grow();
    this.#addresses[this.#count] = address + this.#offset;
    const before = this.#addresses[this.#count - 1] ?? 0n;
    if (this.#count > this.#runStart && (this.#addresses[this.#count] ?? 0n) < before) this.#rises = false;
    this.#lines[this.#count] = line;
    this.#files[this.#count] = this.#indexOf(file);
    this.#count++;
    return true;
  }

  /** The run that was being added ends before this address. One whose addresses did not rise is dropped. */
  endRun(address: bigint): void {
    const rows = this.#count - this.#runStart;
    const start = this.#addresses[this.#runStart] ?? 0n;
    const end = BigInt.asUintN(64, address + this.#offset);
    if (rows > 0 && this.#rises && end > start) this.#runs.push({ start, end, firstRow: this.#runStart, rows });
    this.#runStart = this.#count;
    this.#rises = true;
    this.#sorted = undefined;
  }

  /** `file:line` */
  at(address: bigint): string | undefined {
    this.#sorted ??= this.#sort();
    const { starts, order } = this.#sorted;
    const last = countUpTo(starts, address) - 1;
    for (let n = last; n >= 0 && n > last - maxOverlaps; n--) {
      const run = this.#runs[order[n] ?? 0];
      if (!run || address >= run.end) continue;
      const row = run.firstRow + countUpTo(this.#addresses, address, run.firstRow, run.rows) - 1;
      const line = this.#lines[row] ?? 0;
      if (line > 0) return `${this.#names[this.#files[row] ?? 0]}:${line}`;
    }
    return undefined;
  }

  /** Files of this name, with or without their folder. */
  filesNamed(name: string): string[] {
    return this.#names.filter((each) => each === name || each.endsWith(`/${name}`));
  }

  /** The lowest address of a line, or of the next line that has code, and which of them that is. */
  lineMeant(file: string, line: number): { readonly line: number; readonly address: bigint } | undefined {
    const index = this.#nameIndexes.get(file);
    if (index === undefined) return undefined;
    let best: bigint | undefined;
    let nearest = Number.POSITIVE_INFINITY;
    for (const { firstRow, rows } of this.#runs) {
      for (let row = firstRow; row < firstRow + rows; row++) {
        const here = this.#lines[row] ?? 0;
        if (this.#files[row] !== index || here < line || here > nearest) continue;
        const address = this.#addresses[row] ?? 0n;
        if (here < nearest || best === undefined || address < best) [best, nearest] = [address, here];
      }
    }
    return best === undefined ? undefined : { line: nearest, address: best };
  }

  /** The lines of a file that have code, each once. */
  linesOf(file: string): readonly number[] {
    const index = this.#nameIndexes.get(file);
    if (index === undefined) return [];
    const lines = new Set<number>();
    for (const { firstRow, rows } of this.#runs) {
      for (let row = firstRow; row < firstRow + rows; row++) {
        if (this.#files[row] === index) lines.add(this.#lines[row] ?? 0);
      }
    }
    lines.delete(0);
    return [...lines];
  }

  #indexOf(file: string): number {
    const known = this.#nameIndexes.get(file);
    if (known !== undefined) return known;
    this.#nameIndexes.set(file, this.#names.length);
    return this.#names.push(file) - 1;
  }

  #grow(): void {
    const [addresses, lines, files] = [this.#addresses, this.#lines, this.#files];
    const size = this.#count * 2;
    this.#addresses = new BigUint64Array(size);
    this.#lines = new Uint32Array(size);
    this.#files = new Uint32Array(size);
    this.#addresses.set(addresses);
    this.#lines.set(lines);
    this.#files.set(files);
  }

  #sort() {
    const raw = new BigUint64Array(this.#runs.length);
    for (const [n, { start }] of this.#runs.entries()) raw[n] = start;
    const sorting = risingOrder(raw);
    let step = sorting.next();
    while (!step.done) step = sorting.next();
    const order = step.value;
    const starts = new BigUint64Array(order.length);
    for (let n = 0; n < order.length; n++) starts[n] = raw[order[n] ?? 0] ?? 0n;
    return { starts, order };
  }
}
