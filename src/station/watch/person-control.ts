import type { ControlAction } from '../../api/watch.ts';
import type { StepRequest } from '../../machine/control.ts';
import type { Machine } from '../../machine/machine.ts';
import type { RackedMachine } from '../../rack/racked-machine.ts';
import type { ControlTurns } from './control-turns.ts';
import { personPaste } from './person-paste.ts';
import { personRun } from './person-run.ts';
import { textOf } from './text-of.ts';

/** Not longer than others wait for it. */
const longestStepMs = 10_000;
const steps: Readonly<Partial<Record<ControlAction, Pick<StepRequest, 'kind' | 'back'>>>> = {
  'step into': { kind: 'into', back: false },
  'step over': { kind: 'over', back: false },
  'step out': { kind: 'out', back: false },
  'step back': { kind: 'into', back: true },
};

export interface PersonOptions {
  /** Machines whose time passes because a viewer wants it to. */
  readonly runs: WeakMap<Machine, AbortController>;
  /** Of this machine, for all who are at it. */
  readonly turns: ControlTurns;
  /** The viewer is gone. */
  readonly left: AbortSignal;
  /** The machine may be in another state than before. */
  handled(): void;
  typing(typed: number, total: number, isOver: boolean): void;
  trouble(text: string): void;
}

/** A person's Run, Pause, Reset and Step, and what they paste: all that lets a machine's time pass or stops it. */
export class PersonControl {
  readonly #racked: RackedMachine;
  readonly #options: PersonOptions;
  #paste: AbortController | undefined;

  constructor(racked: RackedMachine, options: PersonOptions) {
    this.#racked = racked;
    this.#options = options;
  }

  async act(action: ControlAction): Promise<void> {
    try {
      await this.#act(action);
    } finally {
      this.#options.handled();
    }
  }

  async #act(action: ControlAction): Promise<void> {
    const { turns } = this.#options;
    if (action === 'run') return turns.take(() => this.#goOn());
    const step = steps[action];
    if (step) return turns.take(() => this.#step(step));
    const didRun = this.#stop();
    await turns.take(async () => {
      const { control } = this.#racked.machine;
      const wasRunning = this.#isRunning || didRun;
      this.#stop();
      if (action === 'pause') turns.pauses++;
      const { pauses } = turns;
      if (wasRunning) await control?.pause();
      if (action === 'pause') return;
      await control?.reset('soft');
      if (wasRunning && turns.pauses === pauses) await this.#goOn();
    });
  }

  /** Types it, with the machine's own time passing as fast as it can meanwhile. */
  async paste(text: string): Promise<void> {
    const { machine } = this.#racked;
    const { keyboard } = machine;
    const total = [...text].length;
    await this.#options.turns.rest();
    if (this.#options.left.aborted) return;
    if (!keyboard) throw new Error('It has no keyboard; nothing was typed.');
    if (this.#paste) throw new Error('The last paste is still being typed; this one was not.');
    if (!this.#isRunning) throw new Error('It is stopped; nothing was typed. Press Run, then paste.');
    const { typing, left } = this.#options;
    const isFree = !this.#options.runs.has(machine);
    const paste = this.#begin();
    typing(0, total, false);
    try {
      const signal = AbortSignal.any([paste.signal, left]);
      const { typed, why, isTaken } = await personPaste(this.#racked, keyboard, text, signal, (count) =>
        typing(count, total, false),
      );
      if (why !== undefined && !left.aborted) {
        const [count, all] = [typed, total].map((each) => each.toLocaleString('en-US'));
        this.#options.trouble(`${count} of ${all} characters were typed: ${why}`);
      }
      if (isTaken) paste.abort('taken');
    } finally {
      typing(total, total, true);
      await this.#end(paste, isFree);
      this.#options.handled();
    }
  }

  /** The machine goes on. */
  stopTyping(): void {
    this.#paste?.abort();
  }

  get #isRunning(): boolean {
    const { machine } = this.#racked;
    return this.#options.runs.has(machine) || isRunning(machine);
  }

  /** At once, whatever is still to be waited for. True if it ran for a person. */
  #stop(): boolean {
    const { machine } = this.#racked;
    const { runs, turns } = this.#options;
    const run = runs.get(machine);
    for (const paste of turns.pastes) paste.abort('pause');
    run?.abort('pause');
    return runs.delete(machine);
  }

  #begin(): AbortController {
    const { machine } = this.#racked;
    const { runs, turns } = this.#options;
    const paste = new AbortController();
    this.#paste = paste;
    turns.pastes.add(paste);
    runs.get(machine)?.abort();
    // To everybody who looks it runs, also between two pieces.
    if (machine.control?.framesPerSecond !== undefined) runs.set(machine, paste);
    return paste;
  }

  /** `isFree`: it runs on its own, whether anybody is here or not. */
  async #end(paste: AbortController, isFree: boolean): Promise<void> {
    const { machine } = this.#racked;
    const { runs, left, turns } = this.#options;
    this.#paste = undefined;
    await turns.take(async () => {
      turns.pastes.delete(paste);
      if (runs.get(machine) === paste) runs.delete(machine);
      const { reason } = paste.signal;
      const isStopped =
        !['PAUSED', 'RESET'].includes(machine.status().state) || reason === 'pause' || reason === 'taken';
      if (!isStopped && (isFree || !left.aborted)) await this.#goOn();
    });
  }

  /** Over a subroutine it may take long: a Pause ends it, and others who want the machine wait for it. */
  async #step(step: Pick<StepRequest, 'kind' | 'back'>): Promise<void> {
    const { machine, queue } = this.#racked;
    const { control } = machine;
    const { runs, left } = this.#options;
    if (!control) return;
    if (this.#isRunning) throw new Error('It is running; press Pause, then step.');
    if (step.back && !control.canRewind) throw new Error('This machine cannot run backwards.');
    const underWay = new AbortController();
    runs.set(machine, underWay);
    try {
      const signal = AbortSignal.any([underWay.signal, left]);
      const request = { ...step, count: 1, wallMs: longestStepMs };
      await queue.run('a step at the live page', signal, () => control.step(request, signal));
    } finally {
      if (runs.get(machine) === underWay) runs.delete(machine);
    }
  }

  async #goOn(): Promise<void> {
    const { machine } = this.#racked;
    const { control } = machine;
    const { runs, left } = this.#options;
    if (!control || runs.has(machine) || isRunning(machine)) return;
    const stop = await control.run({ wallMs: 0 }, left);
    if (isRunning(machine) || stop.cause !== 'limit') return;
    const run = new AbortController();
    runs.set(machine, run);
    personRun(this.#racked, control, AbortSignal.any([run.signal, left]))
      .catch((error: unknown) => this.#options.trouble(textOf(error)))
      .finally(() => {
        if (runs.get(machine) === run) runs.delete(machine);
        this.#options.handled();
      });
  }
}

function isRunning(machine: Machine): boolean {
  return machine.status().state === 'RUNNING';
}
