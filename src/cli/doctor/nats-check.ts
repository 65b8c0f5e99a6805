import { letsAccountsIn } from '../../fleet/wire/server-version.ts';
import { loadFleet } from '../load-fleet.ts';
import type { OptionValues } from '../options.ts';
import type { Finding } from './finding.ts';

const check = 'NATS';

/** The server of a fleet, where one is named: whether it can be used, and what is known of its version. */
export async function checkNats(options: OptionValues): Promise<readonly Finding[]> {
  if (options.nats === undefined) return [];
  try {
    const { openFleetLine } = await loadFleet(() => import('../fleet-line.ts'));
    const line = await openFleetLine(options, 'frontpanel doctor', () => {});
    try {
      await line.streams();
      const { fleetFindings } = await import('./fleet-check.ts');
      return [versionFinding(line.serverVersion), ...(await fleetFindings(line))];
    } catch (error) {
      const detail = `the server has no JetStream (${error instanceof Error ? error.message : String(error)})`;
      return [{ check, status: 'fail', detail, fix: 'Start it with -js, or with jetstream in its configuration.' }];
    } finally {
      await line.close();
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ check, status: 'fail', detail, fix: 'Check --nats, --nats-creds and --nats-ca.' }];
  }
}

/** CVE-2025-30215: one account could change the store of another. */
export function versionFinding(version: string): Finding {
  const detail = `server ${version} with JetStream`;
  if (!letsAccountsIn(version)) return { check, status: 'ok', detail };
  return {
    check,
    status: 'warn',
    detail: `${detail}; CVE-2025-30215: one account can change the store of another`,
    fix: 'Use 2.10.27, 2.11.1 or later where several teams share the server.',
  };
}
