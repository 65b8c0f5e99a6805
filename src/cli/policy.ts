import { OperatorPolicy } from '../host/policy/operator-policy.ts';
import type { ConfigSections } from './config-sections.ts';
import type { OptionValues } from './options.ts';

/** What the operator allows, from the options and the configuration file. */
export function policyOf(
  options: OptionValues,
  { consoles, consoleCommands, leftOut }: ConfigSections,
): OperatorPolicy {
  return new OperatorPolicy({
    kinds: options.allowKinds,
    tcp: options.allowTcp,
    networks: options.allowNetworks,
    commands: options.allowCommands,
    monitor: options.allowMonitor,
    monitorCommands: options.allowMonitorCommands,
    debuggers: options.allowDebuggers,
    devices: options.allowDevices,
    consoleCommands,
    leftOut,
    keptConsoles: Object.fromEntries(
      Object.entries(consoles).map(([name, { options: kept }]) => [name, kept.write_policy]),
    ),
    readFolders: options.allowRead,
    writeFolders: options.allowPath,
  });
}
