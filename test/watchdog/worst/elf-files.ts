interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags?: number;
  readonly link?: number;
  readonly entrySize?: number;
  readonly bytes: Uint8Array;
}

const headerBytes = 64;
const [symbolTable, stringTable, programBits] = [2, 3, 1];

/** A 64-bit little-endian file for x86_64 with these sections, and one with their names behind them. */
function elf(sections: readonly Section[]): Uint8Array {
  const names = new TextEncoder().encode(['', ...sections.map(({ name }) => name), '.shstrtab'].join('\0'));
  const all: Section[] = [
    { name: '', type: 0, bytes: new Uint8Array() },
    ...sections,
    { name: '.shstrtab', type: stringTable, bytes: names },
  ];
  const offsets: number[] = [];
  let at = headerBytes;
  for (const { bytes } of all) {
    offsets.push(at);
    at += (bytes.length + 15) & ~15;
  }
  const file = new Uint8Array(at + all.length * 64);
  const view = new DataView(file.buffer);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  const words = [
    [16, 2],
    [18, 62],
    [52, 64],
    [58, 64],
    [60, all.length],
    [62, all.length - 1],
  ] as const;
  for (const [offset, value] of words) view.setUint16(offset, value, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(40, BigInt(at), true);
  let nameAt = 0;
  for (const [index, { name, type, flags = 0, link = 0, entrySize = 0, bytes }] of all.entries()) {
    file.set(bytes, offsets[index]);
    const head = at + index * 64;
    view.setUint32(head, nameAt, true);
    view.setUint32(head + 4, type, true);
    view.setBigUint64(head + 8, BigInt(flags), true);
    view.setBigUint64(head + 24, BigInt(offsets[index] ?? 0), true);
    view.setBigUint64(head + 32, BigInt(bytes.length), true);
    view.setUint32(head + 40, link, true);
    view.setBigUint64(head + 56, BigInt(entrySize), true);
    nameAt += name.length + 1;
  }
  return file;
}

/** Functions, so many of them. */
export function elfWithSymbols(count: number): Uint8Array {
  const strings = new TextEncoder().encode(
    `\0${Array.from({ length: count }, (_, n) => `function_${n}`).join('\0')}\0`,
  );
  const symbols = new Uint8Array(count * 24);
  const view = new DataView(symbols.buffer);
  let at = 1;
  for (let number = 0; number < count; number++) {
    view.setUint32(number * 24, at, true);
    symbols[number * 24 + 4] = 0x12;
    view.setUint16(number * 24 + 6, 1, true);
    view.setBigUint64(number * 24 + 8, 0x400000n + BigInt(number) * 16n, true);
    view.setBigUint64(number * 24 + 16, 16n, true);
    at += `function_${number}`.length + 1;
  }
  return elf([
    { name: '.symtab', type: symbolTable, link: 2, entrySize: 24, bytes: symbols },
    { name: '.strtab', type: stringTable, bytes: strings },
  ]);
}

const tags = {
  compileUnit: 0x11,
  structure: 0x13,
  member: 0x0d,
  variable: 0x34,
  pointer: 0x0f,
  base: 0x24,
  array: 0x01,
  range: 0x21,
};
const names = { name: 0x03, location: 0x02, size: 0x0b, type: 0x49, place: 0x38, count: 0x37, encoding: 0x3e };
const forms = { string: 0x08, byte: 0x0b, ref: 0x13, expression: 0x18, four: 0x06 };

/**
 * Debug information of a structure with 500 members, each of which is that structure again, of an array of it as large as memory,
 * and of a pointer to itself.
 */
export function elfOfItself(): Uint8Array {
  const abbreviation = (code: number, tag: number, hasChildren: boolean, ...attributes: number[]) => [
    ...[code, tag, Number(hasChildren)],
    ...attributes,
    ...[0, 0],
  ];
  const { string, byte, ref, expression, four } = forms;
  const abbreviations = [
    ...abbreviation(1, tags.compileUnit, true),
    ...abbreviation(2, tags.structure, true, names.name, string, names.size, byte),
    ...abbreviation(3, tags.member, false, names.name, string, names.type, ref, names.place, byte),
    ...abbreviation(4, tags.variable, false, names.name, string, names.type, ref, names.location, expression),
    ...abbreviation(5, tags.pointer, false, names.type, ref, names.size, byte),
    ...abbreviation(6, tags.array, true, names.type, ref),
    ...abbreviation(7, tags.range, false, names.count, four),
    0,
  ];
  const long = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
  const text = (value: string) => [...new TextEncoder().encode(value), 0];
  const header = 11;
  const bytes = [1];
  const here = () => header + bytes.length;
  const structure = here();
  bytes.push(2, ...text('evil'), 8);
  for (let member = 0; member < 500; member++) bytes.push(3, ...text(`m${member}`), ...long(structure), 0);
  bytes.push(0);
  const pointer = here();
  bytes.push(5, ...long(pointer), 8);
  const array = here();
  bytes.push(6, ...long(structure), 7, ...long(0x7fffffff), 0);
  const at = [9, 3, ...long(0x1000), ...long(0)];
  for (const [name, type] of [
    ['evil', structure],
    ['next', pointer],
    ['everything', array],
  ] as const) {
    bytes.push(4, ...text(name), ...long(type), ...at);
  }
  bytes.push(0);
  return elf([
    {
      name: '.debug_info',
      type: programBits,
      bytes: Uint8Array.from([...long(bytes.length + 7), 4, 0, ...long(0), 8, ...bytes]),
    },
    { name: '.debug_abbrev', type: programBits, bytes: Uint8Array.from(abbreviations) },
  ]);
}

/** Debug information that is one entry within another, each of which says that it goes on for ever. */
export function elfNoise(): Uint8Array {
  const noise = Uint8Array.from({ length: 4_000_000 }, (_, index) => (index * 131 + (index >> 7)) & 255);
  noise.set([0xff, 0xff, 0xff, 0x7f, 5, 0, 1, 8]);
  return elf([
    { name: '.debug_info', type: programBits, bytes: noise },
    { name: '.debug_abbrev', type: programBits, bytes: Uint8Array.from({ length: 100_000 }, () => 1) },
    { name: '.debug_line', type: programBits, bytes: noise },
    { name: '.debug_frame', type: programBits, bytes: noise },
    { name: '.symtab', type: symbolTable, link: 5, entrySize: 24, bytes: noise },
  ]);
}

/** A core file for x86_64 with as many segments as are read, all over each other and without a processor. */
export function coreOfHeaders(): Uint8Array {
  const count = 16_384;
  const file = Buffer.alloc(headerBytes + count * 56);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(4, 16);
  file.writeUInt16LE(62, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(headerBytes), 32);
  file.writeUInt16LE(headerBytes, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(count, 56);
  for (let n = 0; n < count; n++) {
    const at = headerBytes + n * 56;
    file.writeUInt32LE(1, at);
    file.writeBigUInt64LE(BigInt(n), at + 24);
    file.writeBigUInt64LE(BigInt(file.length), at + 32);
    file.writeBigUInt64LE(BigInt(file.length), at + 40);
  }
  return file;
}
