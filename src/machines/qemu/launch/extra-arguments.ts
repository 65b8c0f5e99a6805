import { type Advice, advice, call, type Fix, MachineError } from '../../../machine/errors.ts';
import { knownArguments } from './known-arguments.ts';

/** Arguments that would fight with ours, and what to use in their place. */
const ours: Readonly<Record<string, string | Advice>> = {
  accel: 'the option "accel"',
  append: 'the option "append"',
  bios: 'the option "bios"',
  chardev: 'the options "serial_ports" and "channels"',
  cpu: 'the option "cpu"',
  D: advice`${call('monitor_execute', { language: 'log', command: 'tail' })}, which shows it`,
  daemonize: 'nothing: the machine lives as long as the server',
  display: 'the options "gpu" and "vnc"',
  dtb: 'the option "dtb"',
  'enable-kvm': 'the option "accel"',
  gdb: 'nothing: the debugger is connected',
  h: advice`${call('machine_kinds', { kind: 'qemu' })}`,
  help: advice`${call('machine_kinds', { kind: 'qemu' })}`,
  icount: 'the option "record"',
  incoming: 'the option "from_snapshot"',
  initrd: 'the option "initrd"',
  kernel: 'the option "kernel"',
  loadvm: 'the option "from_snapshot"',
  m: 'the option "memory"',
  M: 'the option "machine"',
  machine: 'the option "machine"',
  mon: advice`${call('monitor_execute')}`,
  monitor: advice`${call('monitor_execute')}`,
  'no-shutdown': 'nothing: a guest that powers off ends the machine, and its consoles stay readable',
  nographic: 'nothing: there is no window, and the serial port is a console',
  nodefaults: 'nothing: it is given',
  pidfile: advice`nothing: ${call('machine_list')} shows the machine`,
  preconfig: 'the option "paused"',
  qmp: advice`${call('monitor_execute')}`,
  'qmp-pretty': advice`${call('monitor_execute')}`,
  s: 'nothing: the debugger is connected',
  S: 'the option "paused"',
  sandbox: 'nothing: it is given',
  serial: 'the option "serial_ports"',
  smp: 'the option "smp"',
  snapshot: 'nothing: files are not changed without "write" in "drives"',
  version: advice`${call('machine_start')}, whose answer names it`,
  vga: 'the option "gpu"',
  vnc: 'the option "vnc"',
};

const drives = 'the option "drives"';
const network = 'the options "network", "forward", "tap" and "nic"';
/** Options of ours that do what these do, for those who may not use them. */
const options: Readonly<Record<string, string>> = {
  ...{ blockdev: drives, cdrom: drives, drive: drives, fda: drives, fdb: drives, hda: drives, hdb: drives },
  ...{ hdc: drives, hdd: drives, mtdblock: drives, pflash: drives, sd: drives },
  ...{ fsdev: 'the option "share"', virtfs: 'the option "share"' },
  ...{ net: network, netdev: network, nic: network },
};

/** Refuses what collides with the arguments that every machine gets, and what an agent may not reach. */
export function checkExtraArguments(extra: readonly string[], allowCommands: boolean): void {
  for (let at = 0; at < extra.length; at++) {
    const flag = extra[at] ?? '';
    const name = /^--?([A-Za-z][\w-]*)$/.exec(flag)?.[1];
    if (name === undefined) {
      // With the permission, anything may be the value of an argument that is not known here.
      if (allowCommands && at > 0) continue;
      throw refusal(
        `"extra" holds ${JSON.stringify(flag.slice(0, 80))}, which is not an argument of QEMU.`,
        'Give each word as an item of its own: ["-device","virtio-rng-pci"].',
      );
    }
    const instead = Object.hasOwn(ours, name) ? ours[name] : undefined;
    if (instead !== undefined)
      throw refusal(
        `-${name} cannot be given as it is set by this server.`,
        typeof instead === 'string' ? `Use ${instead}.` : ['Use ', ...instead, '.'],
      );
    const check = Object.hasOwn(knownArguments, name) ? knownArguments[name] : undefined;
    if (check === undefined) {
      if (!allowCommands) throw unknown(name);
      continue;
    }
    if (check === 'flag') continue;
    const value = extra[++at];
    if (value === undefined) throw refusal(`-${name} has no value.`, 'Give it after the argument.');
    const problem = allowCommands ? undefined : check(value);
    if (problem !== undefined)
      throw denied(`-${name} ${value.slice(0, 80)} may reach`, `It is refused since ${problem}.`);
  }
}

function refusal(message: string, fix: Fix): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}

function unknown(name: string): MachineError {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option !== undefined) return denied(`-${name} can reach`, `Use ${option}.`);
  return denied(`-${name} is not among the arguments that are known to reach no`, `Known: ${known}.`);
}

function denied(what: string, better: string): MachineError {
  return new MachineError(
    'DENIED',
    `${what} files or programs of this computer.`,
    `${better} The user can start the server with --allow-commands.`,
    { operator_option: '--allow-commands' },
  );
}

const known = Object.keys(knownArguments)
  .map((name) => `-${name}`)
  .join(' ');
