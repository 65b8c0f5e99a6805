import { z } from 'zod';
import { dapOption } from '../shared/debug-options.ts';

/** What a command line cannot hold. */
const noNul = /^[^\0]*$/;
const path = z.string().min(1).max(4096).regex(noNul, 'no NUL characters');
const text = z.string().max(65_536).regex(noNul, 'no NUL characters');
const word = z.string().regex(/^[\w.+-]{1,64}$/, 'letters, digits, "_", ".", "+", "-"');

const forwards = z
  .array(z.string().regex(/^(?:(?:tcp|udp):)?\d{1,5}:\d{1,5}$/))
  .max(32)
  .default([]);
const tap = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,14}$/, 'the name of an interface')
  .optional();
const capture = z.enum(['qemu', 'tcpdump']).default('qemu');
const mac = z
  .string()
  .regex(/^[0-9a-f][02468ace](?::[0-9a-f]{2}){5}$/i, 'six bytes, "52:54:00:12:34:56", the first of them even')
  .optional();

const furtherCard = z.strictObject({
  network: z.enum(['user', 'isolated', 'tap']),
  forward: forwards,
  tap,
  nic: word.optional(),
  mac,
  capture,
});

const cloudInit = z.strictObject({
  user_data: text.optional().describe('As cloud-init takes it: "#cloud-config …" or a script'),
  meta_data: text.optional().describe('YAML; instance-id and local-hostname are given by default'),
  network_config: text.optional().describe('YAML, version 1 or 2'),
  hostname: word.optional(),
  user: word.optional().describe('An account with sudo, for "password" and "ssh_keys"; the image\'s own by default'),
  password: z.string().min(1).max(200).optional().describe('For console and ssh'),
  ssh_keys: z.array(z.string().min(1).max(8192)).max(32).default([]).describe('Lines for authorized_keys'),
  run: z.array(text.min(1)).max(64).default([]).describe('Shell commands for the first boot'),
});

export type CloudInit = z.output<typeof cloudInit>;

/** Of QEMU's log, what is written about the guest alone. */
const logItems = [
  'int',
  'cpu_reset',
  'guest_errors',
  'unimp',
  'mmu',
  'pcall',
  'in_asm',
  'exec',
  'cpu',
  'nochain',
] as const;

const usbDevices = ['keyboard', 'mouse', 'tablet', 'wacom-tablet', 'audio', 'hub'] as const;
export type UsbDevice = (typeof usbDevices)[number];

export const qemuOptions = z.strictObject({
  arch: word
    .default('x86_64')
    .describe('Which qemu-system-ARCH: x86_64 (amd64), i386, aarch64 (arm64), arm, riscv64 …'),
  machine: text.min(1).optional().describe('Board: pc, q35, virt …; default: the usual one of the architecture'),
  cpu: text.min(1).optional().describe('Processor model'),
  memory: z.number().int().min(1).max(1_048_576).optional().describe('RAM in MiB; 256 on the usual boards'),
  smp: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('Number of processors, 1 unless the board has more; debugging tools take "cpu":"vcpu1"'),
  accel: z
    .enum(['tcg', 'kvm', 'auto'])
    .default('tcg')
    .describe(
      'tcg is software emulation and works everywhere; kvm is used only once a test guest has booted with it; auto: kvm or tcg',
    ),
  kernel: path
    .optional()
    .describe('Kernel to boot without a boot loader (Linux image, or ELF, whose symbols are loaded)'),
  initrd: z
    .union([path, z.array(path).min(1).max(64)])
    .optional()
    .describe('Its initial RAM disk; for a multiboot kernel its modules, each "FILE ARGUMENTS"'),
  append: text.optional().describe('Its command line'),
  dtb: path.optional().describe('Device tree for it'),
  bios: path.optional().describe('Firmware file; "none" if the board supports it'),
  uefi: z
    .boolean()
    .default(false)
    .describe(
      'Start with UEFI (x86_64, aarch64): the firmware of this computer, with separate variables for each machine',
    ),
  drives: z
    .array(path)
    .max(16)
    .default([])
    .describe(
      'Images, each "PATH[,WORD…]": disk, cdrom (iso) or floppy; raw or qcow2; snapshot (default: changes ' +
        'are discarded at the end), readonly or write (change the file itself); ide, virtio, scsi, usb, nvme, sd or ' +
        'pflash. .iso is a cdrom, 160 to 2880 KiB a floppy. "cdrom" or "floppy" alone: an empty drive',
    ),
  boot: z
    .string()
    .regex(/^[a-dn]{1,4}$/)
    .optional()
    .describe('PC: order of devices, a floppy, c disk, d cdrom, n network'),
  gpu: text
    .min(1)
    .default('auto')
    .describe('Display: auto (VGA on PCs, else none), on, none, std, virtio, cirrus, ramfb or a device name'),
  tablet: z.boolean().optional().describe('Absolute pointing device; on by default with a display'),
  vnc: z.boolean().default(false).describe('VNC for a person: loopback, with a password'),
  keyboard_layout: z
    .enum(['us', 'uk', 'de', 'fr'])
    .default('us')
    .describe('Keyboard layout that the guest uses, for typed text'),
  serial_ports: z
    .number()
    .int()
    .min(0)
    .max(4)
    .default(1)
    .describe('Serial ports, each a console; on "virt" boards all but the first are PCI cards'),
  channels: z.array(word).max(16).default([]).describe('virtserialport channels of these names, each a console'),
  debug_console: z.boolean().default(false).describe('PC: output to port 0xE9 appears on the console NAME.debug'),
  semihosting: z
    .boolean()
    .default(false)
    .describe(
      'arm, aarch64, riscv32, riscv64 with one processor: semihosting output appears on the console NAME.semihosting; ' +
        'access to files and programs of this computer is refused',
    ),
  write_policy: z.enum(['allow', 'confirm', 'deny']).default('allow').describe('What agents may send to consoles'),
  network: z
    .enum(['none', 'user', 'isolated', 'tap'])
    .default('none')
    .describe(
      'user: NAT, DHCP, DNS without root; isolated: the same without outside access; tap: an existing interface',
    ),
  forward: forwards.describe('user: ports of 127.0.0.1 to forward into the guest, "2222:22" or "udp:5353:53"'),
  tap: tap.describe('tap: name of the interface, which must exist'),
  nic: word.optional().describe('Network card; virtio by default'),
  mac: mac.describe("Its address; QEMU's own by default"),
  capture: capture.describe('tap: what captures; tcpdump needs the permission to, and sees what the host sees'),
  further_networks: z
    .array(furtherCard)
    .max(7)
    .default([])
    .describe(
      'More network cards, net1 and on: {"network":"isolated","nic":"e1000"}, with "forward", "tap", "mac", "capture"',
    ),
  share: path.optional().describe('Folder for the guest: mount -t 9p -o trans=virtio share /mnt'),
  share_writable: z.boolean().default(false).describe('The guest may change that folder'),
  share_by: z
    .enum(['9p', 'virtiofs'])
    .default('9p')
    .describe(
      'virtiofs is faster, and needs virtiofsd and PCI: mount -t virtiofs share /mnt; such a machine cannot be saved',
    ),
  usb: z
    .array(
      z.union([
        z.enum(usbDevices),
        z.string().regex(/^\/dev\/bus\/usb\/\d{3}\/\d{3}$/, 'a name above, or /dev/bus/usb/001/002'),
      ]),
    )
    .max(8)
    .default([])
    .describe(
      'USB devices besides drives: keyboard, mouse, tablet, wacom-tablet, audio, hub; or a device of this ' +
        'computer, /dev/bus/usb/BUS/NUMBER, if --allow-devices names it',
    ),
  tpm: z
    .boolean()
    .default(false)
    .describe(
      'A TPM 2.0 (needs swtpm): x86_64, aarch64 and arm; its contents last as long as the machine, and are part of snapshots',
    ),
  cloud_init: cloudInit
    .optional()
    .describe('First boot of a cloud image: a seed that cloud-init finds ("NoCloud"), from these settings'),
  guest_agent: z
    .boolean()
    .default(false)
    .describe(
      'A channel for qemu-ga in the guest, so that guest_ask gets addresses, runs programs, moves files and freezes file systems',
    ),
  record: z
    .boolean()
    .default(false)
    .describe('Record everything, so that the machine can run backwards (riscv64, aarch64, arm; no network)'),
  from_snapshot: path
    .optional()
    .describe(
      'Start from this folder, written by snapshot_save with snapshot_dir or for a fork; the hardware is the one saved ' +
        'there, but a "share" may be another folder',
    ),
  core: path
    .optional()
    .describe(
      'Open this core file (crash_dump, or dump-guest-memory of QEMU) instead of starting anything: you can read everything but run nothing; excludes all other options',
    ),
  snapshot_dir: path
    .optional()
    .describe('Folder in which each snapshot is kept as a subfolder that outlives this machine'),
  work_dir: path.optional().describe('Folder for disk changes and snapshots; may grow large'),
  hotplug_slots: z.number().int().min(0).max(8).default(2).describe('PCI Express boards: slots for drives added later'),
  monitor: z
    .enum(['all', 'query', 'off'])
    .default('all')
    .describe('monitor_execute: everything that stays inside the machine, only queries, or nothing'),
  on_reset: z
    .enum(['run', 'pause'])
    .default('run')
    .describe(
      'pause: stop at the instruction with which the guest resets itself or faults for the third time (crash_explain)',
    ),
  log: z
    .array(z.enum(logItems))
    .max(logItems.length)
    .default([])
    .describe(
      'What QEMU logs to the console NAME.log; "int" (exceptions, for crash_explain) slows a busy guest down; on_reset pause has int, cpu_reset, guest_errors',
    ),
  trace: z
    .array(z.string().regex(/^[a-z][a-z0-9_]{0,99}$/))
    .max(16)
    .default([])
    .describe(
      'QEMU tracepoints, such as "virtio_set_status": their lines appear on the console NAME.log and can be marks of boot_read',
    ),
  count: z
    .boolean()
    .default(false)
    .describe(
      'Count how often each piece of code runs (coverage_read) and the instructions of each phase of a boot (boot_read), with a ' +
        'plugin; needs a QEMU that supports plugins and a C compiler',
    ),
  paused: z.boolean().default(false).describe('Do not run after the start'),
  powerdown_ms: z
    .number()
    .int()
    .min(0)
    .max(120_000)
    .optional()
    .describe('At the end: how long the guest may take to shut down; 5000 with writable drives, else 0'),
  extra: z
    .array(text)
    .max(64)
    .default([])
    .describe('More arguments for QEMU; files and programs need --allow-commands'),
  dap: dapOption,
});

export type QemuOptions = z.output<typeof qemuOptions>;
