import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotInfo } from '../../../machine/snapshots.ts';
import { nextTurn } from '../../../machine/time-slice.ts';
import { requireSnapshotRoom } from '../../built-in/snapshot-room.ts';
import type { DosMoment } from './dos-timeline.ts';
import type { Engine } from './engine.ts';

interface Saved extends SnapshotInfo {
  readonly moment: DosMoment;
}

/** Named copies of the whole state, drives included. */
export class DosSnapshots implements SnapshotCapability {
  readonly #engine: Engine;
  readonly #saved = new Map<string, Saved>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { timeline, now, system } = this.#engine;
    const kept = [...this.#saved.values()];
    // What was written to drives since the last one is there twice.
    const written = kept.reduce((most, each) => Math.max(most, each.moment.copiedBytes), 0);
    const bytes = system.board.bytes.length + Math.max(0, kept.length > 0 ? system.copiedBytes - written : 0);
    requireSnapshotRoom(kept, name, bytes);
    const moment = timeline.save();
    const time = `instruction ${now.toLocaleString('en-US')}`;
    const saved = { name, bytes, time, moment };
    this.#saved.set(name, saved);
    return info(saved);
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const saved = this.#find(name);
    await this.#enter(saved);
    return info(saved);
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return [...this.#saved.values()].map(info);
  }

  async delete(name: string): Promise<void> {
    this.#find(name);
    this.#saved.delete(name);
  }

  async fork(name: string): Promise<Fork> {
    const saved = this.#find(name);
    return {
      async enter({ snapshots }) {
        if (snapshots instanceof DosSnapshots) await snapshots.#enter(saved);
      },
    };
  }

  async peek(name: string, space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { state } = this.#find(name).moment;
    if (space !== 'cpu') {
      const message = `A snapshot can be read as cpu, not as ${space}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Leave space out.');
    }
    const first = this.#engine.system.board.layout.offsets.ram + Number(address);
    return state.slice(first, first + length);
  }

  async #enter({ moment }: Saved): Promise<void> {
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

  #find(name: string): Saved {
    const saved = this.#saved.get(name);
    if (saved) return saved;
    const names = [...this.#saved.keys()].join(', ');
    const message = `No snapshot ${JSON.stringify(name.slice(0, 60))}.`;
    throw new MachineError(
      'NOT_FOUND',
      message,
      names ? `There are: ${names}.` : advice`Save one with ${call('snapshot_save')}.`,
    );
  }
}

function info({ moment: _moment, ...rest }: Saved): SnapshotInfo {
  return rest;
}
