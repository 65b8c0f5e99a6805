import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { FileControlBlock } from '../file-control-block.ts';
import { fcbAt, fcbFunction, fcbText } from './fcb-function.ts';
import { transferAddress } from './find.ts';

/** AL afterwards. */
const complete = 0;
const nothing = 1;
const wraps = 2;
const padded = 3;

/** Reads or writes records from one on: how many there were, and AL. */
type Transfer = (dos: Dos, block: FileControlBlock, record: number, count: number) => Transferred;
interface Transferred {
  readonly status: number;
  readonly records: number;
}

/** The record that block and current record name; they go on with the next one. */
const sequential = (number: number, name: string, transfer: Transfer) =>
  fcbFunction(
    number,
    name,
    (block, dos) => {
      const { status } = transfer(dos, block, block.sequential, 1);
      if (status === complete || status === padded) block.sequential++;
      return status;
    },
    { result: statusText },
  );

const random = (number: number, name: string, transfer: Transfer) =>
  fcbFunction(
    number,
    name,
    (block, dos) => {
      block.sequential = block.random;
      return transfer(dos, block, block.random, 1).status;
    },
    { describe: randomText, result: statusText },
  );

/** CX records from the random one on, which goes on after them. */
const several = (number: number, name: string, transfer: Transfer) =>
  fcbFunction(
    number,
    name,
    (block, dos, guest) => {
      const { status, records } = transfer(dos, block, block.random, guest.cx);
      block.random += records;
      block.sequential = block.random;
      guest.cx = records;
      return status;
    },
    {
      describe: (guest) => `${randomText(guest)}, ${guest.cx} records`,
      result: (guest) => `${guest.cx} records, ${statusText(guest)}`,
    },
  );

/** Leaves AL alone. */
const setRandom = fcbFunction(0x24, 'set random record', (block, _dos, guest) => {
  block.random = block.sequential;
  return guest.al;
});

export const fcbRecordFunctions = [
  sequential(0x14, 'read next record', readRecords),
  sequential(0x15, 'write next record', writeRecords),
  random(0x21, 'read record', readRecords),
  random(0x22, 'write record', writeRecords),
  setRandom,
  several(0x27, 'read records', readRecords),
  several(0x28, 'write records', writeRecords),
] as const;

/** What would go beyond the end of the transfer area's segment is not transferred. */
function fitting(dos: Dos, size: number, count: number): number {
  return Math.min(count, Math.floor((0x10000 - (dos.area.transferArea & 0xffff)) / size));
}

function readRecords(dos: Dos, block: FileControlBlock, record: number, count: number): Transferred {
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

function writeRecords(dos: Dos, block: FileControlBlock, record: number, count: number): Transferred {
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
