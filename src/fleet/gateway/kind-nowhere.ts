import { advice, call, MachineError } from '../../machine/errors.ts';
import type { FleetView } from './fleet-view.ts';

/** No host has this kind, or its operator does not allow it. */
export function kindNowhere(view: FleetView, kind: string): MachineError {
  const kinds = [...new Set(view.hosts.flatMap((each) => each.kinds))].sort();
  return new MachineError('UNKNOWN_KIND', `No host of the fleet has the kind ${JSON.stringify(kind.slice(0, 60))}.`, [
    advice`Kinds: ${kinds.join(', ') || 'none, because no host is there'}; the operators of the stations allow no others.`,
    advice`${call('machine_kinds')} describes them.`,
  ]);
}
