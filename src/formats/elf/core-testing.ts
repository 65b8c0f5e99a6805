interface BuiltCore {
  readonly machine: number;
  readonly wide: boolean;
  readonly notes?: readonly (readonly [owner: string, type: number, bytes: Uint8Array])[];
  readonly memory: readonly (readonly [physical: bigint, bytes: Uint8Array])[];
}

/** A core file as QEMU writes it: headers, notes, memory. */
export function buildCore({ machine, wide, notes = [], memory }: BuiltCore): Buffer {
  const [headBytes, each] = wide ? [64, 56] : [52, 32];
  const noteBytes = Buffer.concat(notes.map(([owner, type, bytes]) => noteOf(owner, type, bytes)));
  const count = memory.length + 1;
  let at = headBytes + each * count;
  const head = Buffer.alloc(at);
  head.set([0x7f, 0x45, 0x4c, 0x46, wide ? 2 : 1, 1, 1]);
  head.writeUInt16LE(4, 16);
  head.writeUInt16LE(machine, 18);
  if (wide) head.writeBigUInt64LE(64n, 32);
  else head.writeUInt32LE(52, 28);
  head.writeUInt16LE(each, wide ? 54 : 42);
  head.writeUInt16LE(count, wide ? 56 : 44);
  const header = (n: number, type: number, physical: bigint, length: number) => {
    const from = headBytes + n * each;
    head.writeUInt32LE(type, from);
    if (wide) {
      for (const [offset, value] of [
        [8, BigInt(at)],
        [24, physical],
        [32, BigInt(length)],
        [40, BigInt(length)],
      ] as const)
        head.writeBigUInt64LE(value, from + offset);
    } else {
      for (const [offset, value] of [
        [4, at],
        [12, Number(physical)],
        [16, length],
        [20, length],
      ] as const)
        head.writeUInt32LE(value, from + offset);
    }
    at += length;
  };
  header(0, 4, 0n, noteBytes.length);
  for (const [n, [physical, bytes]] of memory.entries()) header(n + 1, 1, physical, bytes.length);
  return Buffer.concat([head, noteBytes, ...memory.map(([, bytes]) => bytes)]);
}

function noteOf(owner: string, type: number, bytes: Uint8Array): Buffer {
  const name = Buffer.from(`${owner}\0`);
  const head = Buffer.alloc(12);
  head.writeUInt32LE(name.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  head.writeUInt32LE(type, 8);
  const padding = (length: number) => Buffer.alloc((4 - (length % 4)) % 4);
  return Buffer.concat([head, name, padding(name.length), bytes, padding(bytes.length)]);
}

/** Bytes as a file that is read in pieces. */
export function bytesAsFile(bytes: Uint8Array) {
  return { size: bytes.length, read: async (at: number, length: number) => bytes.slice(at, at + length) };
}
