import type { CallEntry, CallRecord } from './call-ring.ts';

const capacity = 4000;
/** A program asks about so many things in turn; more are not looked for. */
const mostAlternating = 16;
/** In instructions: a question that is asked on and on gets a new line that often. */
const longestRun = 4_000_000;
const questionFlags = 0x41;

interface Poll {
  readonly record: CallRecord;
  /** The number of the call that came next. */
  readonly seq: number;
}

/** Questions that programs ask again and again while they wait, with the same sort of answer: counted, the newest kept. */
export class PollLog {
  #polls: Poll[] = [];

  add(asked: CallRecord, seq: number): void {
    const polls = this.#polls;
    for (let index = polls.length - 1; index >= Math.max(0, polls.length - mostAlternating); index--) {
      const { record } = polls[index] as Poll;
      if (asked.time - record.time > longestRun) break;
      if (!isSameQuestion(record, asked)) continue;
      record.repeat(asked.time);
      record.takeAnswer(asked);
      return;
    }
    polls.push({ record: asked.copy(), seq });
    if (polls.length > capacity) this.#polls = polls.slice(-Math.ceil(capacity * 0.75));
  }

  cutBehind(time: number): void {
    this.#polls = this.#polls.filter(({ record }) => record.time <= time);
  }

  entries(from: number): CallEntry[] {
    return this.#polls.flatMap(({ record, seq }) => (seq >= from ? { seq, record, poll: true } : []));
  }
}

/** From one place about one thing, and answered with yes or no alike. */
function isSameQuestion(one: CallRecord, other: CallRecord): boolean {
  return (
    one.number === other.number &&
    one.place === other.place &&
    one.axBefore === other.axBefore &&
    (one.flags & questionFlags) === (other.flags & questionFlags) &&
    ((one.axAfter & 0xff) === 0) === ((other.axAfter & 0xff) === 0)
  );
}
