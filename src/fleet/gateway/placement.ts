import { MachineError } from '../../machine/errors.ts';
import type { FleetView, KnownHost } from './fleet-view.ts';
import { kindNowhere } from './kind-nowhere.ts';
import { quotaRules } from './team-quota.ts';

/** Of hosts, in what is said. */
const mostNamed = 10;

/** A host's name, or a label as `key=value`. */
export type Place = string | undefined;

interface WantedPlace {
  readonly kind: string;
  readonly on: Place;
  /** About what the machine takes, where that is known. */
  readonly memoryMib?: number | undefined;
}

/**
 * Where a machine may be started, best first: hosts that are heard, know the kind, have room and bear the label. The better of
 * two at random comes first: all gateways together spread machines evenly without asking each other.
 */
export function placesFor(
  view: FleetView,
  { kind, on, memoryMib = 0 }: WantedPlace,
  random: () => number = Math.random,
): string[] {
  const { heard } = view;
  const able = heard.filter(
    (host) => !host.isDraining && host.kinds.includes(kind) && isAt(host, on) && usedOf(view, host) < host.capacity,
  );
  const fitting = able.filter(({ roomMib = Number.POSITIVE_INFINITY }) => memoryMib <= roomMib);
  if (heard.length === 0 || !view.hosts.some(({ kinds }) => kinds.includes(kind))) throw kindNowhere(view, kind);
  if (fitting.length === 0) throw able.length === 0 ? noPlace(view, kind, on) : noMemory(able, kind, memoryMib);
  const shuffled = fitting
    .map((host) => ({ host, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ host }) => host);
  const [first, second, ...rest] = shuffled;
  const two = [first, second]
    .filter((host) => host !== undefined)
    .sort((a, b) => fullness(view, a) - fullness(view, b));
  return [...two, ...rest].map(({ host }) => host);
}

function isAt({ host, labels }: KnownHost, on: Place): boolean {
  if (on === undefined || on === host) return true;
  const [key = '', ...value] = on.split('=');
  return on.includes('=') && Object.hasOwn(labels, key) && labels[key] === value.join('=');
}

/** Machines that are there, and those that are being started there through this gateway. */
function usedOf(view: FleetView, { host, pending }: KnownHost): number {
  return view.count(host) + pending;
}

/** How much of a host is in use; a processor that is waited for counts as a part of it. */
function fullness(view: FleetView, host: KnownHost): number {
  return usedOf(view, host) / Math.max(1, host.capacity) + Math.max(0, host.load - 1) / 10;
}

function noPlace(view: FleetView, kind: string, on: Place): MachineError {
  const place = on === undefined ? '' : JSON.stringify(on.slice(0, 60));
  const where = on === undefined ? '' : ` at ${place}`;
  const hosts = describeHosts(view).text;
  const there = view.hosts.filter((host) => isAt(host, on));
  if (on !== undefined && view.hosts.length > 0 && there.length === 0) {
    const what = on.includes('=') ? `has the label ${place}` : `is called ${place}`;
    return new MachineError(
      'INVALID_ARGUMENT',
      `No host of the fleet ${what}. ${hosts}`,
      'Use the name of a host or one of its labels, as key=value; without "on" the machine goes where there is room.',
    );
  }
  if (there.length > 0 && !there.some(({ kinds }) => kinds.includes(kind))) {
    const able = view.hosts
      .filter(({ kinds }) => kinds.includes(kind))
      .map(({ host }) => host)
      .sort();
    const others = able.length > mostNamed ? ` and ${able.length - mostNamed} others` : '';
    return new MachineError(
      'UNKNOWN_KIND',
      `No host${where} has machines of the kind ${kind}.`,
      `These have: ${able.slice(0, mostNamed).join(', ')}${others}.`,
    );
  }
  const able = there.filter(({ kinds }) => kinds.includes(kind));
  if (able.length > 0 && able.every(({ isDraining }) => isDraining)) {
    const named = able.slice(0, mostNamed).map(({ host }) => host);
    const others = view.heard.filter((host) => !host.isDraining && host.kinds.includes(kind)).map(({ host }) => host);
    return new MachineError(
      'UNAVAILABLE',
      named.length === 1
        ? `Host ${named[0]} is being shut down by its operator and takes no new machines.`
        : `Hosts ${named.join(', ')} are being shut down by their operators and take no new machines.`,
      others.length > 0
        ? `Use another host: ${others.slice(0, mostNamed).join(', ')}, or leave "on" out.`
        : 'Ask the operator for another station; machines that run there should be saved.',
      { draining: named },
    );
  }
  return new MachineError(
    'LIMIT_REACHED',
    `No host of the fleet has room for a ${kind}${where}. ${hosts}`,
    'Stop a machine, or ask the operator for another station.',
  );
}

function noMemory(able: readonly KnownHost[], kind: string, memoryMib: number): MachineError {
  const hosts = able.slice(0, mostNamed).map(({ host, roomMib }) => `${host} has ${roomMib} MiB`);
  const others = able.length > mostNamed ? ` and ${able.length - mostNamed} others not more` : '';
  return new MachineError(
    'LIMIT_REACHED',
    `No host of the fleet has memory for this ${kind}, which may take ${memoryMib} MiB: ${hosts.join(', ')}${others}.`,
    'Stop a machine, give this one less memory, or ask the operator for another station.',
    { needed_mib: memoryMib },
  );
}

export function describeHosts(view: FleetView): { readonly text: string; readonly data: readonly unknown[] } {
  const hosts = view.hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1));
  const texts = hosts.map(({ host, capacity, labels, isDraining }) => {
    const silence = view.silence(host);
    const facts = [
      ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
      ...(isDraining ? ['takes no more'] : []),
      ...(silence > 0 ? [`not heard of for ${Math.round(silence / 1000)} s`] : []),
    ];
    return `${host} ${view.count(host)}/${capacity}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
  });
  const quotas = quotaRules(view).map(({ topic, allows }) => ` The ${topic}: ${allows}.`);
  return {
    text: texts.length === 0 ? 'No host is there.' : `Hosts: ${texts.join(', ')}.${quotas.join('')}`,
    data: hosts.map(({ host, capacity, labels, kinds, quota = {}, roomMib, isDraining }) => ({
      ...{ host, machines: view.count(host), capacity, labels, kinds },
      ...(Object.keys(quota).length > 0 && { quota }),
      ...(roomMib !== undefined && { free_mib: roomMib }),
      ...(isDraining && { draining: true }),
      ...(view.silence(host) > 0 && { silent_s: Math.round(view.silence(host) / 1000) }),
    })),
  };
}
