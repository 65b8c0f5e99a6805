import type { Writable } from 'node:stream';
import { coloursFor } from './colours.ts';
import { checkAccess } from './doctor/access-check.ts';
import { checkConfiguration } from './doctor/configuration-check.ts';
import { checkConsoles, checkPorts } from './doctor/consoles-check.ts';
import type { Check, Finding, Installed, Patient } from './doctor/finding.ts';
import { checkPolicy } from './doctor/policy-check.ts';
import { checkPort } from './doctor/port-check.ts';
import { checkDisk, checkNode, checkPrograms, checkSerialport } from './doctor/program-checks.ts';
import { checkRuntimeDirectory, checkServers } from './doctor/runtime-checks.ts';
import { selfTest } from './doctor/self-test.ts';
import { checkSerialLinks } from './doctor/serial-links-check.ts';
import { checkTerminals } from './doctor/terminal-check.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

export interface DoctorOptions extends Patient {
  readonly json: boolean;
  readonly stdout: Writable;
  /** Further checks, of what only some have. */
  readonly further?: readonly Check[];
  /** Boots a machine of each kind; QEMU and VICE only where they are installed. */
  readonly boot?: (installed: Installed) => Promise<readonly Finding[]>;
}

/** In order: the self test comes last because the others explain why it may fail. */
const checks: readonly Check[] = [
  checkNode,
  checkConfiguration,
  checkPolicy,
  checkPort,
  checkAccess,
  checkRuntimeDirectory,
  checkServers,
  checkSerialLinks,
  checkDisk,
  checkSerialport,
  checkPorts,
  checkConsoles,
  checkTerminals,
  checkPrograms,
  selfTest,
];

/** Examines the computer and prints a line for each finding. */
export async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const findings: Finding[] = [];
  const tell = async (examine: () => Promise<readonly Finding[]>) => {
    const more = await examine();
    findings.push(...more);
    if (!options.json) options.stdout.write(more.map((finding) => describe(finding, options)).join(''));
  };
  for (const check of [...(options.further ?? []), ...checks]) await tell(() => check(options));
  const { boot } = options;
  const has = (name: string) => findings.some(({ check, status }) => check === name && status === 'ok');
  if (boot) await tell(() => boot({ qemu: has('QEMU'), vice: has('VICE') }));
  const failed = findings.some((finding) => finding.status === 'fail');
  if (options.json) options.stdout.write(`${JSON.stringify({ ok: !failed, findings }, null, 2)}\n`);
  return failed ? exitCodes.failed : exitCodes.ok;
}

function describe({ check, status, detail, fix }: Finding, { stdout, env }: DoctorOptions): string {
  const { green, yellow, red, dim } = coloursFor(stdout, env);
  const mark = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') }[status];
  return `${mark}  ${check}: ${detail}\n${fix === undefined ? '' : `      ${dim('→')} ${fix}\n`}`;
}
