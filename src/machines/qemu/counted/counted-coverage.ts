import type { CoverageCapability, CoverageRun, CoveredPiece } from '../../../machine/coverage.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { Turns } from '../debug/turns.ts';
import type { QemuEngine } from '../qemu-engine.ts';
import { coveredPieces } from '../translated/covered-pieces.ts';
import { InstructionTable } from '../translated/instruction-table.ts';
import { RunBook } from '../translated/run-book.ts';
import { CountedRun } from './counted-run.ts';
import type { CountsFile } from './counts-file.ts';

const cut = 'more code ran than there is room for, so some is missing';

/** Coverage by a plugin that counts how often each block of code runs, from power-on on. */
export class CountedCoverage implements CoverageCapability {
  readonly #engine: QemuEngine;
  readonly #counts: CountsFile;
  readonly #table = new InstructionTable();
  readonly #runs = new RunBook<CountedRun>();
  readonly #turns = new Turns();
  /** How often each block had run when that was last asked, in the order of the file. */
  #seen: number[] = [];
  #isCut = false;

  constructor(engine: QemuEngine, counts: CountsFile) {
    this.#engine = engine;
    this.#counts = counts;
    engine.onPowerOff(() =>
      this.#turns.take(async () => {
        await this.#takeIn();
        this.#seen = [];
      }),
    );
  }

  get runs(): readonly CoverageRun[] {
    return this.#runs.all.map((run) => this.#listed(run));
  }

  start(name: string): Promise<CoverageRun> {
    this.#runs.requireRoom(name);
    return this.#turns.take(async () => {
      await this.#takeIn();
      const run = new CountedRun(name, this.#nowMs, this.#table.count);
      this.#runs.keep(run);
      return this.#listed(run);
    });
  }

  stop(name: string): Promise<CoverageRun> {
    const run = this.#runs.find(name);
    return this.#turns.take(async () => {
      await this.#takeIn();
      run.toMs ??= this.#nowMs;
      return this.#listed(run);
    });
  }

  read(name: string): Promise<readonly CoveredPiece[]> {
    const run = this.#runs.find(name);
    return this.#turns.take(async () => {
      if (run.toMs === undefined) await this.#takeIn();
      const { addresses } = this.#engine.debugger;
      return coveredPieces(run.numbers(), this.#table, addresses, (id) => ({
        isNew: id >= run.knownBefore,
        executions: run.executionsOf(id),
      }));
    });
  }

  async delete(name: string): Promise<void> {
    this.#runs.delete(name);
  }

  get #nowMs(): number {
    return Math.round(this.#engine.clock.nowMs);
  }

  /** What has run since it was last asked belongs to all runs that go on. */
  async #takeIn(): Promise<void> {
    const slice = new TimeSlice();
    const { active } = this.#runs;
    let n = 0;
    for (const { address, runs, sizes } of this.#counts.blocks()) {
      const more = runs - (this.#seen[n] ?? 0);
      this.#seen[n++] = runs;
      if (more > 0) this.#add(address, sizes, more, active);
      if (slice.isOver) await slice.next();
    }
    this.#isCut ||= this.#counts.isCut;
  }

  #add(address: bigint, sizes: Uint8Array, executions: number, active: readonly CountedRun[]): void {
    let at = address;
    for (const size of sizes) {
      const number = this.#table.numberOf(Number(at >> 32n), Number(at & 0xffff_ffffn), size, size);
      if (number < 0) this.#isCut = true;
      else for (const run of active) run.add(number, executions);
      at += BigInt(size);
    }
  }

  #listed({ name, fromMs, toMs }: CountedRun): CoverageRun {
    const ends = { active: toMs === undefined, from: fromMs, to: toMs ?? this.#nowMs };
    return { name, ...ends, unit: 'ms', ...(this.#isCut && { notes: [cut] }) };
  }
}
