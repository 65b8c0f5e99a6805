import type { CartridgeMapping } from '../cartridges/cartridge.ts';

/** What sits in the expansion port. Its own state has to lie in the board's `cartridgeState`. */
export interface CartridgePort {
  readonly mapping: CartridgeMapping;
  /** Cycles since power-up, from the board. */
  now?: () => number;
  /** Reads of $DE00-$DFFF can change `mapping`. */
  readonly switchesOnRead?: boolean;
  /** A read of $DE00-$DFFF; undefined leaves the bus open. `peek` is the same without side effects. */
  read?(address: number, openBus: number): number | undefined;
  peek?(address: number): number | undefined;
  /** A write to $DE00-$DFFF; true when `mapping` has changed. */
  write?(address: number, value: number): boolean;
  /** Reads of ROML where `mapping` has none: they can change `mapping`. `below` is what RAM has there. */
  readLow?(offset: number, below: number): number | undefined;
  peekLow?(offset: number, below: number): number | undefined;
  /** Writes to ROML, and to ROMH in Ultimax mode; true when `mapping` or what is in its images has changed. */
  writeLow?(offset: number, value: number): boolean;
  writeHigh?(offset: number, value: number): boolean;
  reset?(): void;
  /** After somebody wrote to the state. */
  restored?(): void;
  /** It has a freeze button that works at the moment. */
  readonly canFreeze?: boolean;
  /** The vector of the button's NMI is about to be fetched: `mapping` changes. */
  freeze?(): void;
}
