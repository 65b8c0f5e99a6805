import type { Host, HostSettings } from '../../../machine/host.ts';

/** As much of a host as a machine without files needs. */
export function bareHost(report: Host['report'] = () => {}): Host {
  const settings = { maxAnnotations: 1000 } satisfies Partial<HostSettings> as HostSettings;
  return { report, settings } satisfies Partial<Host> as Host;
}
