import { randomBytes } from 'node:crypto';
import type { Caller, Outcome } from '../../api/tool-host.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { encodeMessage, type Message } from '../wire/message.ts';
import { outcomeFrom } from '../wire/outcome-data.ts';
import { callerData } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';
import type { Inbox } from './inbox.ts';

/** A call that lasts is asked after, so that a lost answer or a dead host is noticed. */
const askMs = 500;
/** One timer looks after all calls, this often: two for each call cost more than some calls do. */
const lookMs = 100;
/** A host that is not connected for so long has most likely died. */
const deadMs = 900;
/** After this gateway itself was cut off, others are given time to come back as well. */
const graceMs = 10_000;
/** Clients give up at 60 s, and tools at 55. */
const longestMs = 58_000;

export interface Target {
  readonly host: string;
  readonly incarnation: string;
  /** The machine it is about, for what is said of failures. */
  readonly machine?: string | undefined;
}

export interface Failure {
  readonly why: string;
  /** The host has ended, or begun anew. */
  readonly isGone: boolean;
  /** Nobody was there to take the call: it was certainly not carried out. */
  readonly isUntaken: boolean;
}

type Unanswered = (tool: string, target: Target, failure: Failure) => MachineError;

interface UnderWay {
  readonly target: Target;
  gone(why: string): void;
  /** Time has passed. */
  look(now: number): void;
}

/** Calls to stations: each is carried out there at most once, and answered here whatever happens. */
export class RemoteCalls {
  readonly #line: Wire;
  readonly #inbox: Inbox;
  readonly #unanswered: Unanswered;
  /** Of each host, by their numbers, the first of them first. */
  readonly #underWay = new Map<string, Map<number, UnderWay>>();
  #number = 0;
  #looking: NodeJS.Timeout | undefined;

  /** `unanswered`: what is said of a call whose host cannot say it. */
  constructor(line: Wire, inbox: Inbox, unanswered: Unanswered = unknownOutcome) {
    this.#unanswered = unanswered;
    this.#line = line;
    this.#inbox = inbox;
  }

  call(target: Target, tool: string, args: unknown, caller: Caller): Promise<Outcome> {
    return new Promise((resolve) => {
      const { host, incarnation } = target;
      const number = ++this.#number;
      const { id: gateway } = this.#inbox;
      const [over = number] = this.#underWay.get(host)?.keys() ?? [];
      const from = callerData(caller, gateway);
      const message = encodeMessage({ gateway, number, over, incarnation, tool, args, caller: from });
      const began = performance.now();
      let asked = began;
      let missingSince: number | undefined;
      let isUntaken = false;
      const end = (outcome: Outcome) => {
        inbox.close();
        this.#leave(host, number);
        caller.signal.removeEventListener('abort', cancel);
        resolve(outcome);
      };
      const fail = (why: string, isGone = false) =>
        end({ type: 'error', error: this.#unanswered(tool, target, { why, isGone, isUntaken }) });
      // Hosts can write to every address of answers, so another one must not guess this.
      const inbox = this.#inbox.open(randomBytes(9).toString('base64url'), {
        answer: ({ head }: Message) => {
          missingSince = undefined;
          if (head.t === 'progress' && typeof head.message === 'string') caller.progress(head.message);
          else if (head.t === 'outcome') {
            const outcome = readableOutcome(head.outcome);
            if (outcome) end(outcome);
            else fail('its answer could not be read');
          } else if (head.t === 'anew') fail('it was started anew');
          // Never the call itself to another incarnation: it names the one it means.
          else if (head.t === 'unknown') {
            isUntaken = false;
            this.#line.send(subjects.to(host, 'call'), message, inbox.address);
          }
        },
        nobody: () => {
          // As long as nothing else was sent, it is the call itself that nobody took.
          isUntaken ||= asked === began;
          if (this.#line.connectedMs < graceMs) return;
          missingSince ??= performance.now();
          if (performance.now() - missingSince >= deadMs) fail('its connection broke');
        },
      });
      const cancel = () => this.#line.publish(subjects.to(host, 'cancel'), { gateway, number });
      const look = (now: number) => {
        if (now - began >= longestMs) return fail('it did not answer in time');
        if (now - asked < askMs) return;
        asked = now;
        if (this.#line.connectedMs > 0)
          this.#line.publish(subjects.to(host, 'ask'), { gateway, number, incarnation }, undefined, inbox.address);
      };
      this.#enter(host, number, { target, gone: (why) => fail(why, true), look });
      this.#looking ??= setInterval(() => this.#look(), lookMs);
      caller.signal.addEventListener('abort', cancel, { once: true });
      this.#line.send(subjects.to(host, 'call'), message, inbox.address);
    });
  }

  /** The host has ended or begun anew: what was under way there is over. */
  hostGone(host: string, incarnation: string, why: string): void {
    for (const { target, gone } of [...(this.#underWay.get(host)?.values() ?? [])]) {
      if (target.incarnation === incarnation) gone(why);
    }
  }

  #enter(host: string, number: number, call: UnderWay): void {
    const calls = this.#underWay.get(host);
    if (calls) calls.set(number, call);
    else this.#underWay.set(host, new Map([[number, call]]));
  }

  #leave(host: string, number: number): void {
    const calls = this.#underWay.get(host);
    calls?.delete(number);
    if (calls?.size === 0) this.#underWay.delete(host);
  }

  #look(): void {
    const now = performance.now();
    for (const { look } of this.#all()) look(now);
    if (this.#underWay.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  get size(): number {
    return this.#all().length;
  }

  #all(): readonly UnderWay[] {
    return [...this.#underWay.values()].flatMap((calls) => [...calls.values()]);
  }
}

function readableOutcome(data: unknown): Outcome | undefined {
  try {
    return outcomeFrom(data);
  } catch {
    return undefined;
  }
}

/** Nobody can say whether it was still carried out: an agent has to look before it does it again. */
function unknownOutcome(tool: string, { host, machine }: Target, { why, isGone, isUntaken }: Failure): MachineError {
  const about = { host, ...(machine !== undefined && { machine }) };
  if (isUntaken)
    return new MachineError(
      'UNAVAILABLE',
      `Host ${host} did not run ${tool}: it was not available (${why}). Nothing was done.`,
      [
        isGone ? advice`${call('machine_list')} lists the machines.` : advice`Try again later, when its host is back.`,
        ...(machine === undefined || isGone
          ? []
          : [advice`Give it up with ${call('machine_stop', { machine })}: its host stops it if it comes back.`]),
      ],
      about,
    );
  return new MachineError(
    'UNAVAILABLE',
    `Host ${host} did not answer ${tool}: ${why}. It is not known whether the call was carried out. Machines on other hosts are not affected.`,
    [
      advice`Look with ${call('machine_list')} whether ${machine ?? 'the machine'} is there, and check its state, before you repeat the call.`,
    ],
    { ...about, outcome: 'unknown' },
  );
}
