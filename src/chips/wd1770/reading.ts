import { crcOfMarks, withByte } from './crc.ts';
import { close, end, nextSector } from './ending.ts';
import { fields as f, phase, status, type Wd1770State } from './fields.ts';
import { dataMark, deletedMark, headerMark, syncMark } from './marks.ts';

const headerBytes = 6;
/** A data field has to begin within so many bytes of its header. */
const longestGap = 43;
/** From the header to where the write gate opens; the first byte has to be there after eleven of them. */
const writeGap = 22;
const lastMoment = writeGap - 11;
const leadBytes = 16;

function offer(s: Wd1770State, byte: number): void {
  s[f.data] = byte & 0xff;
  s[f.status] |= (s[f.status] & status.dataRequest) !== 0 ? status.lostData : status.dataRequest;
}

/** A byte has passed under the head of a command that reads. */
export function readByte(s: Wd1770State, byte: number): void {
  switch (s[f.phase]) {
    case phase.findHeader:
      if (isMarked(s, byte, headerMark)) {
        s[f.phase] = phase.header;
        s[f.count] = headerBytes;
        s[f.crc] = withByte(crcOfMarks, headerMark);
      }
      return;
    case phase.header:
      headerByte(s, byte & 0xff);
      return;
    case phase.findData:
      dataByte(s, byte);
      return;
    case phase.readData:
      s[f.crc] = withByte(s[f.crc], byte & 0xff);
      offer(s, byte);
      s[f.count] -= 1;
      if (s[f.count] === 0) {
        s[f.phase] = phase.readSum;
        s[f.count] = 2;
      }
      return;
    case phase.readSum:
      s[f.crc] = withByte(s[f.crc], byte & 0xff);
      s[f.count] -= 1;
      if (s[f.count] > 0) return;
      if (s[f.crc] !== 0) end(s, status.checksum);
      else nextSector(s);
      return;
    case phase.writeGap:
      s[f.count] -= 1;
      if (s[f.count] === writeGap - 2) s[f.status] |= status.dataRequest;
      else if (s[f.count] === lastMoment && (s[f.status] & status.dataRequest) !== 0) {
        s[f.status] &= ~status.dataRequest;
        end(s, status.lostData);
      } else if (s[f.count] === 0) {
        s[f.phase] = phase.writeLead;
        s[f.count] = leadBytes;
      }
      return;
    case phase.readTrack:
      if (s[f.turns] === 1) offer(s, byte);
  }
}

/** Whether this byte is of that kind and comes after marks. */
function isMarked(s: Wd1770State, byte: number, kind: number): boolean {
  if (byte === syncMark) {
    s[f.marks] += 1;
    return false;
  }
  const isMarked = s[f.marks] > 0 && byte === kind;
  s[f.marks] = 0;
  return isMarked;
}

function headerByte(s: Wd1770State, byte: number): void {
  const left = s[f.count];
  const isAddress = s[f.command] >= 0xc0;
  s[f.crc] = withByte(s[f.crc], byte);
  s[f.count] = left - 1;
  if (isAddress) {
    if (left === headerBytes) s[f.sector] = byte;
    offer(s, byte);
  } else if ((left === 6 && byte !== s[f.track]) || (left === 4 && byte !== s[f.sector] && s[f.command] >= 0x80)) {
    s[f.phase] = phase.findHeader;
    return;
  }
  if (left === 3) s[f.size] = 128 << (byte & 3);
  if (left > 1) return;
  if (s[f.crc] !== 0) {
    s[f.status] |= status.checksum;
    if (isAddress) close(s);
    else s[f.phase] = phase.findHeader;
    return;
  }
  s[f.status] &= ~status.checksum;
  if (isAddress) close(s);
  else if (s[f.command] < 0x80) end(s, 0);
  else if (s[f.command] < 0xa0) {
    s[f.phase] = phase.findData;
    s[f.count] = longestGap;
  } else {
    s[f.phase] = phase.writeGap;
    s[f.count] = writeGap;
  }
}

function dataByte(s: Wd1770State, byte: number): void {
  s[f.count] -= 1;
  const hasMarks = s[f.marks] > 0;
  if (isMarked(s, byte, dataMark) || (hasMarks && byte === deletedMark)) {
    if (byte === deletedMark) s[f.status] |= status.deleted;
    s[f.crc] = withByte(crcOfMarks, byte);
    s[f.phase] = phase.readData;
    s[f.count] = s[f.size];
  } else if (s[f.count] <= 0) s[f.phase] = phase.findHeader;
}
