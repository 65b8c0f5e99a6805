import { MachineError } from '../../../machine/errors.ts';
import type { QemuOptions } from '../qemu-options.ts';
import { type Board, virtioDevice } from './board.ts';
import { escaped } from './drive-arguments.ts';

export const netdevId = 'net0';

type NetworkOptions = Pick<QemuOptions, 'network' | 'forward' | 'tap' | 'nic'>;

/** One network card and what it is plugged into. */
export function networkArguments(options: NetworkOptions, board: Board): string[] {
  const { network, forward, tap, nic } = options;
  if (network === 'none') return ['-nic', 'none'];
  const backend = network === 'tap' ? tapBackend(tap) : userBackend(network, forward);
  const card = nic ?? virtioDevice(board, 'net');
  // Boards without a bus have their card on the board, which takes the first network there is.
  if (card === undefined) return ['-nic', backend];
  return ['-netdev', backend, '-device', `${card},netdev=${netdevId},id=nic0`];
}

function userBackend(network: 'user' | 'isolated', forward: readonly string[]): string {
  return [`user,id=${netdevId}`, ...(network === 'isolated' ? ['restrict=on'] : []), ...forward.map(forwardRule)].join(
    ',',
  );
}

/** Only from this computer: what the guest offers is nobody else's business. */
function forwardRule(text: string): string {
  const [guestPort = 0, hostPort = 0] = text.split(':').slice(-2).reverse().map(Number);
  const protocol = text.startsWith('udp:') ? 'udp' : 'tcp';
  for (const port of [guestPort, hostPort]) {
    if (port < 1 || port > 65_535) throw refusal(`"forward" ${text}: ports are 1 to 65535.`, 'Write "2222:22".');
  }
  return `hostfwd=${protocol}:127.0.0.1:${hostPort}-:${guestPort}`;
}

/** Without the extra header, which filter-dump of QEMU 7.2 writes into its file and no reader understands. */
function tapBackend(tap: string | undefined): string {
  if (tap === undefined) {
    throw refusal(
      '"network":"tap" needs the name of the interface in "tap".',
      'Make one: ip tuntap add dev tap0 mode tap.',
    );
  }
  return `tap,id=${netdevId},ifname=${escaped(tap)},script=no,downscript=no,vnet_hdr=off`;
}

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
