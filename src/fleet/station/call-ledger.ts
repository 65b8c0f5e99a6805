import type { Outcome, ToolHost } from '../../api/tool-host.ts';
import type { MachineError } from '../../machine/errors.ts';
import { encodeMessage, type Message } from '../wire/message.ts';
import { outcomeData } from '../wire/outcome-data.ts';
import { callShape, checkedCaller } from '../wire/shapes.ts';
import type { Wire } from '../wire/wire.ts';

/** How long an answer is kept for who asks again. */
const keptMs = 120_000;
const sweepMs = 5_000;
const mostKeptBytes = 64 * 1024 * 1024;

export interface LedgerOptions {
  /** Answers cannot be lost, so none is kept. */
  readonly isSafe: boolean;
  /** Just before an answer goes out. */
  answering(machine: string | undefined): void;
  /** Why a call may not be, where there were too many. */
  refuse?(): MachineError | undefined;
}

interface Entry {
  readonly machine: string | undefined;
  replyTo: string;
  /** Until it is answered. */
  abort: AbortController | undefined;
  answer?: Uint8Array;
}

/**
 * The calls that this station has been given, by their numbers: each is carried out once, however often it arrives, and
 * its answer is kept until the gateway has surely had it.
 */
export class CallLedger {
  readonly #line: Wire;
  readonly #host: ToolHost;
  readonly #incarnation: string;
  readonly #entries = new Map<string, Entry>();
  readonly #how: LedgerOptions;
  /** Those that are kept, in the order of their answers: one timer for all of them. */
  readonly #answered: { readonly id: string; readonly at: number }[] = [];
  #sweeper: NodeJS.Timeout | undefined;
  #keptBytes = 0;

  constructor(line: Wire, host: ToolHost, incarnation: string, how: LedgerOptions) {
    this.#how = how;
    this.#line = line;
    this.#host = host;
    this.#incarnation = incarnation;
  }

  /** A call, perhaps for the second time. */
  take({ head }: Message, replyTo: string): void {
    const { data } = callShape.safeParse(head);
    if (!data) return;
    const { id, incarnation, tool, args, caller } = data;
    if (incarnation !== this.#incarnation) {
      this.#line.publish(replyTo, { t: 'anew' });
      return;
    }
    const known = this.#entries.get(id);
    if (known) {
      known.replyTo = replyTo;
      if (known.answer) this.#line.send(replyTo, known.answer);
      return;
    }
    const abort = new AbortController();
    const { machine } = Object(args) as { machine?: unknown };
    const entry: Entry = { replyTo, abort, machine: typeof machine === 'string' ? machine : undefined };
    this.#entries.set(id, entry);
    const progress = (message: string) => this.#line.publish(entry.replyTo, { t: 'progress', message });
    const error = caller.isQuiet ? undefined : this.#how.refuse?.();
    if (error) this.#done(id, entry, { type: 'error', error });
    else
      void this.#host
        .call(tool, args, { ...checkedCaller(caller, abort.signal, progress), isRelayed: true })
        .then((outcome) => this.#done(id, entry, outcome));
  }

  /** How is a call? Its answer, that it goes on, or that it never came. */
  ask({ head: { id, incarnation } }: Message, replyTo: string): void {
    if (incarnation !== this.#incarnation) {
      this.#line.publish(replyTo, { t: 'anew' });
      return;
    }
    const known = this.#entries.get(String(id));
    if (known) known.replyTo = replyTo;
    if (known?.answer) this.#line.send(replyTo, known.answer);
    else this.#line.publish(replyTo, { t: known ? 'running' : 'unknown' });
  }

  cancel({ head: { id } }: Message): void {
    this.#entries.get(String(id))?.abort?.abort(new Error('the call was cancelled'));
  }

  #done(id: string, entry: Entry, outcome: Outcome): void {
    const answer = encodeMessage({ t: 'outcome', outcome: outcomeData(outcome) });
    this.#how.answering(entry.machine);
    if (this.#how.isSafe) {
      this.#entries.delete(id);
      this.#line.send(entry.replyTo, answer);
      return;
    }
    entry.answer = answer;
    entry.abort = undefined;
    this.#answered.push({ id, at: performance.now() });
    this.#keptBytes += answer.length;
    this.#line.send(entry.replyTo, answer);
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref();
    for (const [oldest, { answer: kept }] of this.#entries) {
      if (this.#keptBytes <= mostKeptBytes) break;
      if (kept && oldest !== id) this.#forget(oldest);
    }
  }

  #sweep(): void {
    const old = performance.now() - keptMs;
    const young = this.#answered.findIndex(({ at }) => at > old);
    for (const { id } of this.#answered.splice(0, young < 0 ? this.#answered.length : young)) this.#forget(id);
    if (this.#answered.length > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #forget(id: string): void {
    this.#keptBytes -= this.#entries.get(id)?.answer?.length ?? 0;
    this.#entries.delete(id);
  }
}
