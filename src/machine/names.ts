import type { MachineError } from './errors.ts';

/** Names and comments that somebody gave to addresses, kept with the program they belong to. */
export interface NamesCapability {
  /** The program they are kept with; undefined when none is loaded, and then they last as long as the machine. */
  readonly program: NamedProgram | undefined;
  list(): Promise<readonly NamedPlace[]>;
  /** What is left out stays as it was. Rejects names that are none, or that another address has. */
  set(address: bigint, change: NameChange): Promise<NamedPlace>;
  /** Many at once. Those that are refused change nothing; the answer has their errors at the same indices. */
  setAll(places: readonly NamedPlace[]): Promise<readonly (MachineError | undefined)[]>;
  /** Rejects when there is nothing. */
  remove(address: bigint): Promise<NamedPlace>;
}

export interface NamedPlace {
  readonly address: bigint;
  readonly name?: string | undefined;
  readonly comment?: string | undefined;
}

export type NameChange = Pick<NamedPlace, 'name' | 'comment'>;

export interface NamedProgram {
  readonly name: string;
  /** Of its bytes, hexadecimal: the same program anywhere has the same. */
  readonly hash: string;
  /** Where it lies: names inside move with it when it is loaded elsewhere. */
  readonly first: bigint;
  readonly last: bigint;
  /** Where the bytes of its file begin, as other tools load them; `first` when left out. */
  readonly image?: bigint | undefined;
  /** Where they end, and only memory that it has for itself goes on; `last` when left out. */
  readonly imageLast?: bigint | undefined;
}

/** Where names of programs are kept between sessions. Text of ours, nothing else. */
export interface NameStore {
  load(hash: string): Promise<string | undefined>;
  /** The same at once, at most so many bytes of it: for what a program must not begin without. */
  loadStart?(hash: string, mostBytes: number): string | undefined;
  save(hash: string, text: string): Promise<void>;
}
