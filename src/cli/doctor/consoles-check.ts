import { access, constants, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { AllowedFiles } from '../../host/files/allowed-files.ts';
import { listPorts } from '../../links/serial/list-ports.ts';
import { MachineError } from '../../machine/errors.ts';
import type { HostFiles } from '../../machine/files.ts';
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
  const { allowRead: read, allowPath: write } = settings.options;
  const files = new AllowedFiles({ read, write });
  const findings: Finding[] = [];
  for (const [name, kept] of Object.entries(sections.consoles)) {
    findings.push(...(await examine(name, kept, sections, patient.env, files)));
  }
  return findings;
};

async function examine(
  name: string,
  { options, log }: KeptConsole,
  { consoleCommands }: ConfigSections,
  env: NodeJS.ProcessEnv,
  files: Pick<HostFiles, 'resolve'>,
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
  if (log) {
    const fault = await faultOf(log.file);
    if (fault) trouble('fail', `its log ${log.file} cannot be written: ${fault.detail}`, fault.fix);
  }
  if (options.record !== undefined) {
    const fault = (await refusalOf(options.record, files)) ?? (await folderFault(options.record));
    if (fault) trouble('fail', `its recording ${options.record} cannot be written: ${fault.detail}`, fault.fix);
  }
  if (troubles.length > 0) return troubles;
  const logged = log ? `, logged to ${log.file}` : '';
  const recorded = options.record === undefined ? '' : `, recorded to ${options.record}`;
  return [{ check, status: 'ok', detail: `kept, write policy ${options.write_policy}${logged}${recorded}` }];
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

interface Fault {
  readonly detail: string;
  readonly fix: string;
}

/** Why nothing can be appended to a file, which may not be there yet. */
async function faultOf(path: string): Promise<Fault | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return folderFault(path);
  if (!found.isFile()) return { detail: 'that is not a file', fix: 'Name a file.' };
  if (!(await may(path, constants.W_OK)))
    return { detail: 'you may not write to it', fix: `Change the mode of ${path}.` };
  return folderFault(path);
}

async function folderFault(path: string): Promise<Fault | undefined> {
  const folder = dirname(path);
  if (!(await isThere(folder))) return { detail: `${folder} does not exist`, fix: `Make the directory ${folder}.` };
  if (await may(folder, constants.W_OK | constants.X_OK)) return undefined;
  return { detail: `you may not write to ${folder}`, fix: `Change the mode of ${folder}, or name another folder.` };
}

/** Recordings lie where agents may write, as all that agents can begin do. */
async function refusalOf(path: string, files: Pick<HostFiles, 'resolve'>): Promise<Fault | undefined> {
  try {
    await files.resolve(path, 'write');
    return undefined;
  } catch (error) {
    if (!(error instanceof MachineError) || error.type !== 'PATH_NOT_ALLOWED') return undefined;
    return { detail: error.message, fix: error.fix };
  }
}

function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
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
