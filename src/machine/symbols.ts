/** Names for addresses from files. */
export interface SymbolsCapability {
  /** What `load` understands: `elf`, `kallsyms`, `vice labels` … */
  readonly formats: readonly string[];
  /** No file for this machine is larger. */
  readonly mostBytes?: number;
  /** Adds the names in the file, all of them moved by `offset`. */
  load(file: SymbolFile, offset: bigint): Promise<LoadedSymbols>;
  /** What names were loaded from, where that is kept. */
  readonly sources?: readonly { readonly name: string; readonly symbols: number }[];
  /** Forgets the names of one of the sources; resolves to how many. Rejects with the sources there are. */
  unload?(name: string): Promise<number>;
}

export interface SymbolFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface LoadedSymbols {
  readonly format: string;
  readonly added: number;
  /** One per line: source files known, names that stood there before. */
  readonly notes: readonly string[];
}
