import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import type { FileControlBlock } from '../file-control-block.ts';
import { fcbAt, fcbText } from './fcb-files.ts';
import { transferAddress } from './find.ts';

/** AL afterwards. */
const complete = 0;
const nothing = 1;
const wraps = 2;
const padded = 3;

const readSequential: DosFunction = {
  number: 0x14,
  name: 'FCB read next record',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    guest.al = readRecords(dos, block, block.sequential, 1).status;
    if (guest.al === complete || guest.al === padded) block.sequential++;
    return undefined;
  },
  result: statusText,
};

const writeSequential: DosFunction = {
  number: 0x15,
  name: 'FCB write next record',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    guest.al = writeRecords(dos, block, block.sequential, 1).status;
    if (guest.al === complete) block.sequential++;
    return undefined;
  },
  result: statusText,
};

const readRandom: DosFunction = {
  number: 0x21,
  name: 'FCB read record',
  failure: 'al',
  describe: randomText,
  run(guest, dos) {
    const block = fcbAt(guest);
    block.sequential = block.random;
    guest.al = readRecords(dos, block, block.random, 1).status;
    return undefined;
  },
  result: statusText,
};

const writeRandom: DosFunction = {
  number: 0x22,
  name: 'FCB write record',
  failure: 'al',
  describe: randomText,
  run(guest, dos) {
    const block = fcbAt(guest);
    block.sequential = block.random;
    guest.al = writeRecords(dos, block, block.random, 1).status;
    return undefined;
  },
  result: statusText,
};

const setRandom: DosFunction = {
  number: 0x24,
  name: 'FCB set random record',
  failure: 'al',
  describe: fcbText,
  run(guest) {
    const block = fcbAt(guest);
    block.random = block.sequential;
    return undefined;
  },
};

const readBlock: DosFunction = {
  number: 0x27,
  name: 'FCB read records',
  failure: 'al',
  describe: (guest) => `${randomText(guest)}, ${guest.cx} records`,
  run(guest, dos) {
    const block = fcbAt(guest);
    const { status, records } = readRecords(dos, block, block.random, guest.cx);
    advance(guest, block, records, status);
    return undefined;
  },
  result: (guest) => `${guest.cx} records, ${statusText(guest)}`,
};

const writeBlock: DosFunction = {
  number: 0x28,
  name: 'FCB write records',
  failure: 'al',
  describe: (guest) => `${randomText(guest)}, ${guest.cx} records`,
  run(guest, dos) {
    const block = fcbAt(guest);
    const { status, records } = writeRecords(dos, block, block.random, guest.cx);
    advance(guest, block, records, status);
    return undefined;
  },
  result: (guest) => `${guest.cx} records, ${statusText(guest)}`,
};

export const fcbRecordFunctions = [
  readSequential,
  writeSequential,
  readRandom,
  writeRandom,
  setRandom,
  readBlock,
  writeBlock,
] as const;

function advance(guest: Guest, block: FileControlBlock, records: number, status: number): void {
  block.random += records;
  block.sequential = block.random;
  guest.cx = records;
  guest.al = status;
}

/** What would go beyond the end of the transfer area's segment is not transferred. */
function fitting(dos: Dos, size: number, count: number): number {
  return Math.min(count, Math.floor((0x10000 - (dos.area.transferArea & 0xffff)) / size));
}

function readRecords(dos: Dos, block: FileControlBlock, record: number, count: number) {
  const size = block.recordSize;
  const fits = fitting(dos, size, count);
  if (fits === 0 && count > 0) return { status: wraps, records: 0 };
  const file = block.file(dos);
  file.position = record * size;
  const bytes = dos.handles.read(file, fits * size);
  const records = Math.ceil(bytes.length / size);
  const target = new Uint8Array(records * size);
  target.set(bytes);
  dos.memory.write(transferAddress(dos), target);
  if (bytes.length < fits * size) return { status: bytes.length % size === 0 ? nothing : padded, records };
  return { status: fits < count ? wraps : complete, records };
}

function writeRecords(dos: Dos, block: FileControlBlock, record: number, count: number) {
  const size = block.recordSize;
  const fits = fitting(dos, size, count);
  if (fits === 0 && count > 0) return { status: wraps, records: 0 };
  const file = block.file(dos);
  file.position = record * size;
  // No records at all set the size of the file.
  const bytes = dos.memory.bytes(transferAddress(dos), fits * size);
  const written = dos.handles.write(file, bytes);
  block.size = dos.handles.size(file);
  if (written < bytes.length) return { status: nothing, records: Math.floor(written / size) };
  return { status: fits < count ? wraps : complete, records: fits };
}

function randomText(guest: Guest): string {
  return `${fcbText(guest)} record ${fcbAt(guest).random}`;
}

function statusText(guest: Guest): string {
  return (
    ['complete', 'end of file or disk full', 'transfer area too small', 'last record padded'][guest.al] ?? 'failed'
  );
}
