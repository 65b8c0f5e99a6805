import type { Machine } from '../../machine/machine.ts';
import { ControlTurns } from './control-turns.ts';
import { Hands } from './hands.ts';

/** What all people who watch share. */
export class WatchRoom {
  /** Machines whose screen turned out to have no display. */
  readonly withoutDisplay = new WeakSet<Machine>();
  /** Machines whose time passes because a viewer wants it to. */
  readonly runs = new WeakMap<Machine, AbortController>();
  readonly #viewers = new WeakMap<Machine, Map<object, string>>();
  readonly #turns = new WeakMap<Machine, ControlTurns>();
  readonly #hands = new WeakMap<Machine, Hands>();

  /** Somebody looks at a machine; the answer ends that. */
  enter(machine: Machine, name: string): () => void {
    const viewers = this.#viewers.get(machine) ?? new Map<object, string>();
    const key = {};
    this.#viewers.set(machine, viewers.set(key, name));
    return () => viewers.delete(key);
  }

  viewersOf(machine: Machine): readonly string[] {
    return [...new Set(this.#viewers.get(machine)?.values())];
  }

  turnsOf(machine: Machine): ControlTurns {
    const found = this.#turns.get(machine) ?? new ControlTurns();
    this.#turns.set(machine, found);
    return found;
  }

  handsOn(machine: Machine): Hands {
    const isRunning = () => this.runs.has(machine) || machine.status().state === 'RUNNING';
    const found = this.#hands.get(machine) ?? new Hands(machine, isRunning);
    this.#hands.set(machine, found);
    return found;
  }
}
