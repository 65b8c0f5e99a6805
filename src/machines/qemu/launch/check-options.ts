import { readFileSync } from 'node:fs';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuOptions } from '../qemu-options.ts';
import { checkSemihosting } from '../semihosting/semihosting-arguments.ts';
import type { Board } from './board.ts';
import { networkCards, plainName } from './known-devices.ts';
import { isPlainProcessor, machineProblem } from './known-machine.ts';
import { type NetworkCard, networkCardsOf } from './network-arguments.ts';
import { tpmDevice } from './tpm.ts';
import { checkVirtiofs } from './virtiofs.ts';

/** Refuses options that contradict each other, or that would be taken and then do nothing. */
export function checkOptions(options: QemuOptions, board: Board, allowCommands: boolean): void {
  checkMachine(options, allowCommands);
  for (const card of networkCardsOf(options)) checkCard(card, allowCommands);
  checkKernel(options, board);
  checkConsoles(options);
  checkSemihosting(options);
  checkFirmware(options, board);
  checkNetwork(options);
  checkDisplay(options, board);
  checkUsb(options, board);
  checkTpm(options);
  checkCloudInit(options, board);
  if (options.guest_agent && board.bus === 'none')
    throw refusal('This board has no bus for the channel of a guest agent.', 'Leave "guest_agent" out.');
  if (options.share_writable && options.share === undefined)
    throw refusal('"share_writable" goes with "share".', 'Name the folder in "share".');
  checkVirtiofs(options, board, allowCommands);
  // On the way back code runs again, which nobody means by how often it ran.
  if (options.count && options.record) throw refusal('A recording is not counted.', 'Leave "count" or "record" out.');
}

function checkMachine({ machine, cpu }: QemuOptions, allowCommands: boolean): void {
  if (cpu !== undefined && !isPlainProcessor(cpu))
    throw refusal(`"cpu" ${cpu.slice(0, 80)} is not a processor.`, 'Write MODEL,+FEATURE,-FEATURE,NAME=VALUE.');
  const problem = machine === undefined ? undefined : machineProblem(machine);
  if (problem?.option !== undefined) throw refusal(`"machine" ${problem.why}.`, `Use the option "${problem.option}".`);
  if (allowCommands || problem === undefined) return;
  throw new MachineError(
    'DENIED',
    `"machine" ${machine?.slice(0, 80)} is not taken: ${problem.why}.`,
    'Leave that out, or ask the user to start the server with --allow-commands.',
    { operator_option: '--allow-commands' },
  );
}

/** What is plugged in by its name alone. */
function checkCard({ nic }: NetworkCard, allowCommands: boolean): void {
  if (nic === undefined || allowCommands || networkCards.has(plainName(nic))) return;
  throw new MachineError(
    'DENIED',
    `"nic" ${nic} is not a network card that is known to stay inside the guest.`,
    `Use virtio-net-pci, ${[...networkCards].filter((name) => !name.startsWith('virtio')).join(', ')}; or ask the user to start the server with --allow-commands.`,
    { operator_option: '--allow-commands' },
  );
}

function checkKernel({ kernel, initrd, append, dtb }: QemuOptions, board: Board): void {
  const given = Object.entries({ initrd, append }).find(([, value]) => value !== undefined);
  if (given && kernel === undefined) throw refusal(`"${given[0]}" goes with "kernel".`, 'Give "kernel" too.');
  if (dtb !== undefined && board.isPc) throw refusal('A PC takes no device tree.', 'Leave "dtb" out.');
}

function checkFirmware({ uefi, bios, debug_console: debug }: QemuOptions, board: Board): void {
  if (uefi && bios !== undefined) throw refusal('"uefi" and "bios" both name a firmware.', 'Leave one out.');
  if (debug && !board.isPc) throw refusal('Port 0xE9 is a port of PCs.', 'Leave "debug_console" out.');
}

function checkConsoles({ channels, serial_ports: ports }: QemuOptions): void {
  const serial = ['log', 'debug', 'semihosting', ...Array.from({ length: ports }, (_, port) => `serial${port}`)];
  const taken = channels.find((name, at) => channels.indexOf(name) !== at || serial.includes(name));
  if (taken !== undefined) throw refusal(`Two consoles would be named ${taken}.`, 'Choose another name in "channels".');
}

function checkNetwork(options: QemuOptions): void {
  const { network, nic, mac, tap, forward, capture, further_networks: further } = options;
  if (network === 'none' && (nic !== undefined || mac !== undefined))
    throw refusal('"nic" is a card for a network, and there is none.', 'Add "network":"user".');
  // Without a network these would be taken and do nothing.
  for (const card of network === 'none' ? [{ network, tap, forward, capture }, ...further] : networkCardsOf(options))
    checkBackend(card);
  const rules = networkCardsOf(options).flatMap((card) => card.forward);
  const twice = rules.find((rule, at) => rules.findIndex((other) => hostSide(other) === hostSide(rule)) !== at);
  if (twice !== undefined)
    throw refusal(`"forward" ${twice}: another rule has that port.`, 'Give each rule a port of its own.');
}

function checkBackend({
  network,
  forward,
  tap,
  capture,
}: Pick<QemuOptions, 'network' | 'forward' | 'tap' | 'capture'>): void {
  if (network !== 'tap' && tap !== undefined)
    throw refusal('"tap" goes with "network":"tap".', 'Add it, or leave tap out.');
  if (network !== 'user' && forward.length > 0)
    throw refusal('"forward" goes with "network":"user".', 'Add "network":"user".');
  if (network !== 'tap' && capture === 'tcpdump')
    throw refusal('tcpdump captures on an interface of the host: "network":"tap".', 'Leave "capture" out.');
  // QEMU would make one on its own if it may, with nothing at its other end.
  if (network === 'tap' && tap !== undefined && !mayExist(tap))
    throw refusal(
      `There is no interface ${tap}.`,
      `Make it first: ip tuntap add dev ${tap} mode tap user NAME; ip link set ${tap} up. Or use "network":"user".`,
    );
}

/** What the kernel says of this process's own network; elsewhere QEMU says it. */
function mayExist(name: string): boolean {
  try {
    return readFileSync('/proc/net/dev', 'utf8')
      .split('\n')
      .some((line) => line.trim().startsWith(`${name}:`));
  } catch {
    return true;
  }
}

function hostSide(rule: string): string {
  const [hostPort] = rule.split(':').slice(-2);
  return `${rule.startsWith('udp:') ? 'udp' : 'tcp'} ${Number(hostPort)}`;
}

function checkUsb({ usb }: QemuOptions, { bus }: Board): void {
  if (usb.length > 0 && bus !== 'pci' && bus !== 'pcie')
    throw refusal('This board has no USB ports.', 'Leave "usb" out, or use another "machine".');
}

function checkTpm({ tpm, arch, machine }: QemuOptions): void {
  if (tpm && tpmDevice(arch, machine) === undefined)
    throw refusal('"tpm" is known for PCs and for the board "virt" of aarch64 and arm.', 'Leave "tpm" out.');
}

function checkCloudInit({ cloud_init: seed }: QemuOptions, { bus }: Board): void {
  if (seed === undefined) return;
  if (bus === 'none') throw refusal('This board has no bus for the seed of cloud-init.', 'Leave "cloud_init" out.');
  const { user_data: own, user, password, ssh_keys: keys, run } = seed;
  const written = user !== undefined || password !== undefined || keys.length > 0 || run.length > 0;
  if (own !== undefined && written)
    throw refusal(
      '"user_data" is the whole of what "user", "password", "ssh_keys" and "run" would be written into.',
      'Give one or the other.',
    );
}

function checkDisplay({ gpu, vnc, tablet, extra }: QemuOptions, board: Board): void {
  if (tablet && board.bus === 'none') throw refusal('This board has no bus for a tablet.', 'Leave "tablet" out.');
  // Of boards that are not known here nobody can say what is built in.
  const without = gpu === 'none' || (gpu === 'auto' && !board.isPc);
  if (vnc && without && board.display !== undefined && !extra.includes('-device'))
    throw refusal('There is nothing to see with "vnc": this machine has no display.', 'Add "gpu":"on".');
}

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
