/** How a machine writes addresses and what its symbols are. */
export interface AddressCapability {
  /** `$C000`, `1000:0234`, `0xffffffff81000000`. */
  format(address: bigint): string;
  /** Takes `segment:offset` where the machine has segments. */
  segmented?(segment: bigint, offset: bigint): bigint;
  /** As `format`, through a certain segment. */
  within?(segment: number, address: bigint): string;
  /** Other ways to write one that the machine has: `ds:si`. */
  resolve?(text: string): bigint | undefined;
  /** What has to be read from the machine first, as `rsp+8`; undefined for what means nothing. */
  evaluate?(text: string): Promise<bigint | undefined>;
  readonly symbols: SymbolTable;
  /** The line of source that the code at this address was made of, where a debug file tells. */
  source?(address: bigint): SourceLine | undefined;
  /** The line that `main.s:41` stands for: itself, or the next one of its file that has code. */
  lineMeant?(text: string): SourceLine | undefined;
  /** The lines of a source file that have code, rising; the file as `source` names it. */
  codeLines?(file: string): readonly number[];
}

export interface SourceLine {
  /** As the debug file has it. */
  readonly file: string;
  readonly line: number;
  /** Of the line, where the file can be read. */
  readonly text?: string;
}

/** Names for addresses, from files or assembled sources. */
export interface SymbolTable {
  readonly size: number;
  readonly all: readonly (readonly [string, bigint])[];
  add(symbols: Iterable<readonly [string, bigint]>): void;
  address(name: string): bigint | undefined;
  /** `name` or `name+2` for the last symbol at or before the address, if it is near. */
  describe(address: bigint, reach?: bigint): string | undefined;
  /** The function or variable that an address lies in, with its size where that is known. */
  functionAt?(address: bigint): { readonly name: string; readonly address: bigint; readonly size?: number } | undefined;
}
