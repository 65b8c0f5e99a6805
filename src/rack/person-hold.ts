import { advice, call, MachineError } from '../machine/errors.ts';

/** Who has a machine in their hands. */
interface Holder {
  /** Which of the people at the page. */
  readonly person: string;
  readonly name: string;
}

/**
 * A person may take a machine: then nobody else changes it, neither agents nor other people, until it is handed back, with
 * a note for the agents if there is something to say.
 */
export class PersonHold {
  readonly #handle: string;
  #holder: Holder | undefined;
  #note: string | undefined;
  #waiting: (() => void)[] = [];

  constructor(handle: string) {
    this.#handle = handle;
  }

  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** Also from somebody else: both see it. */
  take(person: string, name: string): void {
    this.#holder = { person, name };
  }

  /** False if this person does not have it. */
  handBack(person: string, note: string): boolean {
    if (this.#holder?.person !== person) return false;
    const said = note.trim() === '' ? '' : `: “${note.trim()}”`;
    this.#note = `${this.#holder.name} had ${this.#handle} in their hands and gave it back${said}`;
    this.#holder = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
    return true;
  }

  /** What an agent has to be told, once. */
  takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  /** Throws while somebody else has it. */
  requireFree(what: string, person: string | undefined): void {
    if (!this.#holder || this.#holder.person === person) return;
    throw new MachineError(
      'HELD',
      `${this.#handle} is ${heldBy(this.#holder.name)}, who uses it now; ${what} was not carried out.`,
      [
        advice`Wait for the hand-back with ${call('machine_list', { wait_for: this.#handle })}; its answer has the person's note.`,
        advice`Reading is possible meanwhile.`,
      ],
      { machine: this.#handle, holder: this.#holder.name },
    );
  }

  /** When nobody has it, or the time is over; true if nobody has it. */
  async whenFree(waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#holder) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    return !this.#holder;
  }
}

/** People whose token has no name are all called the same. */
export function heldBy(name: string): string {
  return name === 'a person' ? 'held by a person' : `held by a person (${name})`;
}
