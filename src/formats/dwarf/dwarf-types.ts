import { at, encoding, tag } from './dwarf-constants.ts';
import type { DwarfEntry } from './dwarf-unit.ts';

/** Where a field of bits is, and how wide. */
export interface BitPlace {
  readonly count: number;
  /** From the start of the structure: its lowest bit in the number that it is part of, or, since DWARF 5, its first in memory. */
  readonly from: number;
  readonly inMemoryOrder: boolean;
}

export interface Member {
  /** Empty for one without a name, whose own members are meant. */
  readonly name: string;
  readonly offset: number;
  readonly type: DwarfType;
  readonly bits?: BitPlace;
  readonly isBase?: boolean;
}

/** A value that says which of several shapes is there, and the shapes. */
export interface Variants {
  readonly discriminant: Member | undefined;
  readonly cases: readonly { readonly value: bigint | undefined; readonly member: Member }[];
}

export type DwarfType =
  | { readonly kind: 'void'; readonly name: string; readonly bytes: 0 }
  | { readonly kind: 'base'; readonly name: string; readonly bytes: number; readonly encoding: number }
  | {
      readonly kind: 'pointer';
      readonly name: string;
      readonly bytes: number;
      readonly target: DwarfType;
      readonly isReference: boolean;
    }
  | {
      readonly kind: 'structure';
      readonly name: string;
      readonly bytes: number;
      readonly members: readonly Member[];
      readonly variants: Variants | undefined;
    }
  | {
      readonly kind: 'array';
      readonly name: string;
      readonly bytes: number;
      readonly element: DwarfType;
      readonly count: number;
    }
  | {
      readonly kind: 'enumeration';
      readonly name: string;
      readonly bytes: number;
      readonly values: readonly (readonly [string, bigint])[];
    }
  | { readonly kind: 'function'; readonly name: string; readonly bytes: 0 };

export const voidType: DwarfType = { kind: 'void', name: 'void', bytes: 0 };

type Find = (offset: number) => DwarfEntry | undefined;

const passing: ReadonlySet<number> = new Set([tag.constType, tag.volatileType, tag.restrictType, tag.atomicType]);
const structures: Readonly<Record<number, string>> = {
  [tag.structureType]: 'struct',
  [tag.classType]: 'class',
  [tag.unionType]: 'union',
};
const maxDepth = 32;
const maxDimensions = 16;
/** Larger than any memory, and still exact. */
const mostBytes = 2 ** 48;
/** Pointers to pointers that are being named. */
let namingDepth = 0;

/** Turns entries into types. What a type is made of is worked out when it is asked for: types contain each other. */
export class TypeReader {
  readonly #find: Find;
  readonly #complete: (name: string) => DwarfEntry | undefined;
  readonly #known = new Map<number, DwarfType>();

  /** `complete` finds the definition of a type that is only declared. */
  constructor(find: Find, complete: (name: string) => DwarfEntry | undefined) {
    this.#find = find;
    this.#complete = complete;
  }

  /** The type that an entry's attribute names. */
  of(entry: DwarfEntry, depth = 0): DwarfType {
    const reference = entry.attributes.get(at.type);
    const target = reference?.type === 'reference' ? this.#find(reference.value) : undefined;
    return target ? this.read(target, depth) : voidType;
  }

  read(entry: DwarfEntry, depth = 0): DwarfType {
    const known = this.#known.get(entry.offset);
    if (known) return known;
    if (depth > maxDepth) return voidType;
    const type = this.#make(entry, depth);
    this.#known.set(entry.offset, type);
    return type;
  }

  #make(entry: DwarfEntry, depth: number): DwarfType {
    const name = textOf(entry, at.name);
    const bytes = sizeOf(entry) ?? 0;
    if (passing.has(entry.tag)) return this.of(entry, depth + 1);
    if (entry.tag === tag.typedef) {
      const type = this.of(entry, depth + 1);
      return name === '' ? type : renamed(type, name);
    }
    if (entry.tag === tag.baseType) {
      return { kind: 'base', name, bytes, encoding: Number(numberOf(entry, at.encoding) ?? BigInt(encoding.unsigned)) };
    }
    if (structures[entry.tag] !== undefined) return this.#structure(entry, name, bytes);
    if (entry.tag === tag.enumerationType) return this.#enumeration(entry, name, bytes);
    if (entry.tag === tag.arrayType) return this.#array(entry, depth);
    if (entry.tag === tag.subroutineType) return { kind: 'function', name: name || 'function', bytes: 0 };
    if ([tag.pointerType, tag.referenceType, tag.rvalueReferenceType].some((each) => each === entry.tag)) {
      return this.#pointer(entry, name, bytes);
    }
    return { ...voidType, name: name || 'unknown' };
  }

  #pointer(entry: DwarfEntry, name: string, bytes: number): DwarfType {
    const isReference = entry.tag !== tag.pointerType;
    const target = () => this.of(entry);
    const sign = isReference ? '&' : '*';
    let isNaming = false;
    return {
      kind: 'pointer',
      bytes: bytes || entry.unit.header.addressBytes,
      isReference,
      get name() {
        // A broken file may have a pointer to itself.
        if (name !== '' || isNaming || namingDepth >= maxDepth) return name || '…';
        isNaming = true;
        namingDepth++;
        const shown = shownName(target);
        namingDepth--;
        isNaming = false;
        return `${shown}${shown.endsWith('*') ? '' : ' '}${sign}`;
      },
      get target() {
        return target();
      },
    };
  }

  #structure(declared: DwarfEntry, name: string, declaredBytes: number): DwarfType {
    const isDeclaration = numberOf(declared, at.declaration) !== undefined;
    const entry = (isDeclaration && name !== '' ? this.#complete(name) : undefined) ?? declared;
    const word = structures[entry.tag] ?? 'struct';
    const lazily = once(() => this.#members(entry));
    const variants = once(() => this.#variants(entry));
    return {
      kind: 'structure',
      name: name === '' ? word : /[:<]/.test(name) || isModern(entry) ? name : `${word} ${name}`,
      bytes: sizeOf(entry) ?? declaredBytes,
      get members() {
        return lazily();
      },
      get variants() {
        return variants();
      },
    };
  }

  #members(entry: DwarfEntry): Member[] {
    return entry.children.flatMap((child) => {
      if (child.tag !== tag.member && child.tag !== tag.inheritance) return [];
      const member = this.#member(child);
      return member ? [member] : [];
    });
  }

  #member(child: DwarfEntry): Member | undefined {
    const isBase = child.tag === tag.inheritance;
    const place = child.attributes.get(at.dataMemberLocation);
    const fieldBits = Number(numberOf(child, at.bitSize) ?? 0n);
    const bitOffset = numberOf(child, at.dataBitOffset);
    const isStatic =
      !isBase && place === undefined && bitOffset === undefined && numberOf(child, at.declaration) !== undefined;
    if (isStatic) return undefined;
    const offset =
      place?.type === 'number' ? Number(place.value) : place?.type === 'block' ? blockOffset(place.value) : 0;
    const type = () => this.of(child);
    const name = isBase ? '' : textOf(child, at.name);
    const from = bitOffset === undefined ? 8 * offset + this.#oldBitOffset(child, fieldBits) : Number(bitOffset);
    return {
      name,
      offset: bitOffset === undefined ? offset : Math.floor(from / 8),
      get type() {
        return type();
      },
      ...(fieldBits > 0 && { bits: { count: fieldBits, from, inMemoryOrder: bitOffset !== undefined } }),
      ...(isBase && { isBase }),
    };
  }

  /** Before DWARF 5: counted from the highest bit of what the field lies in. */
  #oldBitOffset(child: DwarfEntry, fieldBits: number): number {
    const above = numberOf(child, at.bitOffset);
    if (above === undefined || fieldBits === 0) return 0;
    const bytes = sizeOf(child) ?? this.of(child).bytes;
    return Math.max(0, 8 * bytes - Number(above) - fieldBits);
  }

  #variants(entry: DwarfEntry): Variants | undefined {
    const part = entry.children.find((child) => child.tag === tag.variantPart);
    if (!part) return undefined;
    const reference = part.attributes.get(at.discr);
    const discriminant = reference?.type === 'reference' ? this.#find(reference.value) : undefined;
    const cases = part.children.flatMap((child) => {
      const inner = child.tag === tag.variant ? child.children.find((each) => each.tag === tag.member) : undefined;
      const member = inner && this.#member(inner);
      return member ? [{ value: numberOf(child, at.discrValue), member }] : [];
    });
    return { discriminant: discriminant && this.#member(discriminant), cases };
  }

  #enumeration(entry: DwarfEntry, name: string, bytes: number): DwarfType {
    const values = entry.children.flatMap((child) => {
      const value = child.tag === tag.enumerator ? numberOf(child, at.constValue) : undefined;
      return value === undefined ? [] : [[textOf(child, at.name), value] as const];
    });
    return { kind: 'enumeration', name: name === '' ? 'enum' : isModern(entry) ? name : `enum ${name}`, bytes, values };
  }

  #array(entry: DwarfEntry, depth: number): DwarfType {
    const ranges = entry.children.filter((child) => child.tag === tag.subrangeType);
    const counts = ranges.slice(0, maxDimensions).map(countOf);
    let type = this.of(entry, depth + 1);
    const element = type.name;
    for (const [n, count] of counts.toReversed().entries()) {
      const shown = counts.slice(counts.length - 1 - n).map((each) => `[${each}]`);
      type = {
        kind: 'array',
        name: `${element} ${shown.join('')}`,
        bytes: Math.min(mostBytes, count * type.bytes),
        element: type,
        count,
      };
    }
    return type;
  }
}

/** A broken file must not make it throw in the middle, and leave the depth behind. */
function shownName(target: () => DwarfType): string {
  try {
    return target().name;
  } catch (error) {
    if (error instanceof RangeError) return '…';
    throw error;
  }
}

/** As a file says, as far as there can be so much. */
function sizeOf(entry: DwarfEntry): number | undefined {
  const bytes = numberOf(entry, at.byteSize);
  return bytes === undefined ? undefined : Math.min(mostBytes, Math.max(0, Number(bytes)));
}

function countOf(entry: DwarfEntry): number {
  const count = numberOf(entry, at.count);
  const upper = numberOf(entry, at.upperBound);
  const value = count ?? (upper === undefined ? 0n : BigInt.asIntN(64, upper) + 1n);
  return Math.max(0, Math.min(Number(value), 1 << 30));
}

/** The same by another name; what it is made of stays unread. */
function renamed(type: DwarfType, name: string): DwarfType {
  return Object.create(type, { name: { value: name, enumerable: true } });
}

/** Languages that do not put a word in front of the names of types. */
function isModern(entry: DwarfEntry): boolean {
  const language = entry.unit.firstEntry.get(0x13);
  const number = language?.type === 'number' ? Number(language.value) : 0;
  const producer = entry.unit.firstEntry.get(at.producer);
  // Until its language had a number, Zig called itself C.
  if (producer?.type === 'text' && producer.value.startsWith('zig ')) return true;
  return ![0x01, 0x02, 0x0c, 0x1d, 0x2c, 0].includes(number);
}

/** Of old files: an expression that adds a constant. */
function blockOffset(expression: Uint8Array): number {
  if (expression[0] !== 0x23) return 0;
  let [value, shift] = [0, 0];
  for (const byte of expression.subarray(1)) {
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80 || shift > 42) break;
    shift += 7;
  }
  return value;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function textOf({ attributes }: DwarfEntry, name: number): string {
  const value = attributes.get(name);
  return value?.type === 'text' ? value.value : '';
}

export function numberOf({ attributes }: DwarfEntry, name: number): bigint | undefined {
  const value = attributes.get(name);
  return value?.type === 'number' ? value.value : undefined;
}
