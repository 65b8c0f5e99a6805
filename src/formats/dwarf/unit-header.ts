import type { ByteView } from '../elf/byte-view.ts';
import { DwarfCursor } from '../elf/dwarf-cursor.ts';

export interface UnitHeader {
  readonly version: number;
  /** Where it begins in `.debug_info`; references count from there. */
  readonly start: number;
  /** Where its first entry lies. */
  readonly entries: number;
  readonly end: number;
  readonly abbreviations: number;
  readonly addressBytes: number;
  readonly wideOffsets: boolean;
}

const wideMark = 0xffffffff;
const [skeleton, splitCompile, typeUnit, splitType] = [4, 5, 2, 6];

/** The headers of all units; undefined for those of other versions than 2 to 5. */
export function* unitHeaders(info: ByteView): Generator<UnitHeader | undefined> {
  let start = 0;
  while (start + 11 < info.length) {
    const wideOffsets = info.u32(start) === wideMark;
    const from = start + (wideOffsets ? 12 : 4);
    const end = from + (wideOffsets ? info.offset64(start + 4) : info.u32(start));
    if (end <= from || end > info.length) return;
    const cursor = new DwarfCursor(info, from, end, wideOffsets);
    const version = cursor.u16();
    const isKnown = version >= 2 && version <= 5;
    if (!isKnown) yield undefined;
    else {
      const type = version >= 5 ? cursor.u8() : 1;
      const early = version >= 5 ? cursor.u8() : 0;
      const abbreviations = cursor.offset();
      const addressBytes = version >= 5 ? early : cursor.u8();
      if (type === skeleton || type === splitCompile) cursor.skip(8);
      if (type === typeUnit || type === splitType) cursor.skip(8 + (wideOffsets ? 8 : 4));
      yield { version, start, entries: cursor.at, end, abbreviations, addressBytes, wideOffsets };
    }
    start = end;
  }
}
