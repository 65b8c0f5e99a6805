import { advice, call, MachineError } from '../../machine/errors.ts';
import type { SnapshotInfo } from '../../machine/snapshots.ts';

const mostSnapshots = 256;
const mostBytes = 256 * 1024 * 1024;
/** Of one breakpoint. */
const mostAtHits = 10;

/** Copies of a machine's state that are kept in memory under their names. */
export class NamedSnapshots<Kept> {
  readonly #all = new Map<string, { readonly info: SnapshotInfo; readonly kept: Kept }>();

  /** `copy` is called only when there is room for so many bytes. */
  save(info: SnapshotInfo, copy: () => Kept): SnapshotInfo {
    requireRoom(this.list(), info.name, info.bytes);
    this.#all.set(info.name, { info, kept: copy() });
    return info;
  }

  /** At a breakpoint, of which the newest few are kept. Answers the name, or why nothing was saved. */
  saveAtHit(breakpoint: number, hit: number, save: (name: string) => SnapshotInfo): string {
    const stem = `breakpoint-${breakpoint}-hit-`;
    const own = [...this.#all.keys()].filter((name) => name.startsWith(stem));
    for (const old of own.slice(0, Math.max(0, own.length - mostAtHits + 1))) this.delete(old);
    try {
      return save(`${stem}${hit}`).name;
    } catch (error) {
      if (error instanceof MachineError) return `(none: ${error.message})`;
      throw error;
    }
  }

  list(): readonly SnapshotInfo[] {
    return [...this.#all.values()].map(({ info }) => info);
  }

  get all(): readonly Kept[] {
    return [...this.#all.values()].map(({ kept }) => kept);
  }

  /** Rejects with the names there are. */
  find(name: string): { readonly info: SnapshotInfo; readonly kept: Kept } {
    const found = this.#all.get(name);
    if (found) return found;
    const names = [...this.#all.keys()].join(', ');
    const message = `No snapshot ${JSON.stringify(name.slice(0, 60))}.`;
    throw new MachineError(
      'NOT_FOUND',
      message,
      names ? `There are: ${names}.` : advice`Save one with ${call('snapshot_save')}.`,
    );
  }

  delete(name: string): void {
    this.find(name);
    this.#all.delete(name);
  }
}

/** Refuses another snapshot of so many bytes where those that are kept in memory already take as much as they may. */
function requireRoom(
  kept: readonly { readonly name: string; readonly bytes: number }[],
  name: string,
  bytes: number,
): void {
  const others = kept.filter((each) => each.name !== name);
  const total = others.reduce((sum, each) => sum + each.bytes, bytes);
  if (others.length < mostSnapshots && total <= mostBytes) return;
  const limit = total > mostBytes ? `${mostBytes >> 20} MiB of them` : `${mostSnapshots} of them`;
  throw new MachineError('LIMIT_REACHED', `There is no room for another snapshot: ${limit} are kept at most.`, [
    advice`Delete one with ${call('snapshot_delete')}.`,
    advice`Save under a name that is taken.`,
  ]);
}
