import { advice, call, MachineError } from '../../machine/errors.ts';
import type { FleetView } from './fleet-view.ts';

/** No host has this kind, or its operator does not allow it. */
export function kindNowhere(view: FleetView, kind: string): MachineError {
  const { heard } = view;
  if (heard.length === 0) {
    const silent = view.hosts.map(({ host }) => host).sort();
    return new MachineError(
      'UNAVAILABLE',
      silent.length === 0
        ? 'No host of the fleet is available.'
        : `No host of the fleet responds; there were ${silent.slice(0, 10).join(', ')}.`,
      'Try again later, or ask the operator: machines are on computers where `frontpanel station` runs.',
    );
  }
  const kinds = [...new Set(heard.flatMap((each) => each.kinds))].sort();
  return new MachineError('UNKNOWN_KIND', `No host of the fleet has the kind ${JSON.stringify(kind.slice(0, 60))}.`, [
    advice`Kinds: ${kinds.join(', ') || 'none'}; the operators of the stations allow no others.`,
    advice`${call('machine_kinds')} describes them.`,
  ]);
}
