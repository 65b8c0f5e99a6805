import { leftOutTexts } from '../found-config.ts';
import { type CommandLine, parseCommandLine } from '../parse.ts';
import { UsageError } from '../usage-error.ts';
import type { Check, Finding, Patient } from './finding.ts';

/** What `serve` would make of the environment and the configuration file, or what is wrong with them. */
export function serveSettings(patient: Patient): CommandLine | UsageError {
  return settingsOf(['serve'], patient);
}

function settingsOf(argv: readonly string[], { config, env, readConfigFile }: Patient): CommandLine | UsageError {
  try {
    return parseCommandLine(config === undefined ? argv : [...argv, '--config', config], env, readConfigFile);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

export const checkConfiguration: Check = async (patient) => {
  const check = 'configuration';
  const settings = serveSettings(patient);
  if (settings instanceof UsageError) {
    const fix = 'Correct it; frontpanel serve --help explains the options.';
    return settings.problems.map((detail): Finding => ({ check, status: 'fail', detail, fix }));
  }
  const { readSections } = await import('../config-sections.ts');
  const { problems } = readSections(settings.sections);
  if (problems.length > 0) {
    const fix = 'Correct it; docs/consoles.md explains these parts of the file.';
    return problems.map((detail): Finding => ({ check, status: 'fail', detail, fix }));
  }
  const names = Object.values(settings.sources).filter(({ place }) => place !== 'default');
  const detail = names.length === 0 ? 'nothing is set' : `set by ${names.map(({ name }) => name).join(', ')}`;
  const fix = 'Correct or remove the variable.';
  return [
    { check, status: 'ok', detail },
    ...settings.warnings.map((warning): Finding => ({ check, status: 'warn', detail: warning, fix })),
    ...leftOutOverStdio(patient).map((detail): Finding => ({ check, status: 'warn', detail })),
  ];
};

/** What holds for `serve`, which a person starts, and not where an agent or an IDE starts the program. */
function leftOutOverStdio(patient: Patient): string[] {
  const settings = settingsOf([], patient);
  if (settings instanceof UsageError || settings.sections === undefined) return [];
  return leftOutTexts(settings.sections).map((text) => `over stdio and for dap, call and tools, ${text}`);
}
