import { encoding } from '../../../formats/dwarf/dwarf-constants.ts';
import type { BitPlace, DwarfType, Member } from '../../../formats/dwarf/dwarf-types.ts';
import { MachineError } from '../../../machine/errors.ts';
import { bytesToValue } from '../debug/register-bytes.ts';
import { zigShape } from './zig-shape.ts';

/** Something of a type: in memory, or a value without an address. */
export interface TypedValue {
  readonly type: DwarfType;
  readonly address?: bigint;
  readonly bytes?: Uint8Array;
  /** Counted from the first of its bytes. */
  readonly bits?: BitPlace;
  /** The register that holds all of it. */
  readonly register?: string;
}

/** What reads a stopped machine's memory; undefined where there is none. */
export interface MemoryReader {
  read(address: bigint, length: number): Promise<Uint8Array | undefined>;
  readonly bigEndian: boolean;
}

export const longType: DwarfType = { kind: 'base', name: 'long', bytes: 8, encoding: encoding.signed };
export const maxBytes = 65_536;
/** Of a number: those that a file may claim to be larger are not. */
export const maxNumberBytes = 16;

/** Its bytes; rejects where they cannot be read. */
export async function bytesOf(value: TypedValue, reader: MemoryReader, most = maxBytes): Promise<Uint8Array> {
  const length = Math.min(most, value.type.bytes);
  if (value.bytes) return value.bytes.subarray(0, length);
  const found = await reader.read(value.address ?? 0n, length);
  if (found) return found;
  throw new MachineError(
    'ADDRESS_OUT_OF_BOUNDS',
    `${value.type.name} at 0x${(value.address ?? 0n).toString(16)} cannot be read: nothing is mapped there.`,
    'Look at the pointer that leads there.',
  );
}

/** As a number: pointers and what lies in memory without a size of its own are addresses. */
export async function numberOf(value: TypedValue, reader: MemoryReader): Promise<bigint> {
  const { type } = value;
  if (type.kind === 'array' || type.kind === 'void' || type.kind === 'function' || type.kind === 'structure') {
    if (value.address !== undefined && type.kind !== 'structure') return value.address;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `A ${type.name} is not a number.`,
      'Name one of its members, or take its address with &.',
    );
  }
  const bytes = await bytesOf(value, reader, maxNumberBytes);
  const raw = bytesToValue(bytes, reader.bigEndian);
  if (value.bits) {
    const bits = BigInt.asUintN(value.bits.count, raw >> lowestBit(value.bits, bytes.length, reader.bigEndian));
    return isSigned(type) ? BigInt.asIntN(value.bits.count, bits) : bits;
  }
  return isSigned(type) ? BigInt.asIntN(8 * bytes.length, raw) : raw;
}

export function isSigned(type: DwarfType): boolean {
  return type.kind === 'base' && (type.encoding === encoding.signed || type.encoding === encoding.signedChar);
}

/** Of a field in the number that these bytes are: where the highest byte comes first, so does the highest bit. */
export function lowestBit({ count, from, inMemoryOrder }: BitPlace, bytes: number, bigEndian: boolean): bigint {
  return BigInt(Math.max(0, bigEndian && inMemoryOrder ? 8 * bytes - from - count : from));
}

/** A member of a structure; of one without a name its own are looked through, too. */
export function memberOf(value: TypedValue, name: string, seen = new Set<DwarfType>()): TypedValue | undefined {
  const { type } = value;
  // A broken file may have a structure inside itself.
  if (type.kind !== 'structure' || seen.has(type)) return undefined;
  seen.add(type);
  for (const member of type.members) {
    if (member.name === name) return part(value, member);
    if (member.name !== '') continue;
    const inner = memberOf(part(value, member), name, seen);
    if (inner) return inner;
  }
  for (const { member } of type.variants?.cases ?? []) {
    if (member.name === name) return part(value, member);
  }
  const zig = zigShape(type);
  return zig?.kind === 'union' ? memberOf(part(value, zig.payload), name, seen) : undefined;
}

export function part(value: TypedValue, { offset, type, bits }: Member): TypedValue {
  // A field of bits is read from the byte that it begins in.
  const inside = bits && { ...bits, from: bits.from - 8 * offset };
  const place =
    value.bytes === undefined
      ? { address: (value.address ?? 0n) + BigInt(offset) }
      : { bytes: value.bytes.subarray(offset, offset + type.bytes) };
  return { type, ...place, ...(inside && { bits: inside }) };
}

/** Of an enumeration with contents: the shape that is there. */
export async function variantOf(value: TypedValue, reader: MemoryReader): Promise<Member | undefined> {
  const variants = value.type.kind === 'structure' ? value.type.variants : undefined;
  if (!variants) return undefined;
  const bits = variants.discriminant ? 8 * variants.discriminant.type.bytes : 64;
  const here = variants.discriminant && (await numberOf(part(value, variants.discriminant), reader));
  const same = (each: bigint | undefined) =>
    each !== undefined && here !== undefined && BigInt.asUintN(bits, each) === BigInt.asUintN(bits, here);
  const { cases } = variants;
  return (cases.find((each) => same(each.value)) ?? cases.find((each) => each.value === undefined))?.member;
}
