import type { Outcome, ToolHost } from '../../api/tool-host.ts';
import type { MachineError } from '../../machine/errors.ts';
import { encodeMessage, type Message } from '../wire/message.ts';
import { outcomeData } from '../wire/outcome-data.ts';
import { callShape, checkedCaller } from '../wire/shapes.ts';
import type { Wire } from '../wire/wire.ts';

/** How long an answer is kept for who asks again, and a gateway remembered that says nothing. */
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

/** A gateway, and what it has not said to be over. */
interface Account {
  readonly entries: Map<number, Entry>;
  /** Calls before this number are over: none of them is carried out, whenever it arrives. */
  over: number;
  heardAt: number;
}

interface Entry {
  readonly account: Account;
  readonly number: number;
  readonly machine: string | undefined;
  replyTo: string;
  /** Until it is answered. */
  abort: AbortController | undefined;
  answer?: Uint8Array;
  answeredAt: number;
}

/**
 * The calls that this station has been given, by their gateways and numbers: each is carried out once, however often it
 * arrives, and its answer is kept until the gateway says that it has had it, with a later call.
 */
export class CallLedger {
  readonly #line: Wire;
  readonly #host: ToolHost;
  readonly #incarnation: string;
  readonly #accounts = new Map<string, Account>();
  readonly #how: LedgerOptions;
  /** Those whose answers are kept, in the order of these. */
  readonly #kept = new Set<Entry>();
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
    const { gateway, number, over, incarnation, tool, args, caller } = data;
    if (incarnation !== this.#incarnation) {
      this.#line.publish(replyTo, { t: 'anew' });
      return;
    }
    const account = this.#accountOf(gateway, over);
    if (number < account.over) return;
    const known = account.entries.get(number);
    if (known) {
      known.replyTo = replyTo;
      if (known.answer) this.#line.send(replyTo, known.answer);
      return;
    }
    const abort = new AbortController();
    const { machine } = Object(args) as { machine?: unknown };
    const of = typeof machine === 'string' ? machine : undefined;
    const entry: Entry = { account, number, machine: of, replyTo, abort, answeredAt: 0 };
    account.entries.set(number, entry);
    const progress = (message: string) => this.#line.publish(entry.replyTo, { t: 'progress', message });
    const error = caller.isQuiet ? undefined : this.#how.refuse?.();
    if (error) this.#done(entry, { type: 'error', error });
    else
      void this.#host
        .call(tool, args, { ...checkedCaller(caller, abort.signal, progress), isRelayed: true })
        .then((outcome) => this.#done(entry, outcome));
  }

  /** How is a call? Its answer, that it goes on, or that it never came. */
  ask({ head }: Message, replyTo: string): void {
    if (head.incarnation !== this.#incarnation) {
      this.#line.publish(replyTo, { t: 'anew' });
      return;
    }
    const known = this.#find(head);
    if (known) known.replyTo = replyTo;
    if (known?.answer) this.#line.send(replyTo, known.answer);
    else this.#line.publish(replyTo, { t: known ? 'running' : 'unknown' });
  }

  cancel({ head }: Message): void {
    this.#find(head)?.abort?.abort(new Error('the call was cancelled'));
  }

  #find({ gateway, number }: Message['head']): Entry | undefined {
    return this.#accounts.get(String(gateway))?.entries.get(Number(number));
  }

  /** What it says to be over is forgotten. */
  #accountOf(gateway: string, over: number): Account {
    const now = performance.now();
    const known = this.#accounts.get(gateway);
    const account = known ?? { entries: new Map<number, Entry>(), over, heardAt: now };
    if (!known) this.#accounts.set(gateway, account);
    account.heardAt = now;
    account.over = Math.max(account.over, over);
    for (const [number, entry] of account.entries) {
      if (number >= account.over) break;
      this.#forget(entry);
    }
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref();
    return account;
  }

  #done(entry: Entry, outcome: Outcome): void {
    const answer = encodeMessage({ t: 'outcome', outcome: outcomeData(outcome) });
    this.#how.answering(entry.machine);
    this.#line.send(entry.replyTo, answer);
    if (this.#how.isSafe) this.#forget(entry);
    if (entry.account.entries.get(entry.number) !== entry) return;
    entry.answer = answer;
    entry.abort = undefined;
    entry.answeredAt = performance.now();
    this.#kept.add(entry);
    this.#keptBytes += answer.length;
    for (const oldest of this.#kept) {
      if (this.#keptBytes <= mostKeptBytes || oldest === entry) break;
      this.#forget(oldest);
    }
  }

  #sweep(): void {
    const old = performance.now() - keptMs;
    for (const entry of this.#kept) {
      if (entry.answeredAt > old) break;
      this.#forget(entry);
    }
    for (const [gateway, { entries, heardAt }] of this.#accounts) {
      if (entries.size === 0 && heardAt <= old) this.#accounts.delete(gateway);
    }
    if (this.#accounts.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #forget(entry: Entry): void {
    entry.account.entries.delete(entry.number);
    if (this.#kept.delete(entry)) this.#keptBytes -= entry.answer?.length ?? 0;
  }
}
