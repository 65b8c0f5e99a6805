import type { DwarfType, Member } from '../../../formats/dwarf/dwarf-types.ts';
import type { PartRange } from '../../../machine/variables.ts';
import { type MemoryReader, numberOf, type TypedValue, variantOf } from './typed-value.ts';

const mostMembers = 2000;

export interface Part {
  readonly name: string;
  readonly expression: string;
}

/** What a value can be opened into. */
export interface PartList {
  readonly count: number;
  readonly isIndexed: boolean;
  list(expression: string, range: PartRange): readonly Part[];
}

export const noParts: PartList = { count: 0, isIndexed: false, list: () => [] };

/** A structure has members, an array elements; a pointer has those of the structure it leads to, or the one value that is there. */
export async function partsOf(value: TypedValue, reader: MemoryReader): Promise<PartList> {
  const { type } = value;
  if (type.kind === 'structure') {
    const variant = await variantOf(value, reader);
    return members(variant ? [...membersOf(type), variant.name] : membersOf(type));
  }
  if (type.kind === 'array') return elements(type.count);
  if (type.kind !== 'pointer' || (await numberOf(value, reader)) === 0n) return noParts;
  const { target } = type;
  if (target.kind === 'structure') return members(membersOf(target));
  if (target.kind === 'void' || target.kind === 'function') return noParts;
  return {
    count: 1,
    isIndexed: false,
    list: (expression) => [{ name: `*${expression}`, expression: `*${primary(expression)}` }],
  };
}

function members(names: readonly string[]): PartList {
  return {
    count: names.length,
    isIndexed: false,
    list: (expression, { first, most }) =>
      names.slice(first, first + most).map((name) => ({ name, expression: `${primary(expression)}.${name}` })),
  };
}

function elements(count: number): PartList {
  return {
    count,
    isIndexed: true,
    list: (expression, { first, most }) =>
      Array.from({ length: Math.max(0, Math.min(most, count - first)) }, (_, n) => {
        return { name: `[${first + n}]`, expression: `${primary(expression)}[${first + n}]` };
      }),
  };
}

/** Members without a name are left out, and theirs are meant: an anonymous union, a base class. */
function membersOf(type: DwarfType, seen = new Set<DwarfType>()): string[] {
  // A broken file may have a structure inside itself.
  if (type.kind !== 'structure' || seen.has(type)) return [];
  seen.add(type);
  const all = type.members.flatMap(({ name, type: inner }: Member) => (name === '' ? membersOf(inner, seen) : name));
  return [...new Set(all)].slice(0, mostMembers);
}

/** As something that a member or an index can follow. */
function primary(expression: string): string {
  return /^[\w:]+(?:\.\w+|\[\d+\])*$/.test(expression) ? expression : `(${expression})`;
}
