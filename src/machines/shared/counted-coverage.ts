import type { CountedPiece, CoverageCapability, CoverageRun, CoveredPiece } from '../../machine/coverage.ts';
import { MachineError } from '../../machine/errors.ts';

interface Counted {
  readonly name: string;
  readonly from: number;
  readonly before: ReadonlyMap<number, number>;
  end?: { readonly time: number; readonly pieces: readonly CountedPiece[] };
}

const maxRuns = 20;

/** Coverage for machines that count each instruction: the difference of two counts. */
export class CountedCoverage implements CoverageCapability {
  readonly #count: () => Promise<readonly CountedPiece[]>;
  readonly #now: () => number;
  readonly #runs = new Map<string, Counted>();

  constructor(count: () => Promise<readonly CountedPiece[]>, now: () => number) {
    this.#count = count;
    this.#now = now;
  }

  get runs(): readonly CoverageRun[] {
    return [...this.#runs.values()].map((run) => this.#listed(run));
  }

  async start(name: string): Promise<CoverageRun> {
    if (!this.#runs.has(name) && this.#runs.size >= maxRuns) {
      throw new MachineError('LIMIT_REACHED', `${maxRuns} runs are kept.`, 'Delete one with {"action":"delete"}.');
    }
    const before = new Map((await this.#count()).map(({ id, executions }) => [id, executions]));
    const run: Counted = { name, from: this.#now(), before };
    this.#runs.set(name, run);
    return this.#listed(run);
  }

  async stop(name: string): Promise<CoverageRun> {
    const run = this.#find(name);
    const { before } = run;
    // Of the others it is enough to know that they are not there.
    const pieces = (await this.#count()).filter(({ id, executions }) => executions > (before.get(id) ?? 0));
    run.end ??= { time: this.#now(), pieces };
    return this.#listed(run);
  }

  async read(name: string): Promise<readonly CoveredPiece[]> {
    const { before, end } = this.#find(name);
    return (end?.pieces ?? (await this.#count())).flatMap((piece) => {
      const old = before.get(piece.id) ?? 0;
      return piece.executions > old ? [{ ...piece, executions: piece.executions - old, isNew: old === 0 }] : [];
    });
  }

  async delete(name: string): Promise<void> {
    this.#find(name);
    this.#runs.delete(name);
  }

  /** The counts begin anew: nothing that was measured before means anything. */
  forget(): void {
    this.#runs.clear();
  }

  #listed({ name, from, end }: Counted): CoverageRun {
    return { name, active: end === undefined, from, to: end?.time ?? this.#now() };
  }

  #find(name: string): Counted {
    const found = this.#runs.get(name);
    if (found) return found;
    const names = [...this.#runs.keys()].join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `No run ${JSON.stringify(name.slice(0, 60))}.`,
      names ? `There are: ${names}.` : 'Begin one with {"action":"start","name":"idle"}.',
    );
  }
}
