import { OperatorPolicy } from '../host/policy/operator-policy.ts';
import type { OptionValues } from './options.ts';

/** What the operator allows, from the options. */
export function policyOf(options: OptionValues): OperatorPolicy {
  return new OperatorPolicy({
    kinds: options.allowKinds,
    tcp: options.allowTcp,
    networks: options.allowNetworks,
    commands: options.allowCommands,
    readFolders: options.allowRead,
    writeFolders: options.allowPath,
  });
}
