import { advice, call, MachineError } from '../../machine/errors.ts';

const mostSnapshots = 256;
const mostBytes = 256 * 1024 * 1024;

/** Refuses another snapshot of so many bytes where those that are kept in memory already take as much as they may. */
export function requireSnapshotRoom(
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
