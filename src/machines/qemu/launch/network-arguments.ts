import { MachineError } from '../../../machine/errors.ts';
import type { QemuOptions } from '../qemu-options.ts';
import { type Board, virtioDevice } from './board.ts';
import { escaped } from './drive-arguments.ts';

/** A network card and what it is plugged into. */
export interface NetworkCard extends Pick<QemuOptions, 'forward' | 'tap' | 'nic' | 'mac' | 'capture'> {
  readonly network: 'user' | 'isolated' | 'tap';
  /** `net0` is the first. */
  readonly netdev: string;
}

type NetworkOptions = Pick<QemuOptions, 'network' | 'forward' | 'tap' | 'nic' | 'mac' | 'capture' | 'further_networks'>;

export function networkCardsOf(options: NetworkOptions): NetworkCard[] {
  const { network, forward, tap, nic, mac, capture, further_networks: further } = options;
  const first = network === 'none' ? [] : [{ network, forward, tap, nic, mac, capture }];
  return [...first, ...further].map((card, at) => ({ ...card, netdev: `net${at}` }));
}

export function networkArguments(options: NetworkOptions, board: Board): string[] {
  const cards = networkCardsOf(options);
  return cards.length === 0 ? ['-nic', 'none'] : cards.flatMap((card, at) => cardArguments(card, at, board));
}

function cardArguments(options: NetworkCard, at: number, board: Board): string[] {
  const { netdev, network, nic, mac } = options;
  const backend = network === 'tap' ? tapBackend(options) : userBackend(options);
  const card = nic ?? virtioDevice(board, 'net');
  const address = mac === undefined ? '' : `,mac=${mac}`;
  // Boards without a bus have their card on the board, which takes the first network there is.
  if (card === undefined) return ['-nic', `${backend}${address}`];
  return ['-netdev', backend, '-device', `${card},netdev=${netdev},id=nic${at}${address}`];
}

function userBackend({ netdev, network, forward }: NetworkCard): string {
  return [`user,id=${netdev}`, ...(network === 'isolated' ? ['restrict=on'] : []), ...forward.map(forwardRule)].join(
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
function tapBackend({ netdev, tap }: NetworkCard): string {
  if (tap === undefined) {
    throw refusal(
      '"network":"tap" needs the name of the interface in "tap".',
      'Make one: ip tuntap add dev tap0 mode tap.',
    );
  }
  return `tap,id=${netdev},ifname=${escaped(tap)},script=no,downscript=no,vnet_hdr=off`;
}

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
