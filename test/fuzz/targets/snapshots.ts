import { createHash } from 'node:crypto';
import {
  readSnapshotFile,
  SnapshotFileError,
  snapshotVersion,
  writeSnapshotFile,
} from '../../../src/formats/snapshot/snapshot-file.ts';
import { MachineError } from '../../../src/machine/errors.ts';
import { readImage } from '../../../src/machines/commodore/machine/commodore-image.ts';
import { readSymbols, writeSymbols } from '../../../src/machines/commodore/machine/symbols-part.ts';
import { SystemBench } from '../../../src/machines/dos/board/system-testing.ts';
import { packDos, unpackDos } from '../../../src/machines/dos/machine/image/dos-image.ts';
import { TimeSlice } from '../../../src/machines/shared/time-slice.ts';
import type { FuzzTarget } from '../fuzz-target.ts';

const never = new AbortController().signal;

const symbols = await writeSymbols(
  {
    entries: [{ name: 'loop', address: 0xc000, source: 'a.asm' }],
    lines: [['a.asm', [{ address: 0xc000, length: 3, file: 'a.asm', line: 1 }]]],
    annotations: [{ type: 'note', description: 'x', file: 'a.asm', line: 1, source: 'a.asm' }],
    texts: [['a.asm', [['a.asm', 'loop: jmp loop']]]],
    scopes: [
      [
        'a.dbg',
        [
          {
            ...{ name: 'add', address: 0x840, length: 20 },
            variables: [{ name: 'sum', place: 'stack', at: -2 }],
            uses: [{ name: 'pushax', at: [0x840] }],
          },
        ],
      ],
    ],
  },
  new TimeSlice(),
);

const file = await writeSnapshotFile({
  kind: 'c64',
  options: { video: 'pal', roms: 'own' },
  model: { kernal: '0123' },
  time: 'cycle 5',
  facts: {
    images: 1,
    media: { drive8: { name: 'a.d64', readOnly: false } },
    before: { drive8: '1,2,3' },
    fitted: {},
  },
  parts: new Map([
    ['state', Uint8Array.from({ length: 64 }, (_, at) => at)],
    ['symbols', symbols],
    ['image0', new Uint8Array(16)],
    ['medium.drive8', new Uint8Array(16)],
  ]),
});

/** A DOS machine at work, without its memory: whether that fits is seen before anything is read. */
async function dosFile(): Promise<Uint8Array> {
  const { system } = new SystemBench({ 'A.TXT': 'text' }, ['echo a>b.txt', 'pause']).run(300_000);
  const content = { services: system.save(), session: system.session, media: {}, stubs: system.stubNames };
  const image = await packDos({ state: new Uint8Array(8), ...content }, new TimeSlice());
  return writeSnapshotFile({ kind: 'dos', options: {}, model: {}, time: 'instruction 5', ...image });
}
const dos = await readSnapshotFile(await dosFile());
const texts = ['services', 'nodes.2', 'files.2'].map((name) => dos.parts.get(name) ?? new Uint8Array());

/** Three texts, each after its length. */
const together = Buffer.concat(texts.flatMap((each) => [Buffer.from(Uint32Array.of(each.length).buffer), each]));

/** The parts that an input has, in the place of those of a good file. */
function apart(input: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const parts = new Map(dos.parts);
  const bytes = Buffer.from(input);
  let at = 0;
  for (const name of ['services', 'nodes.2', 'files.2']) {
    if (at + 4 > bytes.length) break;
    const length = bytes.readUInt32LE(at);
    parts.set(name, bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return parts;
}

/** With lengths and a checksum that fit, so that what they guard is reached. */
function sealed(input: Uint8Array): Uint8Array {
  const bytes = Buffer.from(input);
  if (bytes.length < 52) return bytes;
  const header = Math.min(bytes.readUInt32LE(12), bytes.length - 52);
  bytes.writeUInt32LE(snapshotVersion, 8);
  bytes.writeUInt32LE(header, 12);
  bytes.writeUInt32LE(bytes.length - 52 - header, 16);
  bytes.set(createHash('sha256').update(bytes.subarray(0, 20)).update(bytes.subarray(52)).digest(), 20);
  return bytes;
}

export const snapshotTargets: readonly FuzzTarget[] = [
  {
    name: 'snapshot-file',
    seeds: () => [file],
    focus: [[0, 60]],
    read: (input) => readSnapshotFile(input),
    refusals: [SnapshotFileError],
  },
  {
    name: 'snapshot-image',
    seeds: () => [file],
    focus: [[52, 500]],
    read: async (input) => readImage(await readSnapshotFile(sealed(input)), ['drive8', 'cartridge', 'tape'], never),
    refusals: [SnapshotFileError, MachineError],
  },
  {
    name: 'snapshot-symbols',
    seeds: () => [symbols],
    read: (input) => readSymbols(input, new TimeSlice()),
    refusals: [Error],
  },
  {
    name: 'dos-snapshot',
    seeds: () => [together],
    read: (input) => unpackDos({ ...dos, parts: apart(input) }, () => undefined, new TimeSlice()),
    refusals: [MachineError],
  },
];
