import { policyOf } from '../policy.ts';
import { UsageError } from '../usage-error.ts';
import { serveSettings } from './configuration-check.ts';
import type { Check } from './finding.ts';

/** What agents may do here, as `serve` would have it. */
export const checkPolicy: Check = async (patient) => {
  const settings = serveSettings(patient);
  // The check of the configuration has said what is wrong.
  if (settings instanceof UsageError) return [];
  const { readSections } = await import('../config-sections.ts');
  return policyOf(settings.options, readSections(settings.sections).sections).rules.map(
    ({ topic, allows, option }) => ({
      check: 'policy',
      status: 'ok',
      detail: `${topic}: ${allows} (${option})`,
    }),
  );
};
