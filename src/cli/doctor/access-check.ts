import { exposureWarnings } from '../exposure.ts';
import { serverTokens } from '../known-tokens.ts';
import { openConfigWarnings } from '../open-config.ts';
import { loadTls } from '../tls-files.ts';
import type { TokenRow } from '../token-rows.ts';
import { UsageError } from '../usage-error.ts';
import { serveSettings } from './configuration-check.ts';
import type { Check, Finding } from './finding.ts';

const soonMs = 14 * 24 * 3_600_000;
type Settings = Exclude<ReturnType<typeof serveSettings>, UsageError>['options'];

/** Who could reach what `serve` would open, and how safe the way is. */
export const checkAccess: Check = async (patient) => {
  const settings = serveSettings(patient);
  if (settings instanceof UsageError) return [];
  const { options } = settings;
  const { readSections } = await import('../config-sections.ts');
  const { tokens } = readSections(settings.sections).sections;
  return [
    ...tokenFindings(options, tokens),
    ...openConfigWarnings(settings).map((detail): Finding => ({ check: 'tokens', status: 'warn', detail })),
    ...tlsFindings(options),
    ...exposureWarnings(options).map(
      (detail): Finding => ({ check: 'network', status: 'warn', detail, fix: 'See docs/http.md.' }),
    ),
  ];
};

/** Stands for the one that a server would read from the user's state folder. */
const unknownToken = 'kept in your state folder';

function tokenFindings(options: Settings, tokens: readonly TokenRow[]): Finding[] {
  const check = 'tokens';
  try {
    const { own, known, warnings } = serverTokens(options, tokens, unknownToken);
    const names = known.flatMap(({ name, role }) =>
      name === undefined || name === 'local' ? [] : [`${name} (${role})`],
    );
    const one =
      options.token === undefined ? 'one, kept in your state folder and printed at each start' : 'one, which is set';
    const detail = own === undefined ? 'none is needed' : names.length > 0 ? names.join(', ') : one;
    return [
      { check, status: 'ok', detail },
      ...warnings.map((warning): Finding => ({ check, status: 'warn', detail: warning })),
    ];
  } catch (error) {
    return failures(check, error);
  }
}

function tlsFindings({ tlsCert: cert, tlsKey: key }: Settings): Finding[] {
  const check = 'TLS';
  if (cert === undefined || key === undefined) return [];
  try {
    const { validTo } = loadTls({ cert, key });
    const leftMs = validTo.getTime() - Date.now();
    const detail = `${cert} is valid until ${validTo.toISOString()}`;
    if (leftMs > soonMs) return [{ check, status: 'ok', detail }];
    const fix = 'Renew it; a running server loads the new file within a minute.';
    return [{ check, status: leftMs > 0 ? 'warn' : 'fail', detail, fix }];
  } catch (error) {
    return failures(check, error);
  }
}

function failures(check: string, error: unknown): Finding[] {
  if (!(error instanceof UsageError)) throw error;
  return error.problems.map(
    (detail): Finding => ({ check, status: 'fail', detail, fix: 'Correct the configuration.' }),
  );
}
