/** What sits in the expansion port. Its own state has to lie in the board's `cartridgeState`. */
export interface CartridgePort {
  /** The 8 KiB at ROML and ROMH, and the lines as levels (1 = high). */
  readonly mapping: {
    readonly roml?: Uint8Array | undefined;
    readonly romh?: Uint8Array | undefined;
    readonly exrom: number;
    readonly game: number;
  };
  /** RAM of the cartridge's own: writes to ROML are then passed to `writeLow`. */
  readonly ram?: Uint8Array;
  /** Reads of $DE00-$DFFF can change `mapping`. */
  readonly switchesOnRead?: boolean;
  /** A read of $DE00-$DFFF; undefined leaves the bus open. `peek` is the same without side effects. */
  read?(address: number): number | undefined;
  peek?(address: number): number | undefined;
  /** A write to $DE00-$DFFF; true when `mapping` has changed. */
  write?(address: number, value: number): boolean;
  /** Writes to ROML, and to ROMH in Ultimax mode; true when `mapping` or what is in its images has changed. */
  writeLow?(offset: number, value: number): boolean;
  writeHigh?(offset: number, value: number): boolean;
  reset?(): void;
  /** After somebody wrote to the state. */
  restored?(): void;
  /** The freeze button; true when there is one: `mapping` has changed and an NMI is due. */
  freeze?(): boolean;
}
