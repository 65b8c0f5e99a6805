import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessOptions, TiedProcess } from '../../../links/tied-process.ts';
import { MachineError } from '../../../machine/errors.ts';
import { escaped } from './drive-arguments.ts';
import type { RuntimePaths } from './runtime-paths.ts';
import { untilListening } from './until-listening.ts';

/** What swtpm says when it could not write its state: from then on it fails everything. */
export const cannotKeep = /StoreData|failure mode/;

/** How a board takes a TPM; undefined where none is known. */
export function tpmDevice(arch: string, machine: string | undefined): string | undefined {
  if (arch === 'x86_64' || arch === 'i386') return machine?.startsWith('microvm') ? undefined : 'tpm-tis';
  const isVirt = machine === undefined || /^virt(?:[-,]|$)/.test(machine);
  return isVirt && (arch === 'aarch64' || arch === 'arm') ? 'tpm-tis-device' : undefined;
}

export function tpmArguments(
  { tpm, arch, machine }: { readonly tpm: boolean; readonly arch: string; readonly machine?: string | undefined },
  paths: Pick<RuntimePaths, 'tpm'>,
): string[] {
  const device = tpm ? tpmDevice(arch, machine) : undefined;
  if (device === undefined) return [];
  return [
    ...['-chardev', `socket,id=tpmchar,path=${escaped(paths.tpm)}`],
    ...['-tpmdev', 'emulator,id=tpm0,chardev=tpmchar'],
    ...['-device', `${device},tpmdev=tpm0`],
  ];
}

/** The program that is the chip. What it keeps lies among the machine's files, and is there again after a power cycle. */
export async function startTpm(
  { tpm: socket, workDir }: Pick<RuntimePaths, 'tpm' | 'workDir'>,
  how: Pick<ProcessOptions, 'env' | 'guard'>,
  signal: AbortSignal,
): Promise<TiedProcess> {
  const state = stateFolder(workDir);
  await mkdir(state, { recursive: true, mode: 0o700 });
  // That of the time before a power cycle would be taken for the new one.
  await rm(socket, { force: true });
  const args = ['socket', '--tpm2', '--tpmstate', `dir=${state},mode=0600`, '--ctrl', `type=unixio,path=${socket}`];
  const program = await TiedProcess.start({ program: 'swtpm', args: [...args, '--terminate'], ...how }).catch(
    (error: unknown) => {
      throw missing(error);
    },
  );
  const why = await untilListening(program, socket, signal);
  if (why === undefined) return program;
  if (/No such file|not found/i.test(why) && program.end?.code === 127) throw missing();
  throw new MachineError('UNAVAILABLE', `The TPM (swtpm) did not start: ${why}.`, 'Leave "tpm" out, or fix that.');
}

/** Where it has no room to keep anything, the chip goes on and fails whatever the guest asks of it. */
export async function requireTpmState({ workDir }: Pick<RuntimePaths, 'workDir'>): Promise<void> {
  const kept = await stat(join(stateFolder(workDir), 'tpm2-00.permall')).catch(() => undefined);
  if (kept !== undefined && kept.size > 0) return;
  throw new MachineError(
    'UNAVAILABLE',
    `The TPM (swtpm) could not write its state to ${workDir}: is the disk full?`,
    'Make room there, or name another folder in "work_dir".',
  );
}

function stateFolder(workDir: string): string {
  return join(workDir, 'tpm');
}

function missing(cause?: unknown): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    'A TPM needs swtpm.',
    'Install it (Debian: swtpm), or leave "tpm" out.',
    {},
    { cause },
  );
}
