import type { KnownFunction } from '../../machine/functions.ts';
import type { NamedPlace } from '../../machine/names.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';

/** A line of a symbols file: `name 0xADDRESS f|l`, and a comment of ours after it that other readers ignore. */
export interface SymbolLine {
  readonly name: string;
  /** As it was written. */
  readonly address: string;
  readonly comment?: string | undefined;
}

/**
 * What Ghidra's ImportSymbolsScript reads: names, and every function that was called, under a name made of its place.
 * `move` gives the addresses to write; what has none is left out.
 */
export async function symbolLines(
  places: readonly NamedPlace[],
  functions: readonly KnownFunction[],
  move: (address: bigint) => bigint | undefined,
  slice: TimeSlice,
): Promise<readonly string[]> {
  const known = new Map<bigint, KnownFunction>();
  const others = new Map<bigint, KnownFunction>();
  for (const each of functions) {
    if (slice.isOver) await slice.next();
    known.set(each.address, each);
    others.set(each.address, each);
  }
  const lines: string[] = [];
  const add = (address: bigint, name: string | undefined, comment: string | undefined) => {
    const called = known.get(address);
    const shown = name ?? (called && functionName(called));
    const to = move(address);
    if (shown === undefined || to === undefined) return;
    const line = `${shown} 0x${to.toString(16)} ${called ? 'f' : 'l'}`;
    lines.push(comment === undefined || comment === '' ? line : `${line} ; ${comment}`);
  };
  for (const { address, name, comment } of places) {
    if (slice.isOver) await slice.next();
    others.delete(address);
    add(address, name, comment);
  }
  const rest = [...others.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const address of rest) {
    if (slice.isOver) await slice.next();
    add(address, undefined, undefined);
  }
  return lines;
}

/** Its own, or one such as Ghidra gives: FUN_1000_0234. */
export function functionName(known: KnownFunction): string {
  return (
    known.name ??
    `FUN_${known.where
      .replace(/^\$|^0x/, '')
      .replaceAll(/\W/g, '_')
      .toLowerCase()}`
  );
}

/** Undefined for an empty line, one that only has a comment, or one that is no symbol. */
export function parseSymbolLine(line: string): SymbolLine | undefined {
  const [, name, address, comment] = /^\s*([^\s;#]\S*)\s+(\S+)(?:\s+[fl])?\s*(?:[;#]\s*(.*))?$/i.exec(line) ?? [];
  return name === undefined || address === undefined ? undefined : { name, address, comment: comment?.trim() };
}
