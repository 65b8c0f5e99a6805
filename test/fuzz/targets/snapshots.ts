import { createHash } from 'node:crypto';
import { readSnapshotFile, SnapshotFileError, writeSnapshotFile } from '../../../src/formats/snapshot/snapshot-file.ts';
import { MachineError } from '../../../src/machine/errors.ts';
import { readImage } from '../../../src/machines/commodore/machine/commodore-image.ts';
import type { FuzzTarget } from '../fuzz-target.ts';

const file = () =>
  writeSnapshotFile({
    kind: 'c64',
    options: { video: 'pal', roms: 'own' },
    model: { kernal: '0123' },
    time: 'cycle 5',
    facts: {
      images: 1,
      media: { drive8: { name: 'a.d64', readOnly: false } },
      before: { drive8: '1,2,3' },
      symbols: {
        entries: [{ name: 'loop', address: 0xc000, source: 'a.asm' }],
        lines: [['a.asm', [{ address: 0xc000, length: 3, file: 'a.asm', line: 1 }]]],
      },
    },
    parts: new Map([
      ['state', Uint8Array.from({ length: 64 }, (_, at) => at)],
      ['image0', new Uint8Array(16)],
      ['medium.drive8', new Uint8Array(16)],
    ]),
  });

/** With lengths and a checksum that fit, so that what they guard is reached. */
function sealed(input: Uint8Array): Uint8Array {
  const bytes = Buffer.from(input);
  if (bytes.length < 52) return bytes;
  const header = Math.min(bytes.readUInt32LE(12), bytes.length - 52);
  bytes.writeUInt32LE(1, 8);
  bytes.writeUInt32LE(header, 12);
  bytes.writeUInt32LE(bytes.length - 52 - header, 16);
  bytes.set(createHash('sha256').update(bytes.subarray(0, 20)).update(bytes.subarray(52)).digest(), 20);
  return bytes;
}

export const snapshotTargets: readonly FuzzTarget[] = [
  {
    name: 'snapshot-file',
    seeds: () => [file()],
    focus: [[0, 60]],
    read: (input) => readSnapshotFile(input),
    refusals: [SnapshotFileError],
  },
  {
    name: 'snapshot-image',
    seeds: () => [file()],
    focus: [[52, 500]],
    read: (input) => readImage(readSnapshotFile(sealed(input)), ['drive8', 'cartridge', 'tape']),
    refusals: [SnapshotFileError, MachineError],
  },
];
