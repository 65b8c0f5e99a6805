import type { CallTally } from '../board/waiting-loops.ts';
import type { CallEntry, KeptCall } from './call-ring.ts';

const capacity = 4000;
/** A program asks about so many things in turn; more are not looked for. */
const mostAlternating = 16;
/** In instructions: a question that is asked on and on gets a new line that often. */
const longestRun = 4_000_000;
const carryAndZero = 0x41;

/** A question and its first answer. A class, so that all of them look alike to V8: it is asked millions of times a second. */
class Poll implements KeptCall {
  readonly time: number;
  last: number;
  times: number;
  readonly number: number;
  readonly place: number;
  readonly axBefore: number;
  readonly answer: number;
  readonly isFinished: boolean;
  readonly flagsBefore: number;
  readonly flags: number;
  readonly before: Uint16Array;
  readonly after: Uint16Array;
  /** The number of the call that came next. */
  readonly seq: number;

  constructor(call: KeptCall, seq: number) {
    this.time = call.time;
    this.last = call.last;
    this.times = call.times;
    this.number = call.number;
    this.place = call.place;
    this.axBefore = call.before[0] ?? 0;
    this.answer = answerOf(call.after[0] ?? 0, call.flags);
    this.isFinished = call.isFinished;
    this.flagsBefore = call.flagsBefore;
    this.flags = call.flags;
    this.before = call.before;
    this.after = call.after;
    this.seq = seq;
  }
}

/** What was counted in a while, and until when the same would be counted. */
interface Tally {
  readonly counts: Map<Poll, number>;
  until: number;
}

/** Questions that programs ask again and again while they wait, with the same sort of answer: counted, the newest kept. */
export class PollLog implements CallTally {
  #polls: Poll[] = [];
  #tally: Tally | null = null;

  /** From now on what is counted is noted, to be counted again. */
  beginTally(): void {
    this.#tally = { counts: new Map(), until: Number.POSITIVE_INFINITY };
  }

  /** The first time at which the same questions would not be counted as they were since. */
  get steadyUntil(): number {
    return this.#tally?.until ?? Number.NEGATIVE_INFINITY;
  }

  /** The questions since are asked so many times more, each time so much later. */
  repeat(times: number, span: number): void {
    for (const [poll, count] of this.#tally?.counts ?? []) {
      poll.times += count * times;
      poll.last += span * times;
    }
  }

  endTally(): void {
    this.#tally = null;
  }

  /** Counts a question that was asked before; false where it has to be added. */
  count(number: number, place: number, axBefore: number, axAfter: number, flags: number, time: number): boolean {
    const polls = this.#polls;
    const answer = answerOf(axAfter, flags);
    const tally = this.#tally;
    for (let index = polls.length - 1; index >= 0 && index >= polls.length - mostAlternating; index--) {
      const poll = polls[index] as Poll;
      if (time - poll.time > longestRun) return false;
      if (tally !== null) tally.until = Math.min(tally.until, poll.time + longestRun + 1);
      if (poll.number !== number || poll.place !== place || poll.axBefore !== axBefore || poll.answer !== answer)
        continue;
      // The past may be run again.
      if (time > poll.last) {
        poll.last = time;
        poll.times += 1;
        tally?.counts.set(poll, (tally.counts.get(poll) ?? 0) + 1);
      } else if (tally !== null) tally.until = Math.min(tally.until, poll.last + 1);
      return true;
    }
    return false;
  }

  add(call: KeptCall, seq: number): void {
    if (this.#tally !== null) this.#tally.until = Number.NEGATIVE_INFINITY;
    this.#polls.push(new Poll(call, seq));
    if (this.#polls.length > capacity) this.#polls = this.#polls.slice(-Math.ceil(capacity * 0.75));
  }

  cutBehind(time: number): void {
    this.#polls = this.#polls.filter((poll) => poll.time <= time);
  }

  entries(from: number): CallEntry[] {
    return this.#polls.flatMap((poll) => (poll.seq >= from ? { seq: poll.seq, record: poll, poll: true } : []));
  }
}

/** Yes and no are told by the zero flag, the carry flag or AL. */
function answerOf(ax: number, flags: number): number {
  return (flags & carryAndZero) | ((ax & 0xff) === 0 ? 2 : 0);
}
