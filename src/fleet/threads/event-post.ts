import type { HostEvent } from '../../api/tool-host.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';

/** Events that the other thread has not said to have taken. Up to that they come before the answers that follow them. */
const mostUnderWay = 5_000;
/** As many as are kept of all machines. */
const mostWaiting = 10_000;
/** So many are taken, then it is said. */
export const takenAtOnce = 256;

/** A thread's events on their way to the one that serves: a guest that makes more than that takes loses the oldest, and it is said. */
export class EventPost {
  readonly #wire: Wire;
  readonly #host: string;
  #waiting: HostEvent[] = [];
  #underWay = 0;
  #lost = 0;

  constructor(wire: Wire, host: string) {
    this.#wire = wire;
    this.#host = host;
    wire.subscribe(subjects.eventsTaken(host), ({ head }) => {
      this.#underWay -= Number(head.taken);
      this.#send();
    });
  }

  add(event: HostEvent): void {
    this.#waiting.push(event);
    if (this.#underWay < mostUnderWay) this.#send();
    else if (this.#waiting.length >= 2 * mostWaiting) {
      // By halves: one at a time would move all of them each time.
      this.#lost += this.#waiting.length - mostWaiting;
      this.#waiting = this.#waiting.slice(-mostWaiting);
    }
  }

  #send(): void {
    const room = Math.max(0, mostUnderWay - this.#underWay);
    for (const event of this.#waiting.splice(0, room)) {
      this.#underWay++;
      const lost = this.#lost;
      this.#lost = 0;
      const told = lost > 0 ? { ...event, data: { ...event.data, lost_before: lost } } : event;
      this.#wire.publish(subjects.event(this.#host), { event: told });
    }
  }
}
