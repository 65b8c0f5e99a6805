import type { Outcome } from '../../api/tool-host.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { namedShortly } from '../../rack/machine-name.ts';

/** The option of a host's operator that refused, if one did. */
export function operatorOption(outcome: Outcome): string | undefined {
  const option = outcome.type === 'error' ? outcome.error.data.operator_option : undefined;
  return typeof option === 'string' ? option : undefined;
}

/** A refusal speaks of "this server"; an agent of a fleet is told which hosts that is, since their operators decide. */
export function namingHosts(outcome: Outcome, hosts: readonly string[]): Outcome {
  const option = operatorOption(outcome);
  if (outcome.type !== 'error' || option === undefined) return outcome;
  const isOne = hosts.length === 1;
  const named = `host${isOne ? '' : 's'} ${namedShortly(hosts)}`;
  const { type, message, advice: ways, data } = outcome.error;
  const decide = isOne ? `The operator of ${named} decides` : `The operators of ${named} decide`;
  const whose = advice`${decide} that, with ${option} of the station${isOne ? '' : 's'} there; options of the gateway do not matter.`;
  const others = advice`${call('machine_kinds')} tells what each host allows.`;
  const error = new MachineError(type, `On ${named}: ${message}`, [...ways, whose, others], { ...data, hosts });
  return { ...outcome, error };
}
