import type { NamedPlace } from '../../machine/names.ts';

/** A line of a symbols file: `name 0xADDRESS f|l`, and a comment of ours after it that other readers ignore. */
export interface SymbolLine {
  readonly name: string;
  /** As it was written. */
  readonly address: string;
  readonly comment?: string | undefined;
}

/** What Ghidra's ImportSymbolsScript reads; places without a name cannot be in it. */
export function symbolLines(
  places: readonly NamedPlace[],
  isFunction: (address: bigint) => boolean,
): readonly string[] {
  return places.flatMap(({ address, name, comment }) => {
    if (name === undefined) return [];
    const line = `${name} 0x${address.toString(16)} ${isFunction(address) ? 'f' : 'l'}`;
    return [comment === undefined || comment === '' ? line : `${line} ; ${comment}`];
  });
}

/** Undefined for an empty line, one that only has a comment, or one that is no symbol. */
export function parseSymbolLine(line: string): SymbolLine | undefined {
  const [, name, address, comment] = /^\s*([^\s;#]\S*)\s+(\S+)(?:\s+[fl])?\s*(?:[;#]\s*(.*))?$/i.exec(line) ?? [];
  return name === undefined || address === undefined ? undefined : { name, address, comment: comment?.trim() };
}
