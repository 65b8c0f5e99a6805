import { access, constants, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { listPorts } from '../../links/serial/list-ports.ts';
import { describePort } from '../../machines/console/surroundings.ts';
import type { ConfigSections } from '../config-sections.ts';
import type { KeptConsole } from '../console-rows.ts';
import { UsageError } from '../usage-error.ts';
import { serveSettings } from './configuration-check.ts';
import type { Check, Finding } from './finding.ts';

/** The serial ports there are. */
export const checkPorts: Check = async () => {
  const ports = await listPorts();
  const detail = ports.length === 0 ? 'none' : ports.map(describePort).join('; ');
  return [{ check: 'serial ports', status: 'ok', detail }];
};

/** Consoles that the configuration keeps: whether what they need is there. */
export const checkConsoles: Check = async (patient) => {
  const settings = serveSettings(patient);
  if (settings instanceof UsageError) return [];
  const { readSections } = await import('../config-sections.ts');
  const { sections } = readSections(settings.sections);
  const findings: Finding[] = [];
  for (const [name, kept] of Object.entries(sections.consoles)) {
    findings.push(...(await examine(name, kept, sections, patient.env)));
  }
  return findings;
};

async function examine(
  name: string,
  { options, log }: KeptConsole,
  { consoleCommands }: ConfigSections,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  const check = `console ${name}`;
  const troubles: Finding[] = [];
  const trouble = (status: 'warn' | 'fail', detail: string, fix: string) =>
    troubles.push({ check, status, detail, fix });
  const { device, socket, command, preset } = options;
  const file = device?.includes('://') ? undefined : (device ?? socket);
  if (file !== undefined && !(await isThere(file))) {
    trouble('warn', `${file} is not there`, 'Plug it in or start it; the server waits for it.');
  }
  const program = preset === undefined ? command?.[0] : consoleCommands[preset]?.argv[0];
  if (preset !== undefined && program === undefined) {
    trouble('fail', `no preset ${preset}`, `Allow it: "console-commands": {"${preset}": true}.`);
  } else if (program !== undefined && !(await isProgram(program, env))) {
    trouble('warn', `the program ${program} is not installed`, `Install ${program}.`);
  }
  if (log && !(await canWrite(dirname(log.file)))) {
    trouble('fail', `its log ${log.file} cannot be written`, `Make the directory ${dirname(log.file)}.`);
  }
  if (troubles.length > 0) return troubles;
  const logged = log ? `, logged to ${log.file}` : '';
  return [{ check, status: 'ok', detail: `kept, write policy ${options.write_policy}${logged}` }];
}

async function isProgram(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const folders = program.includes('/') ? [''] : (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const runs = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return true;
  }
  return false;
}

function canWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
