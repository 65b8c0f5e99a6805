import type { Caller, Outcome, ToolAnswer } from '../../api/tool-host.ts';
import type { PolicyRule } from '../../machine/policy.ts';
import { namedShortly } from '../../rack/machine-name.ts';
import type { FleetCallParts } from './fleet-calls.ts';
import type { KnownHost } from './fleet-view.ts';
import { kindNowhere } from './kind-nowhere.ts';
import { quotaRules } from './team-quota.ts';

const askMs = 5000;
/** Of hosts that do not allow the same, in one answer. */
const mostPolicies = 20;

interface ToldKind {
  readonly kind: string;
  readonly summary: string;
}

interface ToldPolicy {
  readonly hosts: readonly string[];
  readonly kinds: readonly ToldKind[];
  readonly rules: readonly PolicyRule[];
}

/** What can be started in the fleet, and what the operators of its hosts allow; with a kind, what a host that has it says. */
export async function fleetKinds(parts: FleetCallParts, kind: string | undefined, caller: Caller): Promise<Outcome> {
  if (kind !== undefined) return oneKind(parts, kind, caller);
  const { heard } = parts.view;
  const groups = alike(heard);
  const asked = groups.slice(0, mostPolicies);
  const told = await Promise.all(asked.map((hosts) => policyOf(parts, hosts, caller)));
  const policies = told.filter((each) => each !== undefined);
  const unheard = groups.filter((_, index) => told[index] === undefined).flat();
  return { type: 'answer', answer: answerOf(policies, unheard, quotaRules(parts.view)) };
}

/** Hosts that allow the same, together. */
function alike(hosts: readonly KnownHost[]): readonly (readonly KnownHost[])[] {
  const groups = new Map<string, KnownHost[]>();
  for (const each of hosts) {
    const key = each.policy ?? each.host;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

/** Any one of these hosts speaks for all; undefined where it does not answer in time. */
async function policyOf(
  parts: FleetCallParts,
  hosts: readonly KnownHost[],
  caller: Caller,
): Promise<ToldPolicy | undefined> {
  const [{ host, incarnation } = { host: '', incarnation: '' }] = hosts;
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(askMs)]);
  const late = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  const asking = parts.calls.call({ host, incarnation }, 'machine_kinds', {}, { ...caller, signal, isQuiet: true });
  const outcome = await Promise.race([asking, late]);
  if (outcome?.type !== 'answer') return undefined;
  const { kinds = [], policy = [] } = (outcome.answer.data ?? {}) as {
    readonly kinds?: readonly ToldKind[];
    readonly policy?: readonly PolicyRule[];
  };
  return { hosts: hosts.map((each) => each.host).sort(), kinds, rules: policy };
}

function answerOf(
  policies: readonly ToldPolicy[],
  unheard: readonly KnownHost[],
  quotas: readonly PolicyRule[],
): ToolAnswer {
  const summaries = new Map(policies.flatMap(({ kinds }) => kinds.map(({ kind, summary }) => [kind, summary])));
  const kinds = [...summaries].map(([kind, summary]) => {
    const having = policies.filter((policy) => policy.kinds.some((each) => each.kind === kind));
    return {
      kind,
      summary,
      hosts: having.flatMap(({ hosts }) => hosts).sort(),
      isEverywhere: having.length === policies.length,
    };
  });
  const text = [
    ...kinds.map(
      ({ kind, summary, hosts, isEverywhere }) =>
        `${kind}: ${summary}${isEverywhere ? '' : ` Only on ${namedShortly(hosts)}.`}`,
    ),
    ...policies.flatMap(({ hosts, rules }) => [`The operator of ${namedShortly(hosts)} allows:`, ...rules.map(line)]),
    ...(quotas.length > 0 ? ['The team has:', ...quotas.map(line)] : []),
    ...(policies.length === 0 && unheard.length === 0 ? ['No host is there, so nothing can be started.'] : []),
    ...(unheard.length > 0
      ? [`What the operator of ${namedShortly(unheard.map(({ host }) => host))} allows is not known.`]
      : []),
  ];
  return {
    text: text.join('\n'),
    data: {
      kinds: kinds.map(({ kind, summary, hosts }) => ({ kind, summary, hosts })),
      policy: [...policies.flatMap(({ hosts, rules }) => rules.map((rule) => ({ ...rule, hosts }))), ...quotas],
    },
  };
}

function line({ topic, allows, option }: PolicyRule): string {
  return `  ${topic}: ${allows} (${option})`;
}

async function oneKind({ view, calls }: FleetCallParts, kind: string, caller: Caller): Promise<Outcome> {
  const { heard } = view;
  const having = heard.find(({ kinds }) => kinds.includes(kind));
  if (!having) throw kindNowhere(view, kind);
  const { host, incarnation } = having;
  const outcome = await calls.call({ host, incarnation }, 'machine_kinds', { kind }, caller);
  if (outcome.type !== 'answer') return outcome;
  const { text, data } = outcome.answer;
  return {
    type: 'answer',
    answer: { ...outcome.answer, text: `${text}\nAs on host ${host}.`, data: { ...data, host } },
  };
}
