import { crcOfMarks, withByte } from './crc.ts';
import { end, nextSector } from './ending.ts';
import { fields as f, phase, status, type Wd1770State } from './fields.ts';
import { dataMark, deletedMark, mark, syncMark } from './marks.ts';

interface WritableTrack {
  write(place: number, byte: number): void;
}

/** What the processor has left to be written; zero where it was too late. */
function wanted(s: Wd1770State, isLast: boolean): number {
  const isMissing = (s[f.status] & status.dataRequest) !== 0;
  if (isMissing) s[f.status] |= status.lostData;
  if (!isLast) s[f.status] |= status.dataRequest;
  return isMissing ? 0 : s[f.data];
}

/** Writes the byte that is under the head. */
export function writeByte(s: Wd1770State, drive: WritableTrack, place: number): void {
  switch (s[f.phase]) {
    case phase.writeLead:
      drive.write(place, leadByte(s));
      return;
    case phase.writeData: {
      const byte = wanted(s, s[f.count] === 1);
      s[f.crc] = withByte(s[f.crc], byte);
      drive.write(place, byte);
      s[f.count] -= 1;
      if (s[f.count] > 0) return;
      s[f.phase] = phase.writeSum;
      s[f.count] = 3;
      return;
    }
    case phase.writeSum:
      s[f.count] -= 1;
      drive.write(place, s[f.count] === 2 ? s[f.crc] >> 8 : s[f.count] === 1 ? s[f.crc] & 0xff : 0x4e);
      if (s[f.count] === 0) nextSector(s);
      return;
    case phase.awaitTrack:
      awaitTrack(s, drive, place);
      return;
    case phase.writeTrack:
      drive.write(place, formatByte(s));
      return;
    case phase.writeTrackSum:
      drive.write(place, s[f.crc] & 0xff);
      s[f.phase] = phase.writeTrack;
  }
}

/** Zeros, three marks, and the one of data. */
function leadByte(s: Wd1770State): number {
  s[f.count] -= 1;
  const left = s[f.count];
  if (left > 3) return 0;
  if (left > 0) return syncMark;
  const kind = (s[f.command] & 1) !== 0 ? deletedMark : dataMark;
  s[f.crc] = withByte(crcOfMarks, kind);
  s[f.phase] = phase.writeData;
  s[f.count] = s[f.size];
  return kind;
}

/** The first byte has to be there soon, and is written after the index pulse. */
function awaitTrack(s: Wd1770State, drive: WritableTrack, place: number): void {
  if (s[f.count] > 0) {
    s[f.count] -= 1;
    s[f.turns] = 0;
    if (s[f.count] > 0) return;
    if ((s[f.status] & status.dataRequest) !== 0) {
      s[f.status] &= ~status.dataRequest;
      end(s, status.lostData);
    }
    return;
  }
  if (place !== 0) return;
  s[f.turns] = 1;
  s[f.marks] = 0;
  s[f.phase] = phase.writeTrack;
  drive.write(place, formatByte(s));
}

/** Some values are marks and checksums instead. */
function formatByte(s: Wd1770State): number {
  const byte = wanted(s, false);
  if (byte === 0xf7) {
    s[f.phase] = phase.writeTrackSum;
    s[f.marks] = 0;
    return s[f.crc] >> 8;
  }
  if (byte === 0xf5) {
    s[f.crc] = withByte(s[f.marks] === 0 ? 0xffff : s[f.crc], 0xa1);
    s[f.marks] = 1;
    return syncMark;
  }
  if (s[f.marks] !== 0) s[f.crc] = withByte(s[f.crc], byte);
  return byte === 0xf6 ? mark | 0xc2 : byte;
}
