import type { KnownFunction } from '../../machine/functions.ts';
import type { NamedPlace } from '../../machine/names.ts';

/** A line of a symbols file: `name 0xADDRESS f|l`, and a comment of ours after it that other readers ignore. */
export interface SymbolLine {
  readonly name: string;
  /** As it was written. */
  readonly address: string;
  readonly comment?: string | undefined;
}

/** What Ghidra's ImportSymbolsScript reads: names, and every function that was called, under a name made of its place. */
export function symbolLines(places: readonly NamedPlace[], functions: readonly KnownFunction[]): readonly string[] {
  const known = new Map(functions.map((each) => [each.address, each]));
  const named = places.flatMap(
    ({ address, name = known.get(address) && functionName(known.get(address)), comment }) => {
      if (name === undefined) return [];
      const line = `${name} 0x${address.toString(16)} ${known.has(address) ? 'f' : 'l'}`;
      return [comment === undefined || comment === '' ? line : `${line} ; ${comment}`];
    },
  );
  const seen = new Set(places.map(({ address }) => address));
  const others = [...known.values()]
    .filter(({ address }) => !seen.has(address))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  return [...named, ...others.map((each) => `${functionName(each)} 0x${each.address.toString(16)} f`)];
}

/** Its own, or one such as Ghidra gives: FUN_1000_0234. */
function functionName(known: KnownFunction | undefined): string {
  return (
    known?.name ??
    `FUN_${(known?.where ?? '')
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
