import { access, constants, mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type ProcessOptions, TiedProcess } from '../../../links/tied-process.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuOptions } from '../qemu-options.ts';
import type { Board } from './board.ts';
import { escaped } from './drive-arguments.ts';
import type { RuntimePaths } from './runtime-paths.ts';
import { untilListening } from './until-listening.ts';

/** Where distributions put it: no user calls it by hand, so that most keep it out of the search path. */
const folders = ['/usr/libexec', '/usr/lib/qemu', '/usr/lib', '/usr/libexec/qemu', '/usr/lib/kvm'];

/**
 * It gets a user of its own, who has no rights here, and sees nothing but the folder, which is bound to a place of ours:
 * what is read-only stays so whatever it does. The folder is where it begins, so that no name can lead elsewhere by then.
 */
const alone = ['--user', '--map-root-user', '--mount', '--net', '--ipc', '--', 'sh', '-ec'];
const script = [
  'mount -n -c --bind . "$1"',
  'mount -n -o "remount,bind,$2,nosuid,nodev,noexec" "$1"',
  'cd /',
  'exec "$3" --socket-path="$4" -o "source=$1" -o sandbox=chroot',
].join('\n');

export function virtiofsArguments(
  options: Pick<QemuOptions, 'share' | 'share_by' | 'memory'>,
  board: Pick<Board, 'memoryMib'>,
  paths: Pick<RuntimePaths, 'virtiofs'>,
): string[] {
  const memory = options.memory ?? board.memoryMib;
  return [
    // The program reads and writes the guest's memory on its own.
    ...['-object', `memory-backend-memfd,id=ram,size=${memory}M,share=on`],
    ...['-chardev', `socket,id=sharefs,path=${escaped(paths.virtiofs)}`],
    ...['-device', 'vhost-user-fs-pci,chardev=sharefs,tag=share'],
  ];
}

/** What a board has to be told to use that memory. */
export function withSharedMemory(machine: string | undefined, { share_by: by }: Pick<QemuOptions, 'share_by'>) {
  return by === 'virtiofs' && machine !== undefined ? `${machine},memory-backend=ram` : machine;
}

export function checkVirtiofs(options: QemuOptions, board: Board, allowCommands: boolean): void {
  const { share, share_by: by, share_writable: writable, record } = options;
  if (by !== 'virtiofs') return;
  if (share === undefined) throw refusal('"share_by" goes with "share".', 'Name the folder in "share".');
  if (process.platform !== 'linux') throw refusal('virtiofs needs Linux on this side.', 'Leave "share_by" out: 9p.');
  const isKnown = board.machine !== undefined && (board.bus === 'pci' || board.bus === 'pcie');
  if (!isKnown || record)
    throw refusal(
      record
        ? 'A recording has no place for virtiofs.'
        : 'virtiofs is known for boards with PCI: pc, q35, virt, pseries.',
      'Leave "share_by" out: 9p.',
    );
  // Nothing keeps a guest from setting the bits with which a program gets the rights of its owner.
  if (writable && process.getuid?.() === 0 && !allowCommands)
    throw new MachineError(
      'DENIED',
      'With virtiofs the guest could leave programs in the folder that run as root on this computer, because this server runs as root.',
      'Use 9p (leave "share_by" out) or "share_writable":false; or ask the user to start the server as another user or with --allow-commands.',
      { operator_option: '--allow-commands' },
    );
}

/** The program that serves the folder to the guest. */
export async function startVirtiofs(
  { share, writable }: { readonly share: string; readonly writable: boolean },
  { virtiofs: socket, folder }: Pick<RuntimePaths, 'virtiofs' | 'folder'>,
  how: Pick<ProcessOptions, 'env' | 'guard'>,
  signal: AbortSignal,
): Promise<TiedProcess> {
  const daemon = await findDaemon([...folders, ...(how.env.PATH ?? '').split(delimiter)]);
  const place = join(folder, 'shared');
  await mkdir(place, { recursive: true, mode: 0o700 });
  await rm(socket, { force: true });
  const args = [...alone, script, 'sh', place, writable ? 'rw' : 'ro', daemon, socket];
  const program = await TiedProcess.start({ program: 'unshare', args, cwd: share, ...how }).catch((cause: unknown) => {
    throw unavailable('unshare (util-linux) could not be started', { cause });
  });
  const why = await untilListening(program, socket, signal);
  if (why !== undefined) throw unavailable(`virtiofsd did not start: ${why}`);
  return program;
}

/** In the first of these folders that has it. */
export async function findDaemon(searched: readonly string[]): Promise<string> {
  for (const folder of searched) {
    const path = join(folder, 'virtiofsd');
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return path;
  }
  throw unavailable('there is no virtiofsd', { install: true });
}

function unavailable(why: string, { install = false, cause }: { install?: boolean; cause?: unknown } = {}) {
  const first = install ? 'Install it (Debian: virtiofsd, in Debian 12 a part of qemu-system-common), or ' : '';
  const fix = `${first}leave "share_by" out: 9p needs nothing else.`;
  const text = `virtiofs cannot be used: ${why}.`;
  return new MachineError('UNAVAILABLE', text, fix[0]?.toUpperCase() + fix.slice(1), {}, { cause });
}

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
