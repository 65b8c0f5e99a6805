/** What went over the serial bus between the computer and its drives, found by running the past again. */
export interface BusTraceCapability {
  /** In the last so many frames and since. */
  trace(frames: number, signal: AbortSignal): Promise<BusTrace>;
}

export interface BusTrace {
  readonly from: number;
  readonly to: number;
  /** Every change of a line, in order. */
  readonly edges: readonly BusEdge[];
  /** Every byte that was sent in the ordinary way, in order; fast loaders have ways of their own, of which only edges show. */
  readonly bytes: readonly BusByte[];
  /** There was no room for more: nothing after this cycle was kept. */
  readonly fullAt?: number | undefined;
}

export interface BusEdge {
  readonly cycle: number;
  readonly line: 'ATN' | 'CLK' | 'DATA';
  readonly level: 0 | 1;
  /** Who changed it. */
  readonly by: 'computer' | 'drive';
  /** Of the computer's instruction under way. */
  readonly pc: bigint;
}

export interface BusByte {
  /** When its last bit was taken. */
  readonly cycle: number;
  readonly value: number;
  readonly by: 'computer' | 'drive';
  /** Sent under attention: a command. */
  readonly attention: boolean;
  /** The last one of what is sent. */
  readonly last: boolean;
  /** Of commands: `LISTEN 8`, `OPEN 0`, `UNTALK`. */
  readonly command?: string | undefined;
}
