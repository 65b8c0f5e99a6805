import { DwarfCursor } from '../elf/dwarf-cursor.ts';
import { at } from './dwarf-constants.ts';
import type { DwarfEntry, DwarfUnit } from './dwarf-unit.ts';

export interface AddressRange {
  readonly from: bigint;
  /** One beyond the last. */
  readonly to: bigint;
}

const maxRanges = 512;
/** Entries of lists since version 5. */
const list = {
  end: 0,
  baseIndexed: 1,
  startEndIndexed: 2,
  startLengthIndexed: 3,
  pair: 4,
  base: 5,
  startEnd: 6,
  startLength: 7,
} as const;

/** Where the code of an entry lies; empty for one without code. */
export function rangesOf({ unit, attributes }: DwarfEntry): readonly AddressRange[] {
  const low = attributes.get(at.lowPc);
  const high = attributes.get(at.highPc);
  if (low?.type === 'address' && (high?.type === 'address' || high?.type === 'number')) {
    return [{ from: low.value, to: high.type === 'address' ? high.value : low.value + high.value }];
  }
  const ranges = attributes.get(at.ranges);
  if (ranges?.type === 'index') return readRnglist(unit, indexedOffset(unit, ranges.value));
  if (ranges?.type !== 'offset' && ranges?.type !== 'number') return [];
  const offset = Number(ranges.value);
  return unit.header.version >= 5 ? readRnglist(unit, offset) : readRanges(unit, offset);
}

/** What ranges without a start of their own are counted from. */
export function unitBase(unit: DwarfUnit): bigint {
  const low = unit.firstEntry.get(at.lowPc);
  return low?.type === 'address' ? low.value : 0n;
}

function indexedOffset(unit: DwarfUnit, index: number): number {
  const { rnglists } = unit.sections;
  const base = unit.bases.ranges;
  const { wideOffsets } = unit.header;
  return base + (wideOffsets ? rnglists.offset64(base + 8 * index) : rnglists.u32(base + 4 * index));
}

function readRanges(unit: DwarfUnit, offset: number): AddressRange[] {
  const { addressBytes } = unit.header;
  const cursor = new DwarfCursor(unit.sections.ranges, offset, unit.sections.ranges.length);
  const ranges: AddressRange[] = [];
  let base = unitBase(unit);
  const mark = (1n << BigInt(8 * addressBytes)) - 1n;
  while (!cursor.done && ranges.length < maxRanges) {
    const [from, to] = [cursor.address(addressBytes), cursor.address(addressBytes)];
    if (from === 0n && to === 0n) break;
    if (from === mark) base = to;
    else ranges.push({ from: base + from, to: base + to });
  }
  return ranges;
}

function readRnglist(unit: DwarfUnit, offset: number): AddressRange[] {
  const { addressBytes } = unit.header;
  const cursor = new DwarfCursor(unit.sections.rnglists, offset, unit.sections.rnglists.length);
  const ranges: AddressRange[] = [];
  let base = unitBase(unit);
  while (!cursor.done && ranges.length < maxRanges) {
    const code = cursor.u8();
    if (code === list.end) break;
    const step = readListPlace(cursor, code, unit, addressBytes, base);
    if (step.base !== undefined) base = step.base;
    if (step.range) ranges.push(step.range);
  }
  return ranges;
}

/** One entry of a list of ranges or locations: a new base, or a range. */
export function readListPlace(
  cursor: DwarfCursor,
  code: number,
  unit: DwarfUnit,
  addressBytes: number,
  base: bigint,
): { readonly base?: bigint; readonly range?: AddressRange } {
  const from = (start: bigint, length: number) => ({ range: { from: start, to: start + BigInt(length) } });
  switch (code) {
    case list.baseIndexed:
      return { base: unit.indexedAddress(cursor.unsigned()) };
    case list.startEndIndexed: {
      const start = unit.indexedAddress(cursor.unsigned());
      return { range: { from: start, to: unit.indexedAddress(cursor.unsigned()) } };
    }
    case list.startLengthIndexed: {
      const start = unit.indexedAddress(cursor.unsigned());
      return from(start, cursor.unsigned());
    }
    case list.pair: {
      const start = base + BigInt(cursor.unsigned());
      return { range: { from: start, to: base + BigInt(cursor.unsigned()) } };
    }
    case list.base:
      return { base: cursor.address(addressBytes) };
    case list.startEnd: {
      const start = cursor.address(addressBytes);
      return { range: { from: start, to: cursor.address(addressBytes) } };
    }
    case list.startLength: {
      const start = cursor.address(addressBytes);
      return from(start, cursor.unsigned());
    }
    default:
      throw new RangeError(`a list of addresses uses the unknown entry ${code}`);
  }
}
