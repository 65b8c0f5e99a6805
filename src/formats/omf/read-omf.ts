/** An object module as compilers and libraries of DOS hold it, as far as code and names go. */
export interface ObjectModule {
  readonly name: string;
  readonly segments: readonly ObjectSegment[];
  readonly publics: readonly ObjectPublic[];
  /** Where the program begins, if this module says so. */
  readonly start: { readonly segment: number; readonly offset: number } | undefined;
}

export interface ObjectSegment {
  readonly class: string;
  readonly bytes: Uint8Array;
  /** Not 0 for bytes that the linker changes, or that are not there. */
  readonly unknown: Uint8Array;
}

export interface ObjectPublic {
  readonly name: string;
  /** Of `segments`. */
  readonly segment: number;
  readonly offset: number;
}

const record = {
  ...{ header: 0x80, comment: 0x88, end: 0x8a, publics: 0x90, names: 0x96, segment: 0x98, fixups: 0x9c },
  ...{ data: 0xa0, repeated: 0xa2, localPublics: 0xb6, common: 0xc2, library: 0xf0, libraryEnd: 0xf1 },
} as const;
/** Bytes that a fixup changes, by its sort. */
const fixupBytes: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 2, 3: 4, 4: 1, 5: 2, 9: 4, 11: 6, 13: 4 };
const mostModules = 20_000;
const mostSegmentBytes = 0x100000;
/** Of all segments of a file. */
const mostBytes = 64 * 1024 * 1024;

export class OmfError extends Error {}

/** The modules of a library (.LIB) or of one object file (.OBJ). Throws `OmfError` for what is neither. */
export function readOmf(file: Uint8Array): readonly ObjectModule[] {
  const reader = new FileReader(file);
  const modules: ObjectModule[] = [];
  const isLibrary = file[0] === record.library;
  const page = isLibrary ? reader.length(0) + 3 : 1;
  let [at, room] = [isLibrary ? page : 0, mostBytes];
  while (at < file.length && file[at] === record.header && modules.length < mostModules) {
    const builder = new ModuleBuilder(room);
    let type = 0;
    do {
      type = file[at] ?? 0;
      const length = reader.length(at);
      builder.take(type, new RecordReader(file.subarray(at + 3, at + 2 + length)));
      at += 3 + length;
    } while ((type & 0xfe) !== record.end && at < file.length);
    const module = builder.build();
    room -= module.segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
    modules.push(module);
    at = Math.ceil(at / page) * page;
  }
  if (modules.length === 0) throw new OmfError('neither a library nor an object file');
  return modules;
}

class FileReader {
  readonly #file: Uint8Array;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  /** Of the record at a place, its checksum included. */
  length(at: number): number {
    const length = (this.#file[at + 1] ?? 0) | ((this.#file[at + 2] ?? 0) << 8);
    if (length === 0 || at + 3 + length > this.#file.length) throw new OmfError('a record is cut short');
    return length;
  }
}

class RecordReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isOver(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  number(bytes: 2 | 4): number {
    let value = 0;
    for (let index = 0; index < bytes; index++) value += this.byte() * 256 ** index;
    return value;
  }

  /** One byte, or two for large ones. */
  index(): number {
    const first = this.byte();
    return first & 0x80 ? ((first & 0x7f) << 8) | this.byte() : first;
  }

  text(): string {
    const length = this.byte();
    const text = String.fromCharCode(...this.bytes.subarray(this.at, this.at + length));
    this.at += length;
    return text;
  }
}

interface Segment {
  readonly class: string;
  readonly bytes: Uint8Array;
  readonly unknown: Uint8Array;
}

class ModuleBuilder {
  #name = '';
  readonly #names: string[] = [''];
  readonly #segments: Segment[] = [];
  readonly #publics: ObjectPublic[] = [];
  #start: ObjectModule['start'];
  /** Where the last data went, which fixups speak of. */
  #last: { readonly segment: Segment; readonly offset: number } | undefined;
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  take(type: number, from: RecordReader): void {
    const isWide = (type & 1) !== 0;
    switch (type & 0xfe) {
      case record.header:
        this.#name = from.text();
        break;
      case record.names:
        while (!from.isOver) this.#names.push(from.text());
        break;
      case record.segment:
        this.#segment(from, isWide);
        break;
      case record.publics:
      case record.localPublics:
        this.#public(from, isWide);
        break;
      case record.data:
        this.#data(from, isWide);
        break;
      case record.fixups:
        this.#fixups(from, isWide);
        break;
      case record.repeated:
      case record.common:
        // Never code that is called by a name; fixups after it are its own.
        this.#last = undefined;
        break;
      case record.end:
        this.#end(from, isWide);
        break;
    }
  }

  build(): ObjectModule {
    return { name: this.#name, segments: this.#segments, publics: this.#publics, start: this.#start };
  }

  #segment(from: RecordReader, isWide: boolean): void {
    const attributes = from.byte();
    if (attributes >> 5 === 0) from.at += 3;
    const length = from.number(isWide ? 4 : 2);
    from.index();
    const kind = this.#names[from.index()] ?? '';
    const isCode = /CODE$/i.test(kind);
    const size = isCode ? Math.min(length, mostSegmentBytes) : 0;
    this.#room -= size;
    if (this.#room < 0) throw new OmfError('it holds too much');
    this.#segments.push({ class: kind, bytes: new Uint8Array(size), unknown: new Uint8Array(size).fill(1) });
  }

  #public(from: RecordReader, isWide: boolean): void {
    from.index();
    const segment = from.index();
    if (segment === 0) return;
    while (!from.isOver) {
      const name = from.text();
      const offset = from.number(isWide ? 4 : 2);
      from.index();
      this.#publics.push({ name, segment: segment - 1, offset });
    }
  }

  #data(from: RecordReader, isWide: boolean): void {
    const segment = this.#segments[from.index() - 1];
    const offset = from.number(isWide ? 4 : 2);
    const bytes = from.bytes.subarray(from.at);
    this.#last = segment && { segment, offset };
    if (!segment || offset >= segment.bytes.length) return;
    const taken = bytes.subarray(0, segment.bytes.length - offset);
    segment.bytes.set(taken, offset);
    segment.unknown.fill(0, offset, offset + taken.length);
  }

  #fixups(from: RecordReader, isWide: boolean): void {
    while (!from.isOver) {
      const first = from.byte();
      if (!(first & 0x80)) {
        // A thread: an index follows, but for frames that name themselves.
        if (!(first & 0x40) || ((first >> 2) & 7) < 3) from.index();
        continue;
      }
      const place = ((first & 3) << 8) | from.byte();
      this.#fix(place, fixupBytes[(first >> 2) & 15] ?? 4);
      skipTarget(from, isWide);
    }
  }

  #fix(place: number, bytes: number): void {
    if (!this.#last) return;
    const { segment, offset } = this.#last;
    segment.unknown.fill(2, offset + place, offset + place + bytes);
  }

  #end(from: RecordReader, isWide: boolean): void {
    const type = from.byte();
    if (!(type & 0x40)) return;
    const fixed = from.byte();
    if (!(fixed & 0x80) && ((fixed >> 4) & 7) < 3) from.index();
    if (fixed & 8) return;
    const segment = from.index();
    const offset = fixed & 4 ? 0 : from.number(isWide ? 4 : 2);
    if ((fixed & 3) === 0 && segment > 0) this.#start = { segment: segment - 1, offset };
  }
}

function skipTarget(from: RecordReader, isWide: boolean): void {
  const fixed = from.byte();
  if (!(fixed & 0x80) && ((fixed >> 4) & 7) < 3) from.index();
  if (!(fixed & 8)) from.index();
  if (!(fixed & 4)) from.number(isWide ? 4 : 2);
}
