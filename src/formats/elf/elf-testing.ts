/** Puts small ELF files together, of either width and byte order. */
export interface ElfShape {
  readonly wide: boolean;
  readonly little: boolean;
  readonly machine?: number;
}

export interface TestSymbol {
  readonly name: string;
  readonly address: bigint;
  readonly size?: number;
  /** 0 nothing, 1 object, 2 function, 4 file. */
  readonly type?: number;
  readonly global?: boolean;
  /** 1 is the code; 0 is undefined. */
  readonly section?: number;
}

export class Bytes {
  readonly #parts: number[] = [];
  readonly #little: boolean;

  constructor(little: boolean) {
    this.#little = little;
  }

  put(value: number | bigint, bytes: number): this {
    const digits = Array.from({ length: bytes }, (_, n) => Number((BigInt(value) >> BigInt(8 * n)) & 0xffn));
    this.#parts.push(...(this.#little ? digits : digits.reverse()));
    return this;
  }

  raw(bytes: Iterable<number>): this {
    this.#parts.push(...bytes);
    return this;
  }

  text(text: string): this {
    return this.raw([...Buffer.from(text, 'latin1'), 0]);
  }

  get length(): number {
    return this.#parts.length;
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#parts);
  }
}

interface Section {
  readonly name: string;
  readonly type: number;
  readonly content: Uint8Array;
  readonly flags?: number;
  readonly link?: number;
  readonly entryBytes?: number;
}

export function buildElf(
  shape: ElfShape,
  symbols: readonly TestSymbol[],
  more: Readonly<Record<string, Uint8Array>> = {},
  /** Says of those that they are packed. */
  moreFlags = 0,
): Uint8Array {
  const { wide, little, machine = 62 } = shape;
  const word = wide ? 8 : 4;
  const names = new Bytes(little).text('');
  const table = new Bytes(little).raw(new Uint8Array(wide ? 24 : 16));
  for (const { name, address, size = 0, type = 2, global = false, section = 1 } of symbols) {
    const nameAt = names.length;
    names.text(name);
    const info = type | (global ? 0x10 : 0);
    if (wide) table.put(nameAt, 4).put(info, 1).put(0, 1).put(section, 2).put(address, 8).put(size, 8);
    else table.put(nameAt, 4).put(address, 4).put(size, 4).put(info, 1).put(0, 1).put(section, 2);
  }
  const sections: Section[] = [
    { name: '', type: 0, content: new Uint8Array() },
    { name: '.text', type: 1, content: new Uint8Array(4), flags: 6 },
    { name: '.symtab', type: 2, content: table.bytes, link: 3, entryBytes: wide ? 24 : 16 },
    { name: '.strtab', type: 3, content: names.bytes },
    ...Object.entries(more).map(([name, content]) => ({ name, type: 1, content, flags: moreFlags })),
  ];
  const sectionNames = new Bytes(little);
  const all = [...sections, { name: '.shstrtab', type: 3, content: new Uint8Array() }];
  const nameOffsets = all.map(({ name }) => {
    const at = sectionNames.length;
    sectionNames.text(name);
    return at;
  });
  const contents = [...sections.map(({ content }) => content), sectionNames.bytes];
  const headerBytes = wide ? 64 : 52;
  const total = contents.reduce((sum, { length }) => sum + length, headerBytes);
  const file = new Bytes(little)
    .raw([0x7f, 0x45, 0x4c, 0x46, wide ? 2 : 1, little ? 1 : 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    .put(2, 2)
    .put(machine, 2)
    .put(1, 4)
    .put(0, word)
    .put(0, word)
    .put(total, word)
    .put(0, 4)
    .put(headerBytes, 2)
    .put(0, 2)
    .put(0, 2)
    .put(wide ? 64 : 40, 2)
    .put(all.length, 2)
    .put(all.length - 1, 2);
  for (const content of contents) file.raw(content);
  let offset = headerBytes;
  for (const [n, section] of all.entries()) {
    const { type, flags = 0, link = 0, entryBytes = 0 }: Section = section;
    const size = contents[n]?.length ?? 0;
    file
      .put(nameOffsets[n] ?? 0, 4)
      .put(type, 4)
      .put(flags, word)
      .put(0, word)
      .put(offset, word)
      .put(size, word);
    file.put(link, 4).put(0, 4).put(1, word).put(entryBytes, word);
    offset += size;
  }
  return file.bytes;
}

/**
 * A line program for `main.c`: two bytes for each of the lines 10, 11 and 20, from an address on. The files are written
 * as the version wants it.
 */
export function buildLines(shape: ElfShape, version: number, address: bigint): Uint8Array {
  const { little, wide } = shape;
  const word = wide ? 8 : 4;
  const files =
    version >= 5
      ? new Bytes(little)
          .raw([1, 1, 8, 2])
          .text('/build')
          .text('src')
          .raw([2, 1, 8, 2, 11, 2])
          .text('other.c')
          .raw([0])
          .text('main.c')
          .raw([1])
      : new Bytes(little).text('src').raw([0]).text('main.c').raw([1, 0, 0]).raw([0]);
  const afterLength = new Bytes(little).put(1, 1);
  if (version >= 4) afterLength.put(1, 1);
  // Line base -3, range 12, first special opcode 13, and the operands of the twelve before it.
  afterLength.raw([1, 0xfd, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]).raw(files.bytes);
  const program = new Bytes(little)
    .raw([0, 1 + word, 2])
    .put(address, word)
    .raw([3, 9, 1])
    .raw([13 + 3 + 1 + 2 * 12])
    .raw([2, 2, 3, 9, 1])
    .raw([5, 7, 9])
    .put(2, 2)
    .raw([0, 1, 1]);
  const header = new Bytes(little).put(version, 2);
  if (version >= 5) header.raw([word, 0]);
  header.put(afterLength.length, 4).raw(afterLength.bytes).raw(program.bytes);
  return new Bytes(little).put(header.length, 4).raw(header.bytes).bytes;
}
