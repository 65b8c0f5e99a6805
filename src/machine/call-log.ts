import type { CodePlace } from './functions.ts';

/** What programs asked the machine's own services for. */
export interface CallLogCapability {
  read(query: CallQuery): Promise<CallPage>;
}

export interface CallQuery {
  /** Number of the first call wanted. */
  readonly from: number;
  readonly limit: number;
  /** Only calls whose description or result contains this, whatever the case. */
  readonly filter?: string | undefined;
}

export interface CallPage {
  readonly calls: readonly LoggedCall[];
  /** Calls behind the last shown that match as well. */
  readonly left: number;
  /** Where to go on. */
  readonly next: number;
  /** Calls from `from` on that are no longer kept. */
  readonly lost: number;
  readonly total: number;
}

export interface LoggedCall {
  readonly seq: number;
  /** Emulated time in the machine's smallest unit. */
  readonly time: number;
  /** With parameters decoded: `int 21h ah=3D open "A.TXT" to read`. */
  readonly what: string;
  readonly from: CodePlace;
  /** Missing while the call has not come back. */
  readonly result?: string | undefined;
  /** How often in a row it was made with the same result, when more than once. */
  readonly times?: number | undefined;
}

/** A call that was begun, as `CallLog` knows it. */
export interface OpenCall {
  readonly call: Omit<LoggedCall, 'seq'>;
  /** Missing while it may become a repetition of the last one. */
  seq?: number;
  /** The past is being run again, and this call was logged then. */
  readonly isReplayed: boolean;
}

/** Changed in place: programs that poll the clock repeat one call millions of times. */
type KeptCall = { -readonly [Key in keyof LoggedCall]: LoggedCall[Key] };

/** The newest calls; older ones are dropped and counted. */
export class CallLog implements CallLogCapability {
  readonly #capacity: number;
  #calls: KeptCall[] = [];
  #next = 0;
  /** Time of the newest call. */
  #latest = Number.NEGATIVE_INFINITY;

  constructor(capacity = 20_000) {
    this.#capacity = capacity;
  }

  get total(): number {
    return this.#next;
  }

  /** A call that looks like the last one is not listed before it is known whether it also ended like it. No two have one time. */
  add(call: OpenCall['call']): OpenCall {
    const open: OpenCall = { call, isReplayed: call.time <= this.#latest };
    if (!open.isReplayed) this.#latest = call.time;
    if (!this.#repeats(call)) this.show(open);
    return open;
  }

  /** Lists a call that has not come back. */
  show(open: OpenCall): void {
    if (open.seq !== undefined || open.isReplayed) return;
    open.seq = this.#next++;
    this.#calls.push({ ...open.call, seq: open.seq });
    // Dropping a quarter at once keeps the cost of a call the same however many there are.
    if (this.#calls.length > this.#capacity) this.#calls = this.#calls.slice(-Math.ceil(this.#capacity * 0.75));
  }

  finish(open: OpenCall, result: string): void {
    if (open.isReplayed) return;
    const last = this.#calls.at(-1);
    if (open.seq === undefined && last?.result === result && this.#repeats(open.call)) {
      last.times = (last.times ?? 1) + 1;
      return;
    }
    this.show(open);
    const call = this.#calls[(open.seq ?? 0) - this.#first];
    if (call) call.result = result;
  }

  /** Forgets what lies in the future of a machine that was taken back. */
  cutBehind(time: number): void {
    this.#latest = Math.min(this.#latest, time);
    const kept = this.#calls.findIndex((call) => call.time > time);
    if (kept < 0) return;
    this.#next = this.#calls[kept]?.seq ?? this.#next;
    this.#calls = this.#calls.slice(0, kept);
  }

  async read({ from, limit, filter }: CallQuery): Promise<CallPage> {
    const first = this.#first;
    const wanted = filter?.toLowerCase();
    const matches = this.#calls
      .slice(Math.max(0, from - first))
      .filter(({ what, result = '' }) => wanted === undefined || `${what}\n${result}`.toLowerCase().includes(wanted));
    const calls = matches.slice(0, limit).map((call) => ({ ...call }));
    const left = matches.length - calls.length;
    const last = calls.at(-1);
    return {
      calls,
      left,
      next: left > 0 && last ? last.seq + 1 : this.#next,
      lost: Math.max(0, first - from),
      total: this.#next,
    };
  }

  #repeats({ what, from }: OpenCall['call']): boolean {
    const last = this.#calls.at(-1);
    return last?.result !== undefined && last.what === what && last.from.where === from.where;
  }

  get #first(): number {
    return this.#next - this.#calls.length;
  }
}
