import { expect, test } from 'vitest';
import type { DwarfType, Member } from '../../../formats/dwarf/dwarf-types.ts';
import { memberOf, numberOf } from './typed-value.ts';

const type: DwarfType = { kind: 'base', name: 'unsigned', bytes: 4, encoding: 7 };
const signed: DwarfType = { kind: 'base', name: 'int', bytes: 4, encoding: 5 };
/** `unsigned a : 3, b : 12; int c : 9; unsigned d : 8`, one after the other from the start of the structure. */
const fields = [
  ['a', 3, 0, type],
  ['b', 12, 3, type],
  ['c', 9, 15, signed],
  ['d', 8, 24, type],
] as const;
const values = { a: 5n, b: 0x9abn, c: -100n, d: 0x5an };

/** As compilers lay them out: from the highest bit where the highest byte comes first, else from the lowest. */
function packed(bigEndian: boolean): Uint8Array {
  let word = 0n;
  for (const [name, count, from] of fields) {
    const at = bigEndian ? 32 - from - count : from;
    word |= BigInt.asUintN(count, values[name]) << BigInt(at);
  }
  const bytes = Buffer.alloc(4);
  if (bigEndian) bytes.writeUInt32BE(Number(word));
  else bytes.writeUInt32LE(Number(word));
  return bytes;
}

test.for([
  ['little', 5, false],
  ['little', 4, false],
  ['big', 5, true],
  ['big', 4, true],
] as const)('bit fields of a %s-endian processor, as DWARF %s has them', async ([, version, bigEndian]) => {
  const members = fields.map(([name, count, at, of]): Member => {
    // Up to version 4: in the word that the compiler has loaded, from its lowest bit. Since 5: in memory.
    const from = version === 5 ? at : bigEndian ? 32 - at - count : at;
    const offset = version === 5 ? Math.floor(at / 8) : 0;
    return { name, offset, type: of, bits: { count, from, inMemoryOrder: version === 5 } };
  });
  const structure: DwarfType = { kind: 'structure', name: 'fields', bytes: 4, members, variants: undefined };
  // What follows the structure must not matter.
  const memory = Buffer.concat([packed(bigEndian), Buffer.alloc(4, 0xff)]);
  const reader = {
    bigEndian,
    read: async (address: bigint, length: number) => memory.subarray(Number(address), Number(address) + length),
  };
  for (const [name, value] of Object.entries(values)) {
    const field = memberOf({ type: structure, address: 0n }, name);
    expect(field && (await numberOf(field, reader)), name).toBe(value);
  }
});
