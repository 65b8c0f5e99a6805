import { readFileSync } from 'node:fs';
import { FleetLine, withoutPassword } from '../fleet/wire/fleet-line.ts';
import { letsAccountsIn, onlyAccount } from '../fleet/wire/server-version.ts';
import { MachineError } from '../machine/errors.ts';
import type { Log } from './log.ts';
import type { OptionValues } from './options.ts';
import { UsageError } from './usage-error.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Connects to the NATS server, if it is one that strangers cannot listen to. */
export async function openFleetLine(
  options: OptionValues,
  name: string,
  log: Log,
  answers?: string,
): Promise<FleetLine> {
  const { nats = '', natsCreds, natsCa } = options;
  const credentials = natsCreds === undefined ? undefined : readText('--nats-creds', natsCreds);
  const ca = natsCa === undefined ? undefined : readText('--nats-ca', natsCa);
  const problems = natsProblems(nats, credentials !== undefined, ca !== undefined);
  if (problems.length > 0) throw new UsageError(problems);
  const told = (level: 'info' | 'error', text: string) => log(level, `fleet: ${text}`);
  return FleetLine.open({ url: nats, name, credentials, ca, ...(answers !== undefined && { answers }), log: told });
}

/** A server whose accounts can change each other's store keeps no teams apart. */
export async function requireOwnStore(
  line: FleetLine,
  { natsTrustAccounts }: OptionValues,
  log: Log,
  ask = () => line.account(),
): Promise<void> {
  if (natsTrustAccounts || !letsAccountsIn(line.serverVersion)) return;
  const account = await ask();
  if (account === onlyAccount) return;
  if (account === undefined) {
    log('info', `fleet: NATS server ${line.serverVersion} has CVE-2025-30215 and does not say which account this is`);
    return;
  }
  // A closed connection does not know it any more.
  const { serverVersion } = line;
  await line.close();
  throw new MachineError(
    'UNAVAILABLE',
    `NATS server ${serverVersion} has CVE-2025-30215: its accounts can change each other's store, and this is account ${JSON.stringify(account)}.`,
    'Use 2.10.27, 2.11.1 or later. If all accounts of the server trust each other, use --nats-trust-accounts.',
  );
}

/** Of a server with several: what keeps the team of this account apart from others here. */
export function teamOf(account: string | undefined): string | undefined {
  return account === onlyAccount ? undefined : account;
}

/** Whoever can speak to the NATS server has all machines in their hands. */
export function natsProblems(text: string, hasCredentials: boolean, hasCa: boolean): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') {
    return [`--nats: ${JSON.stringify(withoutPassword(text))} is not nats://HOST:PORT or tls://HOST:PORT.`];
  }
  if (loopback.test(url.hostname)) return [];
  const isSafe = url.protocol === 'tls:' || hasCa;
  return [
    ...(isSafe ? [] : ['--nats: beyond this computer the connection needs TLS: use tls:// or --nats-ca.']),
    ...(hasCredentials || url.username !== ''
      ? []
      : [
          '--nats: beyond this computer the server needs credentials: use --nats-creds, or USER:PASSWORD@ in the address.',
        ]),
  ];
}

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError([`${option}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
