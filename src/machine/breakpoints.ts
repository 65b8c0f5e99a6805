export interface BreakpointCapability {
  /** What this machine can stop at. */
  readonly types: readonly string[];
  /** Chips whose registers `chip_write` watches. */
  readonly chips?: readonly string[] | undefined;
  /** Whether its breakpoints may set and skip something on a hit. */
  readonly actions?: boolean;
  set(spec: BreakpointSpec): Promise<Breakpoint>;
  list(): Promise<readonly Breakpoint[]>;
  /** Rejects with the ids there are. */
  delete(id: number): Promise<void>;
  /** Keeps the number. Rejects with the ids there are. */
  change(id: number, change: BreakpointChange): Promise<Breakpoint>;
}

/** What a breakpoint waits for: something that happens. */
export interface BreakpointTrigger {
  /**
   * One of the machine's `types`. `exec` stops before an instruction; `read`, `write` and `change` after the one that
   * touched the memory; `in` and `out` after the one that touched the port; `interrupt`, `irq`, `nmi` and `brk` before
   * the first instruction of a handler; `time` at a moment; `raster` when the beam comes to a line; `sprite_sprite` and
   * `sprite_background` when the chip sets a bit of a collision; `chip_write` when a write reaches a chip. A machine may
   * have others of its own.
   */
  readonly type: string;
  /**
   * For `in` and `out` a port, for `interrupt` a vector, for `time` a count in the machine's smallest unit, for `raster`
   * a line, for `chip_write` a register of the chip.
   */
  readonly address: bigint;
  /** How many bytes, ports, vectors, lines or registers are watched, from the address on. */
  readonly length: number;
  /** Asked at the moment it happens. */
  readonly condition?: string | undefined;
  /** For `chip_write`: one of `chips`. */
  readonly chip?: string | undefined;
  /** For `raster`: at each line of the range instead of once on entering it. */
  readonly each?: boolean | undefined;
  /** For collisions: the sprites, one bit each; all when left out. */
  readonly mask?: number | undefined;
  /** Only where this memory answers: `ram`, `rom`, `io`, `cart`, or a bank of the cartridge, `cart:3`. */
  readonly bank?: string | undefined;
}

/**
 * For `composite`: stops when the tree becomes true. A trigger is true for the instruction it happens in, but `raster` for
 * as long as the beam is in the range; a condition for as long as it holds.
 */
export type BreakpointTree =
  | { readonly operator: 'and' | 'or'; readonly of: readonly BreakpointTree[] }
  | { readonly condition: string; readonly type?: undefined; readonly operator?: undefined }
  | (BreakpointTrigger & { readonly operator?: undefined });

export interface BreakpointSpec extends BreakpointTrigger {
  /** The line of source it was asked for, `main.s:41`, where that is how. */
  readonly sourceLine?: string | undefined;
  /** For `composite`, whose other parts of a trigger mean nothing. */
  readonly tree?: BreakpointTree | undefined;
  /** For one of the machine's `processors` alone. */
  readonly cpu?: string | undefined;
  /** Write an event instead of stopping. */
  readonly logOnly: boolean;
  /** An expression whose value is written into the event of a hit. */
  readonly log?: string | undefined;
  /** Gone after the first stop. */
  readonly temporary: boolean;
  /** So many hits pass before one stops or is logged. */
  readonly ignore?: number | undefined;
  /** A name under which several are switched or deleted together. */
  readonly group?: string | undefined;
  /** Switched off after so many frames. */
  readonly frames?: number | undefined;
  /** Saves a snapshot at each stop, and with `logOnly` at each hit that is told. */
  readonly snapshot?: boolean | undefined;
  /** What each hit sets, in order: `ax=0`, `cf=1`, `word[0x1234]=ax+1`. */
  readonly set?: readonly string[] | undefined;
  /** What each hit leaves out: `instruction`, the rest of the routine (`return`), or `return 4` with four bytes of arguments. */
  readonly skip?: string | undefined;
  /** Kept with the program that is loaded, and set again when that is loaded again. */
  readonly keep?: boolean | undefined;
}

/** What can be changed of one; left out, it stays. */
export interface BreakpointChange {
  readonly enabled?: boolean | undefined;
  /** Empty: there is none any more. */
  readonly condition?: string | undefined;
  /** Counted from now on. */
  readonly ignore?: number | undefined;
  /** Empty: it is in none any more. */
  readonly group?: string | undefined;
  readonly logOnly?: boolean | undefined;
  /** Empty: there is none any more. */
  readonly log?: string | undefined;
  readonly temporary?: boolean | undefined;
  /** Counted from now on; 0: for good. */
  readonly frames?: number | undefined;
  readonly snapshot?: boolean | undefined;
  /** Empty: it sets nothing any more. */
  readonly set?: readonly string[] | undefined;
  /** Empty: it leaves nothing out any more. */
  readonly skip?: string | undefined;
  readonly keep?: boolean | undefined;
}

export interface Breakpoint extends BreakpointSpec {
  readonly id: number;
  readonly enabled: boolean;
  /** Those that were ignored included. */
  readonly hits: number;
  /** How many more hits will pass. */
  readonly ignoreLeft?: number | undefined;
  /** How many more frames it stays on. */
  readonly framesLeft?: number | undefined;
  /** Why it may not stop although one would expect it to. */
  readonly notice?: string | undefined;
}
