import { type DwarfType, TypeReader } from '../../../formats/dwarf/dwarf-types.ts';
import type { LoadedDwarf } from '../symbols/qemu-symbols.ts';

/** Where members of the kernel's structures are: from the kernel itself (BTF), or from a loaded file. */
export interface KernelTypes {
  bytesOf(structure: string): number | undefined;
  /** By a path such as `tasks.next` or `mem[0].base`; a bit field's may be broken. */
  offsetOf(structure: string, path: string): number | undefined;
}

type Structure = Extract<DwarfType, { kind: 'structure' }>;

const maxDepth = 16;

export class DwarfKernelTypes implements KernelTypes {
  readonly #find: (name: string) => DwarfType | undefined;

  constructor({ index }: LoadedDwarf) {
    const reader = new TypeReader(
      (offset) => index.entry(offset),
      (name) => index.type(name),
    );
    this.#find = (name) => {
      const entry = index.type(name);
      return entry && reader.read(entry);
    };
  }

  bytesOf(structure: string): number | undefined {
    return this.#find(structure)?.bytes;
  }

  offsetOf(structure: string, path: string): number | undefined {
    let type = this.#find(structure);
    let offset = 0;
    for (const step of path.split(/[.[]/)) {
      if (type?.kind === 'array' && step.endsWith(']')) {
        offset += Number.parseInt(step, 10) * type.element.bytes;
        type = type.element;
        continue;
      }
      const found = type?.kind === 'structure' ? memberOf(type, step, 0) : undefined;
      if (!found) return undefined;
      offset += found.offset;
      type = found.type;
    }
    return offset;
  }
}

function memberOf(
  { members }: Structure,
  name: string,
  depth: number,
): { readonly offset: number; readonly type: DwarfType } | undefined {
  for (const member of members) {
    if (member.name === name) return { offset: member.bits ? member.bits.from / 8 : member.offset, type: member.type };
    if (member.name !== '' || member.type.kind !== 'structure' || depth > maxDepth) continue;
    const inner = memberOf(member.type, name, depth + 1);
    if (inner) return { offset: member.offset + inner.offset, type: inner.type };
  }
  return undefined;
}
