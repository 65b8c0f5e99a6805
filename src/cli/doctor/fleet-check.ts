import { setTimeout } from 'node:timers/promises';
import { Census } from '../../fleet/wire/census.ts';
import type { FleetLine } from '../../fleet/wire/fleet-line.ts';
import { describeQuota, type Quota, usageOf } from '../../fleet/wire/quota.ts';
import { type Beat, beatShape } from '../../fleet/wire/shapes.ts';
import { subjects } from '../../fleet/wire/subjects.ts';
import type { Finding } from './finding.ts';

/** Stations say that they are there when they are asked, and every second. */
const listenMs = 1500;

/** The stations of the team, and what they let it have. */
export async function fleetFindings(line: FleetLine): Promise<readonly Finding[]> {
  const beats = new Map<string, Beat>();
  const stop = line.subscribe(subjects.beats, ({ head }) => {
    const { data } = beatShape.safeParse(head);
    if (data && !data.isLeaving) beats.set(data.host, data);
  });
  line.publish(subjects.hello, {});
  await setTimeout(listenMs);
  stop();
  const { records } = await new Census(line).read();
  const held = [...records.values()].flatMap(({ state, of }) => (state === 'held' ? [of] : []));
  return quotaFindings([...beats.values()], (quota) => describeQuota(quota, usageOf(held)));
}

export function quotaFindings(
  beats: readonly Pick<Beat, 'host' | 'quota'>[],
  describe: (quota: Quota) => string,
): readonly Finding[] {
  const hosts = beats.map(({ host }) => host).sort();
  const stations: Finding = {
    check: 'stations',
    status: hosts.length === 0 ? 'warn' : 'ok',
    detail: hosts.length === 0 ? 'none responds' : hosts.join(', '),
    ...(hosts.length === 0 && { fix: 'Start one with frontpanel station --nats.' }),
  };
  const byQuota = new Map<string, { readonly quota: Quota; readonly hosts: string[] }>();
  for (const { host, quota = {} } of beats) {
    const key = JSON.stringify(Object.entries(quota).sort());
    const same = byQuota.get(key) ?? { quota, hosts: [] };
    same.hosts.push(host);
    byQuota.set(key, same);
  }
  const quotas = [...byQuota.values()];
  if (quotas.every(({ quota }) => Object.keys(quota).length === 0)) return [stations];
  const told = quotas.map(({ quota, hosts: at }) => `${at.sort().join(', ')}: ${describe(quota) || 'none'}`);
  const agree = quotas.length === 1;
  return [
    stations,
    {
      check: 'quotas',
      status: agree ? 'ok' : 'warn',
      detail: agree ? describe(quotas[0]?.quota ?? {}) : `stations do not agree: ${told.join('; ')}`,
      ...(!agree && { fix: 'Give all stations of a team the same --quota: each enforces its own.' }),
    },
  ];
}
