import { MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotInfo } from '../../../machine/snapshots.ts';
import { nextTurn } from '../../../machine/time-slice.ts';
import { NamedSnapshots } from '../../shared/named-snapshots.ts';
import type { DosEngine } from './dos-engine.ts';
import type { DosMoment } from './dos-timeline.ts';

/** Drives share their contents with those of the machine that is forked, so they are handed on as they are. */
const forks = new WeakMap<object, DosMoment>();

/** Named copies of the whole state, drives included. */
export class DosSnapshots implements SnapshotCapability {
  readonly #engine: DosEngine;
  readonly #saved = new NamedSnapshots<DosMoment>();

  constructor(engine: DosEngine) {
    this.#engine = engine;
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { timeline, now, system } = this.#engine;
    const kept = this.#saved.all;
    // What was written to drives since the last one is there twice.
    const written = kept.reduce((most, each) => Math.max(most, each.copiedBytes), 0);
    const bytes = system.board.bytes.length + Math.max(0, kept.length > 0 ? system.copiedBytes - written : 0);
    const time = `instruction ${now.toLocaleString('en-US')}`;
    return this.#saved.save({ name, bytes, time }, () => timeline.save());
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const { info, kept } = this.#saved.find(name);
    await this.#enter(kept);
    return info;
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return this.#saved.list();
  }

  async delete(name: string): Promise<void> {
    this.#saved.delete(name);
  }

  async fork(name: string): Promise<Fork> {
    const moment = {};
    forks.set(moment, this.#saved.find(name).kept);
    return { moment };
  }

  async enter(moment: object): Promise<void> {
    const kept = forks.get(moment);
    if (!kept) throw new MachineError('INVALID_ARGUMENT', 'This is no moment of a DOS machine.', 'Use that of a fork.');
    await this.#enter(kept);
  }

  async peek(name: string, space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { state } = this.#saved.find(name).kept;
    if (space !== 'cpu') {
      const message = `A snapshot can be read as cpu, not as ${space}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Leave space out.');
    }
    const first = this.#engine.system.board.layout.offsets.ram + Number(address);
    return state.slice(first, first + length);
  }

  async #enter(moment: DosMoment): Promise<void> {
    const { system, timeline } = this.#engine;
    if (moment.state.length !== system.board.bytes.length) {
      const message = 'The snapshot is of a machine with another amount of memory.';
      throw new MachineError('INVALID_ARGUMENT', message, 'Start one with the same options.');
    }
    const letGo = await this.#engine.hold();
    try {
      timeline.restore(moment);
      // Each of the two goes through all memory and the whole graph.
      await nextTurn();
      this.#engine.replaced();
    } finally {
      letGo();
    }
  }
}
