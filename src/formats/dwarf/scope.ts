import { rangesOf } from './address-ranges.ts';
import { at, tag } from './dwarf-constants.ts';
import type { DwarfIndex } from './dwarf-index.ts';
import { textOf } from './dwarf-types.ts';
import type { DwarfEntry } from './dwarf-unit.ts';

const maxOrigins = 8;
/** Blocks that are looked at for the one that an address is in. */
const maxBlocks = 2000;

/** A variable that can be seen from an address. */
export interface ScopedVariable {
  readonly name: string;
  readonly isArgument: boolean;
  /** Where its location and value are told. */
  readonly entry: DwarfEntry;
  /** Where its type is told, if elsewhere. */
  readonly origin: DwarfEntry;
}

/** Of a function, with the blocks around the address, innermost first. */
export function variablesAt(index: DwarfIndex, around: DwarfEntry, address: bigint): ScopedVariable[] {
  const levels: ScopedVariable[][] = [];
  let scope: DwarfEntry | undefined = around;
  let blocks = 0;
  while (scope) {
    const here: DwarfEntry = scope;
    levels.unshift(here.children.flatMap((child) => variableOf(index, child)));
    scope = here.children.find(
      (child) =>
        isBlock(child) &&
        ++blocks <= maxBlocks &&
        rangesOf(child).some(({ from, to }) => address >= from && address < to),
    );
  }
  const seen = new Set<string>();
  return levels.flat().filter(({ name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

function isBlock({ tag: kind }: DwarfEntry): boolean {
  return kind === tag.lexicalBlock || kind === tag.inlinedSubroutine;
}

function variableOf(index: DwarfIndex, entry: DwarfEntry): ScopedVariable[] {
  if (entry.tag !== tag.variable && entry.tag !== tag.formalParameter) return [];
  const origin = originOf(index, entry);
  const name = textOf(origin, at.name);
  return name === '' ? [] : [{ name, isArgument: entry.tag === tag.formalParameter, entry, origin }];
}

/** What an inlined or a defined entry was written as. */
export function originOf(index: DwarfIndex, entry: DwarfEntry): DwarfEntry {
  let origin = entry;
  for (let depth = 0; depth < maxOrigins; depth++) {
    const { attributes } = origin;
    const reference = attributes.get(at.abstractOrigin) ?? attributes.get(at.specification);
    const next = reference?.type === 'reference' ? index.entry(reference.value) : undefined;
    if (!next) break;
    origin = next;
  }
  return origin;
}

/** The nearest entry with code around: the function that frame offsets belong to. */
export function functionOf(entry: DwarfEntry): DwarfEntry | undefined {
  let at: DwarfEntry | undefined = entry;
  while (at && at.tag !== tag.subprogram) at = at.parent;
  return at;
}
