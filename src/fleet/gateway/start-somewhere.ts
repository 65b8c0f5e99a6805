import type { Caller, Outcome } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { FleetCallParts } from './fleet-calls.ts';
import { namingHosts, operatorOption } from './operators-word.ts';
import { placesFor } from './placement.ts';
import { requireQuota } from './team-quota.ts';

const mostNames = 1000;

/** Starts a machine on a host that has room; the host has the last word, and a full fleet says so at once. */
export async function startSomewhere(
  parts: FleetCallParts,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Outcome> {
  const { view, maxMachines } = parts;
  const kind = String(args.kind);
  const { on, ...options } = { on: undefined, ...Object(args.options) } as Record<string, unknown>;
  if (on !== undefined && typeof on !== 'string')
    throw new MachineError('INVALID_ARGUMENT', '"on" is a host or a label.', 'Use "on":"HOST" or "on":"KEY=VALUE".');
  if (view.machines.length >= maxMachines)
    throw new MachineError(
      'LIMIT_REACHED',
      `${view.machines.length} machines are running in the fleet, which is the limit of this gateway.`,
      'Stop one; the operator can start the gateway with a higher --max-machines.',
    );
  const places = placesFor(view, { kind, on, memoryMib: parts.memoryOf(kind, options) });
  requireQuota(view, kind, places);
  let full: Outcome | undefined;
  /** By policy: operators who allow the same refuse the same. */
  const refusals = new Map<string, Outcome>();
  const policyOf = (host: string) => view.host(host)?.policy ?? host;
  for (const host of places) {
    if (refusals.has(policyOf(host))) continue;
    const outcome = await startAt(parts, host, { ...args, ...(args.options !== undefined && { options }) }, caller);
    if (operatorOption(outcome) !== undefined) refusals.set(policyOf(host), outcome);
    else if (isFull(outcome)) full = outcome;
    else return outcome;
  }
  const refusal = full ?? [...refusals.values()].at(-1);
  if (!refusal) throw new MachineError('LIMIT_REACHED', 'Every host refused.', 'Try again.');
  // Others may have refused for another reason, with another way out.
  const refusesSo = (host: string) => {
    const outcome = refusals.get(policyOf(host));
    return outcome !== undefined && operatorOption(outcome) === operatorOption(refusal);
  };
  return namingHosts(refusal, places.filter(refusesSo).toSorted());
}

/** Another host may have room. A quota is the same wherever it is asked. */
function isFull(outcome: Outcome): boolean {
  return outcome.type === 'error' && outcome.error.type === 'LIMIT_REACHED' && outcome.error.data.quota === undefined;
}

async function startAt(
  { view, calls }: FleetCallParts,
  host: string,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Outcome> {
  const incarnation = view.host(host)?.incarnation ?? '';
  const wanted = typeof args.name === 'string' ? args.name : undefined;
  view.pending(host, 1);
  try {
    const tried = new Set<string>();
    for (;;) {
      const name = wanted ?? freeName(String(args.kind), (each) => view.machine(each) !== undefined || tried.has(each));
      tried.add(name);
      const outcome = await calls.call(
        { host, incarnation, machine: name },
        'machine_start',
        { ...args, name },
        caller,
      );
      // Another gateway was faster.
      const isTaken = outcome.type === 'error' && outcome.error.type === 'NAME_TAKEN' && wanted === undefined;
      if (isTaken && tried.size < mostNames) continue;
      if (outcome.type !== 'answer') return outcome;
      const { text, data } = outcome.answer;
      view.expect({ host, incarnation, summary: summaryOf(name, String(args.kind), text, data) });
      return {
        type: 'answer',
        answer: { ...outcome.answer, text: `${text}\nOn host ${host}.`, data: { ...data, host } },
      };
    }
  } finally {
    view.pending(host, -1);
  }
}

function freeName(kind: string, isTaken: (name: string) => boolean): string {
  let number = 1;
  while (isTaken(`${kind}-${number}`)) number++;
  return `${kind}-${number}`;
}

/** Until its host tells more. */
function summaryOf(handle: string, kind: string, text: string, data: Readonly<Record<string, unknown>> | undefined) {
  const state = String(data?.state ?? '');
  const line = text.split('\n', 1)[0] ?? handle;
  const capabilities = Array.isArray(data?.capabilities) ? data.capabilities.map(String) : [];
  return {
    ...{ handle, kind, state, line, capabilities },
    notes: [],
    isKept: false,
    consoles: [],
    watched: { state, line, hasScreen: capabilities.includes('screen') },
    hasControl: capabilities.includes('control'),
    hasSound: capabilities.includes('audio'),
    canRewind: false,
    users: [],
    resources: [],
    sockets: [],
  };
}
