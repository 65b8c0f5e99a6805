import { MachineError } from '../../../machine/errors.ts';

const maxRuns = 20;

interface NamedRun {
  readonly name: string;
  /** When it ended. */
  readonly toMs: number | undefined;
}

/** The runs of a machine, by their names. */
export class RunBook<Run extends NamedRun> {
  readonly #runs = new Map<string, Run>();

  get all(): readonly Run[] {
    return [...this.#runs.values()];
  }

  get active(): readonly Run[] {
    return this.all.filter(({ toMs }) => toMs === undefined);
  }

  requireRoom(name: string): void {
    if (this.#runs.has(name) || this.#runs.size < maxRuns) return;
    throw new MachineError('LIMIT_REACHED', `${maxRuns} runs are kept.`, 'Delete one with {"action":"delete"}.');
  }

  keep(run: Run): void {
    this.#runs.set(run.name, run);
  }

  find(name: string): Run {
    const found = this.#runs.get(name);
    if (found) return found;
    const names = [...this.#runs.keys()].join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `No run ${JSON.stringify(name.slice(0, 60))}.`,
      names ? `There are: ${names}.` : 'Begin one with {"action":"start","name":"boot"}.',
    );
  }

  delete(name: string): void {
    this.#runs.delete(this.find(name).name);
  }
}
