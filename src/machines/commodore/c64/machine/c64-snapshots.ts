import { MachineError } from '../../../../machine/errors.ts';
import type { SnapshotCapability, SnapshotInfo } from '../../../../machine/snapshots.ts';
import { c64Layout } from '../c64-state.ts';
import type { Engine } from './engine.ts';

interface Saved extends SnapshotInfo {
  readonly state: Uint8Array;
}

/** Named copies of the whole state. */
export class C64Snapshots implements SnapshotCapability {
  readonly #engine: Engine;
  readonly #saved = new Map<string, Saved>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { board } = this.#engine;
    const state = board.snapshot();
    const saved = { name, bytes: state.length, time: `cycle ${board.cycles.toLocaleString('en-US')}`, state };
    this.#saved.set(name, saved);
    return info(saved);
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const saved = this.#find(name);
    await this.load(saved.state);
    return info(saved);
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return [...this.#saved.values()].map(info);
  }

  async bytes(name: string): Promise<Uint8Array> {
    return this.#find(name).state.slice();
  }

  async load(bytes: Uint8Array): Promise<void> {
    if (bytes.length !== c64Layout.byteLength) {
      const message = `A C64 snapshot has ${c64Layout.byteLength} bytes, not ${bytes.length}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Use one that this version saved.');
    }
    this.#engine.board.restore(bytes);
    this.#engine.replaced();
  }

  async peek(name: string, space: string, address: number, length: number): Promise<Uint8Array> {
    const { state } = this.#find(name);
    const base = space === 'color' ? c64Layout.offsets.color : c64Layout.offsets.ram;
    if (space !== 'ram' && space !== 'color') {
      const message = `A snapshot can be read as ram or color, not as ${space}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Add "space":"ram".');
    }
    return state.slice(base + address, base + address + length);
  }

  #find(name: string): Saved {
    const saved = this.#saved.get(name);
    if (saved) return saved;
    const names = [...this.#saved.keys()].join(', ');
    const message = `No snapshot ${JSON.stringify(name.slice(0, 60))}.`;
    throw new MachineError('NOT_FOUND', message, names ? `There are: ${names}.` : 'Save one with snapshot_save.');
  }
}

function info({ state: _, ...rest }: Saved): SnapshotInfo {
  return rest;
}
