import { MachineError } from '../../../machine/errors.ts';

/** Arguments that would fight with ours, and what to use in their place. */
const ours: Readonly<Record<string, string>> = {
  accel: 'the option "accel"',
  append: 'the option "append"',
  bios: 'the option "bios"',
  chardev: 'the options "serial_ports" and "channels"',
  cpu: 'the option "cpu"',
  daemonize: 'nothing: the machine lives as long as the server',
  display: 'the options "gpu" and "vnc"',
  dtb: 'the option "dtb"',
  'enable-kvm': 'the option "accel"',
  gdb: 'nothing: the debugger is connected',
  icount: 'the option "record"',
  incoming: 'the option "from_snapshot"',
  initrd: 'the option "initrd"',
  kernel: 'the option "kernel"',
  loadvm: 'the option "from_snapshot"',
  m: 'the option "memory"',
  M: 'the option "machine"',
  machine: 'the option "machine"',
  mon: 'monitor_execute',
  monitor: 'monitor_execute',
  nographic: 'nothing: there is no window, and the serial port is a console',
  nodefaults: 'nothing: it is given',
  pidfile: 'nothing: machine_list shows the machine',
  qmp: 'monitor_execute',
  'qmp-pretty': 'monitor_execute',
  s: 'nothing: the debugger is connected',
  S: 'the option "paused"',
  sandbox: 'nothing: it is given',
  serial: 'the option "serial_ports"',
  smp: 'the option "smp"',
  snapshot: 'nothing: files are not changed without "write" in "drives"',
  vga: 'the option "gpu"',
  vnc: 'the option "vnc"',
};

/** What cannot reach beyond the guest, and whether a value follows. */
const harmless: Readonly<Record<string, boolean>> = {
  boot: true,
  device: true,
  global: true,
  msg: true,
  name: true,
  'no-acpi': false,
  'no-fd-bootchk': false,
  'no-hpet': false,
  'no-reboot': false,
  'no-user-config': false,
  rtc: true,
  smbios: true,
  uuid: true,
  'watchdog-action': true,
};

/** Words in a value that name files, devices or sockets of this computer. */
const reachesOut =
  /\/|(?:^|,)(?:file|romfile|path|script|downscript|host\w*)=|(?:^|,)(?:vfio|vhost|usb-host|ivshmem|pci-assign|scsi-(?:block|generic)|tpm|loader|guest-loader)/;

/** Refuses what collides with the arguments that every machine gets, and what an agent may not reach. */
export function checkExtraArguments(extra: readonly string[], allowCommands: boolean): void {
  for (let at = 0; at < extra.length; at++) {
    const flag = extra[at] ?? '';
    const name = /^--?([A-Za-z][\w-]*)$/.exec(flag)?.[1];
    if (name === undefined) {
      // With the permission, anything may be the value of an argument that is not known here.
      if (allowCommands && at > 0) continue;
      throw refusal(
        `"extra" holds ${JSON.stringify(flag.slice(0, 80))}, which is no argument of QEMU.`,
        'Write each word by itself: ["-device","virtio-rng-pci"].',
      );
    }
    const instead = ours[name];
    if (instead !== undefined)
      throw refusal(`-${name} cannot be given as it is set by this server.`, `Use ${instead}.`);
    const takesValue = harmless[name];
    if (takesValue === undefined) {
      if (!allowCommands) throw denied(`-${name}`);
      continue;
    }
    if (!takesValue) continue;
    const value = extra[++at];
    if (value === undefined) throw refusal(`-${name} has no value.`, 'Give it behind the argument.');
    if (reachesOut.test(value) && !allowCommands) throw denied(`-${name} ${value.slice(0, 80)}`);
  }
}

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}

function denied(what: string): MachineError {
  return new MachineError(
    'DENIED',
    `${what} can reach files or programs of this computer.`,
    'The user can start the server with --allow-commands; kernel, drives, share and network have options of their own.',
  );
}
