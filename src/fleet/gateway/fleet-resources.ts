import type { ResourceContent, ResourceFamily } from '../../api/tool-host.ts';
import type { FleetView } from './fleet-view.ts';

/** The resources of all machines: which there are is known here, what they say is asked where the machine is. */
export function fleetResources(
  local: readonly ResourceFamily[],
  view: FleetView,
  read: (machine: string, uri: string) => Promise<ResourceContent>,
): readonly ResourceFamily[] {
  return local.map((family) => (family.owner === undefined ? family : remoteFamily(family, view, read)));
}

function remoteFamily(
  family: ResourceFamily,
  view: FleetView,
  read: (machine: string, uri: string) => Promise<ResourceContent>,
): ResourceFamily {
  const owner = (uri: string) => family.owner?.(uri);
  return {
    ...family,
    list: () =>
      view.machines.flatMap(({ summary: { handle, resources } }) =>
        resources.filter(({ uri }) => owner(uri) === handle),
      ),
    read(uri) {
      const machine = owner(uri);
      if (machine === undefined || view.machine(machine) === undefined) return undefined;
      return read(machine, uri);
    },
    complete(variable, typed) {
      const values = view.machines.flatMap(({ summary }) =>
        variable === 'machine' ? [summary.handle] : summary.consoles,
      );
      return [...new Set(values)].filter((value) => value.startsWith(typed));
    },
  };
}
