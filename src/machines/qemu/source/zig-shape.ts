import type { DwarfType, Member } from '../../../formats/dwarf/dwarf-types.ts';

/** What Zig's compiler writes as a plain structure of two members. */
export type ZigShape =
  | { readonly kind: 'optional'; readonly some: Member; readonly value: Member }
  | { readonly kind: 'result'; readonly error: Member; readonly value: Member }
  | { readonly kind: 'union'; readonly tag: Member; readonly payload: Member };

/** By the name that only Zig gives such a type, and its members. */
export function zigShape(type: DwarfType): ZigShape | undefined {
  if (type.kind !== 'structure' || !mayBeZig(type.name)) return undefined;
  const { members } = type;
  if (members.length !== 2) return undefined;
  const named = (name: string) => members.find((each) => each.name === name);
  const [data, some, value, tag, payload] = ['data', 'some', 'value', 'tag', 'payload'].map(named);
  if (data && some && type.name.startsWith('?')) return { kind: 'optional', some, value: data };
  if (value && tag && type.name.includes('!')) return { kind: 'result', error: tag, value };
  return tag && payload && isTagged(tag.type, payload.type) ? { kind: 'union', tag, payload } : undefined;
}

/** Members are read from the file: not for each structure of a C program. */
function mayBeZig(name: string): boolean {
  return !/^(?:struct|union|class)(?: |$)/.test(name);
}

function isTagged(tag: DwarfType, payload: DwarfType): boolean {
  if (tag.kind !== 'enumeration' || payload.kind !== 'structure') return false;
  const cases = new Set(tag.values.map(([name]) => name));
  return payload.members.every(({ name }) => cases.has(name));
}
