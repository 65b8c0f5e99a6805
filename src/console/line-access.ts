import type { ConsoleAccess, Presence, Visitor } from '../machine/console.ts';
import { advice, call, MachineError } from '../machine/errors.ts';

/** An agent cannot be seen to leave: so long after its last call it counts as gone, and so does what it claimed. */
const agentStaysMs = 10 * 60_000;
/** Who goes on writing within this time is not named again. */
const sameWriterMs = 5 * 60_000;

export interface AccessEvents {
  /** For the log; `urgent` also for all who are on. */
  announce(text: string, urgent?: 'urgent'): void;
  /** Somebody may write again who could not. */
  freed(): void;
}

interface Seen {
  readonly visitor: Visitor;
  readonly spying: boolean;
  /** Of `performance.now()`. */
  at: number;
}

/** Who is on a line. Everybody may write until somebody asks to be the only one. */
export class LineAccess implements ConsoleAccess {
  readonly #events: AccessEvents;
  readonly #people = new Map<string, Seen>();
  readonly #agents = new Map<string, Seen>();
  #writer: Visitor | undefined;
  #lastWriter: { readonly id: string; at: number } | undefined;

  constructor(events: AccessEvents) {
    this.#events = events;
  }

  get present(): readonly Presence[] {
    this.#forgetAgents();
    const now = performance.now();
    return [...this.#people.values(), ...this.#agents.values()].map(({ visitor, spying, at }) => ({
      ...visitor,
      spying,
      ms: Math.round(now - at),
    }));
  }

  get writer(): Visitor | undefined {
    this.#forgetAgents();
    return this.#writer;
  }

  /** A person came; the answer lets them go. */
  arrive(visitor: Visitor, spying: boolean): () => void {
    this.#people.set(visitor.id, { visitor, spying, at: performance.now() });
    this.#events.announce(`${visitor.name} attached${spying ? ', only watching' : ''}`);
    return () => {
      if (!this.#people.delete(visitor.id)) return;
      this.#events.announce(`${visitor.name} detached`);
      this.release(visitor);
    };
  }

  /** An agent did something here. */
  seen(visitor: Visitor): void {
    this.#forgetAgents();
    this.#agents.set(visitor.id, { visitor, spying: false, at: performance.now() });
  }

  /** An agent's client has gone. */
  forget(id: string): void {
    const agent = this.#agents.get(id);
    this.#agents.delete(id);
    if (agent) this.release(agent.visitor);
  }

  mayWrite(who: Visitor): boolean {
    return this.writer === undefined || this.#writer?.id === who.id;
  }

  /** To be called after a write, which is named if it is the first for a while. */
  wrote(who: Visitor): void {
    const now = performance.now();
    const last = this.#lastWriter;
    if (last?.id !== who.id || now - last.at > sameWriterMs) this.#events.announce(`${describe(who)} writes`);
    this.#lastWriter = { id: who.id, at: now };
  }

  claim(who: Visitor, force: boolean): void {
    const holder = this.writer;
    if (holder?.id === who.id) return;
    if (holder && !force) throw busy(holder);
    this.#writer = who;
    const from = holder ? `, taken from ${describe(holder)}` : '';
    this.#events.announce(`${describe(who)} has the line${from}`, 'urgent');
    this.#events.freed();
  }

  release(who: Visitor): boolean {
    if (this.#writer?.id !== who.id) return false;
    this.#writer = undefined;
    this.#events.announce(`${describe(who)} gave the line back`, 'urgent');
    this.#events.freed();
    return true;
  }

  #forgetAgents(): void {
    const oldest = performance.now() - agentStaysMs;
    for (const [id, { at }] of this.#agents) if (at < oldest) this.forget(id);
  }
}

export function busy(holder: Visitor): MachineError {
  return new MachineError(
    'BUSY',
    `${describe(holder)} has the line: nobody else may write.`,
    [advice`Wait until it is given back.`, advice`Take it with ${call('console_setup', { writer: 'force' })}.`],
    { writer: holder.name, writer_kind: holder.kind },
  );
}

export function describe({ name, kind }: Visitor): string {
  return kind === 'agent' ? `${name} (agent)` : name;
}
