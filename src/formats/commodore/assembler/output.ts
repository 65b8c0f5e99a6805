import type { FileBreakpoint } from '../symbols/symbol-file.ts';
import type { AssemblySegment, LineAddress, ListingLine, SourceLine } from './assembly.ts';

interface Entry {
  readonly line: SourceLine;
  readonly address: number;
  /** Where its bytes start in the order of assembly. */
  readonly start: number;
}

interface Run {
  readonly address: number;
  readonly start: number;
}

/** Collects what one pass emits, in order, and where it goes. */
export class Output {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #entries: Entry[] = [];
  #runs: Run[] = [];
  #address: number;
  /** What the program believes its address is, minus where it lies; other than 0 inside .logical. */
  phase = 0;
  readonly breakpoints: FileBreakpoint[] = [];

  /** Where the segments stand that take addresses but no bytes. */
  readonly #reserved = new Map([['ZEROPAGE', 0x02]]);
  #segment = '';
  #isPlaced = false;
  #mainAddress = 0;

  constructor(origin: number) {
    this.#address = origin;
    this.#runs.push({ address: origin, start: 0 });
  }

  get address(): number {
    return this.#address;
  }

  get pc(): number {
    return this.#address + this.phase;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** True before anything was placed: no byte and no origin. */
  get isUntouched(): boolean {
    return this.#length === 0 && !this.#isPlaced;
  }

  /** From here on bytes belong to this line. */
  mark(line: SourceLine): void {
    if (this.#entries.at(-1)?.line === line) return;
    this.#entries.push({ line, address: this.#address, start: this.#length });
  }

  emit(byte: number): void {
    if (this.#segment !== '') {
      this.#address++;
      return;
    }
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 4);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
    this.#address++;
  }

  origin(address: number): void {
    // Two bytes in front of the first origin that name it are the load address of a PRG, not part of the program.
    const [low = 0, high = 0] = this.#bytes;
    const isHeader = this.#runs.length === 1 && this.#length === 2 && (low | (high << 8)) === address;
    if (isHeader || this.#length === 0) this.#runs = [];
    this.#isPlaced = true;
    this.#address = address;
    this.#runs.push({ address, start: this.#length });
  }

  /** Switches between the program and the segments that only reserve addresses: ZEROPAGE from $02, BSS from $C000. */
  segment(name: string): void {
    if (this.#segment === '') this.#mainAddress = this.#address;
    else this.#reserved.set(this.#segment, this.#address);
    this.#segment = name === 'ZEROPAGE' || name === 'BSS' ? name : '';
    this.#address = this.#segment === '' ? this.#mainAddress : (this.#reserved.get(name) ?? 0xc000);
  }

  segments(): AssemblySegment[] {
    return this.#runs.flatMap((run, index) => {
      const all = this.#bytes.slice(run.start, this.#runs[index + 1]?.start ?? this.#length);
      // `* = $07ff` and `.word $0801` write the load address of a PRG in front of the program at $0801.
      const isHeader =
        index === 0 &&
        (run.address & 255) === 255 &&
        all[0] === ((run.address + 2) & 255) &&
        all[1] === (run.address + 2) >> 8;
      const [address, bytes] = isHeader ? [run.address + 2, all.slice(2)] : [run.address, all];
      return bytes.length > 0 ? [{ address, bytes }] : [];
    });
  }

  listing(): ListingLine[] {
    return this.#entries.map(({ line, address, start }, index) => ({
      address,
      bytes: this.#bytes.slice(start, this.#entries[index + 1]?.start ?? this.#length),
      file: line.file,
      line: line.number,
      source: line.text,
    }));
  }
}

/** Where lines lie, sorted by address. */
export function linesOf(listing: readonly ListingLine[]): LineAddress[] {
  return listing
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ address, bytes, file, line }) => ({ address, length: bytes.length, file, line }))
    .sort((a, b) => a.address - b.address);
}

/** One image of all segments, and the pairs that lie over each other. */
export function imageOf(segments: readonly AssemblySegment[]): {
  origin: number;
  bytes: Uint8Array;
  overlaps: readonly (readonly [AssemblySegment, AssemblySegment])[];
} {
  const [first] = segments;
  if (!first) return { origin: 0, bytes: new Uint8Array(0), overlaps: [] };
  const ends = segments.map(({ address, bytes }) => address + bytes.length);
  const origin = Math.min(...segments.map(({ address }) => address));
  const bytes = new Uint8Array(Math.max(...ends) - origin);
  for (const segment of segments) bytes.set(segment.bytes, segment.address - origin);
  const sorted = [...segments].sort((a, b) => a.address - b.address);
  const overlaps = sorted.flatMap((segment, index): [AssemblySegment, AssemblySegment][] => {
    const next = sorted[index + 1];
    return next && segment.address + segment.bytes.length > next.address ? [[segment, next]] : [];
  });
  return { origin, bytes, overlaps };
}
