import type { CoverageCapability, CoverageRun, CoveredPiece } from '../../../machine/coverage.ts';
import { MachineError } from '../../../machine/errors.ts';
import { logItemsOf } from '../launch/command-line.ts';
import type { QemuLog } from '../launch/qemu-log.ts';
import type { QemuEngine } from '../qemu-engine.ts';
import { BlockRun } from './block-runs.ts';
import { coveredPieces } from './covered-pieces.ts';
import { InstructionTable } from './instruction-table.ts';
import { RunBook } from './run-book.ts';

const logItem = 'in_asm';
const asleep =
  'its processor slept at the start, so code that had run before it and runs again is missed until a breakpoint or a restored snapshot';
const cut = 'more instructions ran than are kept, so some are missing';

/**
 * Coverage by what QEMU translates: a block is translated when it is about to run for the first time, and its log says
 * so. At the start of a run everything is thrown away that was translated before.
 */
export class QemuCoverage implements CoverageCapability {
  readonly #engine: QemuEngine;
  readonly #log: QemuLog;
  readonly #table = new InstructionTable();
  readonly #runs = new RunBook<BlockRun>();

  constructor(engine: QemuEngine, log: QemuLog) {
    this.#engine = engine;
    this.#log = log;
    // Another process has the log of the command line.
    engine.onPowerOn(() => this.#applyLog());
  }

  get runs(): readonly CoverageRun[] {
    return this.#runs.all.map((run) => this.#listed(run));
  }

  async start(name: string): Promise<CoverageRun> {
    this.#requireLog();
    this.#runs.requireRoom(name);
    return this.#engine.debugger.atRest(async () => {
      await this.#setLog(true);
      const isFresh = await this.#engine.debugger.retranslate();
      await this.#log.synced();
      const run = new BlockRun(name, Math.round(this.#engine.clock.nowMs), this.#table);
      if (!isFresh) run.note = asleep;
      this.#runs.keep(run);
      this.#listen();
      return this.#listed(run);
    });
  }

  async stop(name: string): Promise<CoverageRun> {
    const run = this.#runs.find(name);
    await this.#settled(async () => {
      run.toMs ??= Math.round(this.#engine.clock.nowMs);
      await this.#applyLog();
    });
    return this.#listed(run);
  }

  async read(name: string): Promise<readonly CoveredPiece[]> {
    const run = this.#runs.find(name);
    if (run.toMs === undefined) await this.#settled(async () => {});
    const { addresses } = this.#engine.debugger;
    return coveredPieces(run.numbers(), this.#table, addresses, (id) => ({ isNew: id >= run.knownBefore }));
  }

  async delete(name: string): Promise<void> {
    this.#runs.delete(name);
    if (this.#engine.end === undefined) await this.#applyLog();
  }

  #listen(): void {
    const active = this.#runs.active;
    if (active.length === 0) {
      this.#log.onInstruction(undefined);
      return;
    }
    this.#log.onInstruction((high, low, content, bytes) => {
      const number = this.#table.numberOf(high, low, content, bytes);
      for (const run of active) {
        if (number < 0) run.isCut = true;
        else run.mark(number);
      }
    });
  }

  /** Does something when all that QEMU has logged so far is known; one that has ended logs nothing more. */
  async #settled(action: () => Promise<void>): Promise<void> {
    if (this.#engine.end !== undefined) {
      await this.#log.synced();
      return action();
    }
    await this.#engine.debugger.atRest(async () => {
      await this.#log.synced();
      await action();
    });
  }

  async #applyLog(): Promise<void> {
    this.#listen();
    if (this.#engine.end === undefined) await this.#setLog(this.#runs.active.length > 0);
  }

  async #setLog(isOn: boolean): Promise<void> {
    const items = new Set(logItemsOf(this.#engine.plan.options));
    if (isOn) items.add(logItem);
    const line = `log ${[...items].join(',') || 'none'}`;
    await this.#engine.session.execute('human-monitor-command', { 'command-line': line });
  }

  #requireLog(): void {
    if (this.#engine.plan.accel === 'kvm') {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'With KVM the guest runs on the processor of this computer, and QEMU does not see which code that is.',
        'Start it with "accel":"tcg".',
      );
    }
    if (this.#log.path !== undefined) return;
    throw new MachineError(
      'UNAVAILABLE',
      'QEMU has no pipe to log into, because mkfifo failed when it was started.',
      'Make sure that mkfifo is installed, and start another machine.',
    );
  }

  #listed({ name, fromMs, toMs, note, isCut }: BlockRun): CoverageRun {
    const notes = [...(note === undefined ? [] : [note]), ...(isCut ? [cut] : [])];
    const to = toMs ?? Math.round(this.#engine.clock.nowMs);
    return { name, active: toMs === undefined, from: fromMs, to, unit: 'ms', ...(notes.length > 0 && { notes }) };
  }
}
