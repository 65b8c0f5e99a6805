import type { DwarfCursor } from '../elf/dwarf-cursor.ts';
import { form } from './dwarf-constants.ts';
import type { UnitHeader } from './unit-header.ts';

/** What an attribute holds, by the class of its form. */
export type AttributeValue =
  | { readonly type: 'address'; readonly value: bigint }
  | { readonly type: 'number'; readonly value: bigint }
  /** An offset from the start of the entries of all units. */
  | { readonly type: 'reference'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'block'; readonly value: Uint8Array }
  /** An offset into a section of lists, or a place in the unit's table of them. */
  | { readonly type: 'offset'; readonly value: number }
  | { readonly type: 'index'; readonly value: number }
  | { readonly type: 'unknown' };

/** What the values of indirect forms are looked up in. */
export interface FormContext {
  readonly header: UnitHeader;
  text(section: 'str' | 'lineStr', offset: number): string;
  indexedText(index: number): string;
  indexedAddress(index: number): bigint;
}

const unknown: AttributeValue = { type: 'unknown' };

export function readValue(cursor: DwarfCursor, how: number, implicit: number, context: FormContext): AttributeValue {
  const { header } = context;
  const number = (value: number | bigint): AttributeValue => ({ type: 'number', value: BigInt(value) });
  const reference = (value: number): AttributeValue => ({ type: 'reference', value: header.start + value });
  const text = (value: string): AttributeValue => ({ type: 'text', value });
  const address = (value: bigint): AttributeValue => ({ type: 'address', value });
  const block = (bytes: number): AttributeValue => {
    const from = cursor.at;
    cursor.skip(bytes);
    return { type: 'block', value: cursor.view.bytes.subarray(from, from + bytes) };
  };
  switch (how) {
    case form.addr:
      return address(cursor.address(header.addressBytes));
    case form.addrx:
      return address(context.indexedAddress(cursor.unsigned()));
    case form.addrx1:
      return address(context.indexedAddress(cursor.u8()));
    case form.addrx2:
      return address(context.indexedAddress(cursor.u16()));
    case form.addrx3:
      return address(context.indexedAddress(three(cursor)));
    case form.addrx4:
      return address(context.indexedAddress(cursor.u32()));
    case form.data1:
    case form.flag:
      return number(cursor.u8());
    case form.data2:
      return number(cursor.u16());
    case form.data4:
      return number(cursor.u32());
    case form.data8:
      return number(cursor.address(8));
    case form.sdata:
      return number(wideSigned(cursor));
    case form.udata:
      return number(wideUnsigned(cursor));
    case form.implicitConst:
      return number(implicit);
    case form.flagPresent:
      return number(1);
    case form.string:
      return text(cursor.text());
    case form.strp:
      return text(context.text('str', cursor.offset()));
    case form.lineStrp:
      return text(context.text('lineStr', cursor.offset()));
    case form.strx:
      return text(context.indexedText(cursor.unsigned()));
    case form.strx1:
      return text(context.indexedText(cursor.u8()));
    case form.strx2:
      return text(context.indexedText(cursor.u16()));
    case form.strx3:
      return text(context.indexedText(three(cursor)));
    case form.strx4:
      return text(context.indexedText(cursor.u32()));
    case form.ref1:
      return reference(cursor.u8());
    case form.ref2:
      return reference(cursor.u16());
    case form.ref4:
      return reference(cursor.u32());
    case form.ref8:
      return reference(Number(cursor.address(8)));
    case form.refUdata:
      return reference(cursor.unsigned());
    case form.refAddr:
      return {
        type: 'reference',
        value: header.version <= 2 ? Number(cursor.address(header.addressBytes)) : cursor.offset(),
      };
    case form.secOffset:
      return { type: 'offset', value: cursor.offset() };
    case form.loclistx:
    case form.rnglistx:
      return { type: 'index', value: cursor.unsigned() };
    case form.exprloc:
    case form.block:
      return block(cursor.unsigned());
    case form.block1:
      return block(cursor.u8());
    case form.block2:
      return block(cursor.u16());
    case form.block4:
      return block(cursor.u32());
    case form.data16:
      return block(16);
    case form.refSig8:
      cursor.skip(8);
      return unknown;
    case form.indirect:
      return readIndirect(cursor, context);
    default:
      throw new RangeError(`debug information uses the unknown form 0x${how.toString(16)}`);
  }
}

/** The form stands before the value, and names no other that does. */
function readIndirect(cursor: DwarfCursor, context: FormContext): AttributeValue {
  const how = cursor.unsigned();
  if (how === form.indirect) throw new RangeError('debug information names a form that names a form');
  return readValue(cursor, how, 0, context);
}

function three(cursor: DwarfCursor): number {
  const [a, b, c] = [cursor.u8(), cursor.u8(), cursor.u8()];
  return a | (b << 8) | (c << 16);
}

function wideUnsigned(cursor: DwarfCursor): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = cursor.u8();
    if (shift > 133n) throw new RangeError('a number is too long');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
}

function wideSigned(cursor: DwarfCursor): bigint {
  const from = cursor.at;
  const value = wideUnsigned(cursor);
  const bits = 7 * (cursor.at - from);
  return BigInt.asIntN(Math.min(64, bits), value);
}
