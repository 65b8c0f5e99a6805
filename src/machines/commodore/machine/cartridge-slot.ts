import type { MemorySpace } from '../../../machine/memory.ts';

export interface CartridgeFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The port that cartridges go into. Plugging one in or out wants a reset afterwards, as on the real machine. */
export interface CartridgeSlot {
  /** Kinds of files that it takes, for people. */
  readonly description: string;
  /** Whether a file is a cartridge and nothing else, so that it goes here unasked. */
  isCartridge(file: CartridgeFile): boolean;
  /** Whether a file can be one: somebody says so. */
  accepts(file: CartridgeFile): boolean;
  /** Throws as `insert` would, and leaves what is in. */
  check(file: Uint8Array): void;
  /** Throws a MediaError about files that are none, or none that is known here; the one that is in then stays. Answers its name. */
  insert(file: Uint8Array): string;
  remove(): void;
  /** What is in it, as memory; undefined while it is empty. */
  readonly space: MemorySpace | undefined;
  peek(offset: number): number;
  /** The bank that is switched in, of one that has several. */
  readonly bank?: number | undefined;
  /** Two of these are equal if what is in it is. */
  readonly contents: string;
  /** The image file as it would be now, where that can change. */
  file(): Uint8Array | undefined;
  /** What was in it when this copy of the state was made, where that can change and is known. */
  imageIn(snapshot: Uint8Array): Uint8Array | undefined;
}
