import type { DwarfCursor } from './dwarf-cursor.ts';
import type { FrameSection } from './frame-table.ts';

/** What many functions share. */
export interface CommonInformation {
  readonly codeFactor: number;
  readonly dataFactor: number;
  /** The register that holds, or stands for, the return address. */
  readonly returnRegister: number;
  /** How addresses are written. */
  readonly encoding: number;
  /** Each function has further data in front of its program. */
  readonly hasData: boolean;
  /** After everything else: how things are on entry. */
  readonly program: DwarfCursor;
}

const absolute = 0;

/** After the mark that says what it is. */
export function readCommon(cursor: DwarfCursor, section: FrameSection): CommonInformation {
  const version = cursor.u8();
  const augmentation = cursor.text();
  if (augmentation === 'eh') cursor.skip(section.addressBytes);
  if (version >= 4) cursor.skip(2);
  const codeFactor = cursor.unsigned();
  const dataFactor = cursor.signed();
  const returnRegister = version === 1 ? cursor.u8() : cursor.unsigned();
  let encoding = absolute;
  const hasData = augmentation.startsWith('z');
  if (hasData) {
    const length = cursor.unsigned();
    const end = cursor.at + length;
    for (const letter of augmentation.slice(1)) {
      if (letter === 'R') encoding = cursor.u8();
      else if (letter === 'L') cursor.skip(1);
      else if (letter === 'P') readPointer(cursor, cursor.u8(), section);
      else if (letter !== 'S' && letter !== 'B') break;
    }
    cursor.skip(end - cursor.at);
  }
  return { codeFactor, dataFactor, returnRegister, encoding, hasData, program: cursor };
}

/** An address or a length in one of the ways of `.eh_frame`: how wide, and from where it is counted. */
export function readPointer(cursor: DwarfCursor, encoding: number, section: FrameSection): bigint {
  const base = (encoding & 0x70) === 0x10 ? section.address + BigInt(cursor.at) : 0n;
  const width = [section.addressBytes, 0, 2, 4, 8][encoding & 7];
  if (!width || (encoding & 0x60) !== 0) throw new RangeError(`a frame uses the unknown encoding ${encoding}`);
  const value = cursor.address(width);
  const isSigned = (encoding & 8) !== 0;
  return BigInt.asUintN(64, base + (isSigned ? BigInt.asIntN(8 * width, value) : value));
}
