/** Records of an object file, for tests: type and content; length and checksum are added. */
export function omfFile(...records: readonly (readonly [type: number, ...content: (number | string)[]])[]): Uint8Array {
  return Uint8Array.from(
    records.flatMap(([type, ...content]) => {
      const bytes = content.flatMap((part) =>
        typeof part === 'number' ? [part] : [part.length, ...Array.from(part, (character) => character.charCodeAt(0))],
      );
      return [type, (bytes.length + 1) & 0xff, (bytes.length + 1) >> 8, ...bytes, 0];
    }),
  );
}

/** A module with a segment of code, these names in it, and places of two bytes that a linker fills. */
export function omfModule(
  code: readonly number[],
  publics: Readonly<Record<string, number>>,
  fixups: readonly number[] = [],
  start?: number,
): Uint8Array {
  return omfFile(
    [0x80, 'm.c'],
    [0x96, '', '_TEXT', 'CODE'],
    [0x98, 0x28, code.length & 0xff, code.length >> 8, 2, 3, 1],
    [0x90, 0, 1, ...Object.entries(publics).flatMap(([name, offset]) => [name, offset & 0xff, offset >> 8, 0])],
    [0xa0, 1, 0, 0, ...code],
    [0x9c, ...fixups.flatMap((at) => [0xc4 | (at >> 8), at & 0xff, 0x56, 1])],
    start === undefined ? [0x8a, 0] : [0x8a, 0xc1, 0x50, 1, start & 0xff, start >> 8],
  );
}
