import type { PolicyRule } from '../../machine/policy.ts';
import { describeQuota, type Quota, requireWithin, type Usage, usageOf } from '../wire/quota.ts';
import type { FleetView } from './fleet-view.ts';

/** What gateways know of machines; how much memory they take is for stations to say. */
function knownUsage(view: FleetView): Usage {
  return usageOf(view.machines.map(({ summary: { kind, isKept } }) => ({ kind, isKept, memoryMib: 0 })));
}

/** Throws where every host would refuse: what only a station can say is left to it. */
export function requireQuota(view: FleetView, kind: string, hosts: readonly string[]): void {
  const usage = knownUsage(view);
  let refusal: unknown;
  for (const host of hosts) {
    try {
      requireWithin(withoutMemory(view.host(host)?.quota ?? {}), usage, { kind, memoryMib: 0, isKept: false });
      return;
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}

/** The lowest of what stations say: they should say the same. */
export function teamQuota(view: FleetView): Quota {
  const lowest: Record<string, number> = {};
  for (const { quota = {} } of view.hosts) {
    for (const [name, limit] of Object.entries(quota)) lowest[name] = Math.min(limit, lowest[name] ?? limit);
  }
  return lowest;
}

/** For machine_kinds and machine_list. */
export function quotaRules(view: FleetView): readonly PolicyRule[] {
  const quota = teamQuota(view);
  if (Object.keys(quota).length === 0) return [];
  const { memory, ...counted } = quota;
  const texts = [
    ...(Object.keys(counted).length > 0 ? [describeQuota(counted, knownUsage(view))] : []),
    ...(memory === undefined ? [] : [`${memory.toLocaleString('en-US')} MiB of memory in all`]),
  ];
  return [{ topic: 'quota of the team', allows: texts.join(', '), option: '--quota of the stations' }];
}

function withoutMemory({ memory: _, ...rest }: Quota): Quota {
  return rest;
}
