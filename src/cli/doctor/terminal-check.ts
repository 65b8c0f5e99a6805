import { findTerminals } from '../../console/terminals/find-terminal.ts';
import { MachineError } from '../../machine/errors.ts';
import { UsageError } from '../usage-error.ts';
import { serveSettings } from './configuration-check.ts';
import type { Check } from './finding.ts';

/** Which terminal programs a window for a person could be opened in. */
export const checkTerminals: Check = async (patient) => {
  const check = 'terminals';
  const settings = serveSettings(patient);
  if (settings instanceof UsageError) return [];
  const { terminal } = settings.options;
  try {
    const { found, unusable } = await findTerminals(terminal, { env: patient.env, platform: process.platform });
    if (found.length > 0) return [{ check, status: 'ok', detail: found.map((one) => one.terminal.name).join(', ') }];
    const detail = `no window can be opened for a person${terminal === 'auto' ? '' : `: ${unusable.join('; ')}`}`;
    const fix = 'Start tmux or a desktop, or run frontpanel attach NAME in any terminal of this computer.';
    return [{ check, status: 'warn', detail, fix }];
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    return [{ check, status: 'fail', detail: error.message, fix: error.fix }];
  }
};
