import type { KnownFunction } from '../../machine/functions.ts';
import type { NamedPlace } from '../../machine/names.ts';

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
export function symbolLines(
  places: readonly NamedPlace[],
  functions: readonly KnownFunction[],
  move: (address: bigint) => bigint | undefined = (address) => address,
): readonly string[] {
  const known = new Map(functions.map((each) => [each.address, each]));
  const seen = new Set(places.map(({ address }) => address));
  const others = [...known.values()]
    .filter(({ address }) => !seen.has(address))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  return [...places, ...others.map(({ address }) => ({ address, name: undefined, comment: undefined }))].flatMap(
    ({ address, name, comment }) => {
      const called = known.get(address);
      const shown = name ?? (called && functionName(called));
      const to = move(address);
      if (shown === undefined || to === undefined) return [];
      const line = `${shown} 0x${to.toString(16)} ${called ? 'f' : 'l'}`;
      return [comment === undefined || comment === '' ? line : `${line} ; ${comment}`];
    },
  );
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
