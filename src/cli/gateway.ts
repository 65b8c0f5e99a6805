import { Gateway } from '../fleet/gateway/gateway.ts';
import type { ConfigSections } from './config-sections.ts';
import { openFleetLine, requireOwnStore, teamOf } from './fleet-line.ts';
import type { Log } from './log.ts';
import type { OptionName, OptionValues } from './options.ts';
import { UsageError } from './usage-error.ts';

/** This process keeps no machines: what would start some here is a mistake. */
export async function openGateway(
  options: OptionValues,
  isGiven: (option: OptionName) => boolean,
  sections: ConfigSections,
  log: Log,
): Promise<Gateway> {
  const problems = [
    ...(options.demo ? ['--demo and --nats exclude each other: a gateway has no machines of its own.'] : []),
    ...(isGiven('threads') && options.threads > 0
      ? ['--threads is for stations: a gateway has no machines of its own.']
      : []),
    ...(Object.keys(sections.consoles).length > 0
      ? ['The "consoles" of the configuration file belong to a station, not to a gateway.']
      : []),
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const line = await openFleetLine(options, 'frontpanel gateway', log);
  const account = await line.account();
  await requireOwnStore(line, options, log, async () => account);
  // Unless somebody said how many, as many as stations take.
  const most = isGiven('max-machines') ? options.maxMachines : Number.POSITIVE_INFINITY;
  return new Gateway(line, most, (text) => log('error', `fleet: ${text}`), teamOf(account));
}
