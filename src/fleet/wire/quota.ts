import { advice, call, MachineError } from '../../machine/errors.ts';
import type { ClaimedMachine } from '../../rack/rack.ts';

/** What a team may have at most, by name: one of `quotaNames`, or a kind of machine. */
export type Quota = Readonly<Record<string, number>>;

/** Those that are no kinds of machines, and how they are told. */
const quotaNames: Readonly<Record<string, string>> = {
  machines: 'machines',
  memory: 'MiB of memory',
  calls: 'calls a minute at each host',
  minutes: 'minutes for each machine',
  store: 'MiB in the store',
};
/** Those that do not limit how many machines there are. */
const uncounted: ReadonlySet<string> = new Set(['calls', 'minutes', 'store']);
const most = 1_000_000_000;

/** What the machines of a team take together. */
export interface Usage {
  readonly machines: number;
  readonly memory: number;
  readonly kinds: Readonly<Record<string, number>>;
}

/** From `NAME=NUMBER`, as an operator writes it. */
export function quotaFrom(texts: readonly string[], kinds: readonly string[]) {
  const quota: Record<string, number> = {};
  const problems: string[] = [];
  const names = [...Object.keys(quotaNames), ...kinds];
  for (const text of texts) {
    const [, name = '', number] = /^([a-z0-9-]+)=(\d{1,10})$/.exec(text) ?? [];
    const value = Number(number);
    if (!names.includes(name) || number === undefined || value > most)
      problems.push(`--quota: ${JSON.stringify(text)} is not NAME=NUMBER with one of ${names.join(', ')}.`);
    else if (name in quota) problems.push(`--quota: ${name} is there twice.`);
    else quota[name] = value;
  }
  return { quota, problems };
}

/** Whether it limits how many machines there are, which all hosts have to agree on. */
export function countsMachines(quota: Quota): boolean {
  return Object.keys(quota).some((name) => !uncounted.has(name));
}

/** Machines of the user's configuration are the operator's own, and not counted. */
export function usageOf(machines: Iterable<ClaimedMachine>): Usage {
  let [count, memory] = [0, 0];
  const kinds: Record<string, number> = {};
  for (const { kind, memoryMib, isKept } of machines) {
    if (isKept) continue;
    count++;
    memory += memoryMib;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return { machines: count, memory, kinds };
}

/** Throws where one more machine would be too many. */
export function requireWithin(quota: Quota, usage: Usage, { kind, memoryMib, isKept }: ClaimedMachine): void {
  if (isKept) return;
  const wanted: Readonly<Record<string, number>> = { machines: 1, memory: memoryMib, [kind]: 1 };
  for (const [name, limit] of Object.entries(quota)) {
    const more = wanted[name];
    const used = usedOf(usage, name);
    if (more === undefined || used + more <= limit) continue;
    const what = name === kind ? `machines of kind ${kind}` : (quotaNames[name] ?? name);
    throw new MachineError(
      'LIMIT_REACHED',
      `The quota of the team is ${told(limit)} ${what}: ${told(used)} are in use, and this machine would take ${told(more)} more.`,
      [
        advice`Stop a machine with ${call('machine_stop')}; ${call('machine_list')} lists them.`,
        advice`The operator of the stations can start them with a higher --quota ${name}=NUMBER.`,
      ],
      { quota: name, limit, used },
    );
  }
}

/** For people: what is used of what may be used. */
export function describeQuota(quota: Quota, usage: Usage): string {
  return Object.entries(quota)
    .map(([name, limit]) => {
      if (uncounted.has(name)) return `${told(limit)} ${quotaNames[name]}`;
      return `${told(usedOf(usage, name))} of ${told(limit)} ${quotaNames[name] ?? name}`;
    })
    .join(', ');
}

export function usedOf({ machines, memory, kinds }: Usage, name: string): number {
  if (name === 'machines') return machines;
  return name === 'memory' ? memory : (kinds[name] ?? 0);
}

function told(number: number): string {
  return number.toLocaleString('en-US');
}
