import type { CallEntry, KeptCall } from './call-ring.ts';

const capacity = 4000;
/** A program asks about so many things in turn; more are not looked for. */
const mostAlternating = 16;
/** In instructions: a question that is asked on and on gets a new line that often. */
const longestRun = 4_000_000;
const carryAndZero = 0x41;

/** A question and its first answer. */
interface Poll extends KeptCall {
  readonly axBefore: number;
  readonly answer: number;
  /** The number of the call that came next. */
  readonly seq: number;
  last: number;
  times: number;
}

/** Questions that programs ask again and again while they wait, with the same sort of answer: counted, the newest kept. */
export class PollLog {
  #polls: Poll[] = [];

  /** Counts a question that was asked before; false where it has to be added. */
  count(number: number, place: number, axBefore: number, axAfter: number, flags: number, time: number): boolean {
    const polls = this.#polls;
    const answer = answerOf(axAfter, flags);
    for (let index = polls.length - 1; index >= 0 && index >= polls.length - mostAlternating; index--) {
      const poll = polls[index] as Poll;
      if (time - poll.time > longestRun) return false;
      if (poll.number !== number || poll.place !== place || poll.axBefore !== axBefore || poll.answer !== answer)
        continue;
      // The past may be run again.
      if (time > poll.last) {
        poll.last = time;
        poll.times += 1;
      }
      return true;
    }
    return false;
  }

  add(call: KeptCall, seq: number): void {
    const { before, after, flags } = call;
    this.#polls.push({ ...call, axBefore: before[0] ?? 0, answer: answerOf(after[0] ?? 0, flags), seq });
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
