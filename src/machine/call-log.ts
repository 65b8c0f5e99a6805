import type { CodePlace } from './functions.ts';

/** What programs asked the machine's own services for. */
export interface CallLogCapability {
  read(query: CallQuery): Promise<CallPage>;
}

export interface CallQuery {
  /** Number of the first call wanted; the newest that match without it. */
  readonly from?: number | undefined;
  readonly limit: number;
  /** Only calls whose description or result contains this, whatever the case. */
  readonly filter?: string | undefined;
}

export interface CallPage {
  /** In the order they were made. */
  readonly calls: readonly LoggedCall[];
  /** Calls before the first shown that match as well, and after the last. */
  readonly older: number;
  readonly left: number;
  /** Where to go on. */
  readonly next: number;
  /** Calls from `from` on that are no longer kept. */
  readonly lost: number;
  readonly total: number;
  /** Of a log that is made from the past: the moment before which nothing is known. */
  readonly since?: number | undefined;
}

export interface LoggedCall {
  /** Of a poll: the number of the call that came next. */
  readonly seq: number;
  /** Emulated time in the machine's smallest unit. */
  readonly time: number;
  /** With parameters decoded: `int 21h ah=3D open "A.TXT" to read`. */
  readonly what: string;
  readonly from: CodePlace;
  /** The program that made it has made room for another one since: names of now mean nothing there. */
  readonly former?: true | undefined;
  /** Missing while the call has not come back. */
  readonly result?: string | undefined;
  /** How often it was made with the same result, when more than once. */
  readonly times?: number | undefined;
  /** The last of these times. */
  readonly until?: number | undefined;
  /** A question that programs ask again and again while they wait. */
  readonly poll?: true | undefined;
}
