import { ownValue } from '../../../formats/own-value.ts';

/** How a board takes devices that come from the command line. */
export interface Board {
  readonly machine: string | undefined;
  readonly cpu: string | undefined;
  /** `pci` takes devices while it runs, `pcie` only in slots made for it, `none` takes none of ours. */
  readonly bus: 'pci' | 'pcie' | 'mmio' | 'ccw' | 'none';
  readonly isPc: boolean;
  /** RAM unless told; undefined leaves it to the board. */
  readonly memoryMib: number | undefined;
  /** Where a disk goes unless told; `board` leaves it to QEMU. */
  readonly disk: 'ide' | 'virtio' | 'board';
  /** Device that shows a picture, for `gpu: "on"`. */
  readonly display: readonly string[] | undefined;
  /** How many serial ports it has, where more can be plugged in. */
  readonly serialPorts?: number;
  /** The console of boards on which `-serial` alone gives none. */
  readonly serialDevice?: string;
}

interface Row extends Partial<Board> {
  readonly arch: RegExp;
  readonly machine?: never;
  readonly machines: RegExp;
}

const virtio = { disk: 'virtio', isPc: false } as const;
const stdVga = ['-vga', 'std'];
const virtioGpu = ['-device', 'virtio-gpu-pci'];

const rows: readonly Row[] = [
  { arch: /^(x86_64|i386)$/, machines: /^(pc|pc-i440fx-.*)$/, bus: 'pci', isPc: true, disk: 'ide', display: stdVga },
  { arch: /^(x86_64|i386)$/, machines: /^(q35|pc-q35-.*)$/, bus: 'pcie', isPc: true, disk: 'ide', display: stdVga },
  { arch: /^(x86_64|i386)$/, machines: /^isapc$/, bus: 'none', isPc: true, disk: 'ide', display: stdVga },
  { arch: /^(x86_64|i386)$/, machines: /^microvm$/, bus: 'mmio', ...virtio },
  {
    arch: /^(aarch64|arm|riscv(32|64)|loongarch64)$/,
    machines: /^(virt|virt-.*|sbsa-ref)$/,
    bus: 'pcie',
    ...virtio,
    display: virtioGpu,
    serialPorts: 1,
  },
  { arch: /^ppc64$/, machines: /^pseries(-.*)?$/, bus: 'pci', ...virtio, display: ['-device', 'VGA'] },
  {
    arch: /^s390x$/,
    machines: /^s390-ccw-virtio(-.*)?$/,
    bus: 'ccw',
    ...virtio,
    display: ['-device', 'virtio-gpu-ccw'],
    serialDevice: 'sclpconsole',
  },
  { arch: /^m68k$/, machines: /^virt(-.*)?$/, bus: 'mmio', ...virtio },
  {
    arch: /./,
    machines: /^(malta|g3beige|mac99|clipper|sun4u|sun4v|hppa|B160L|fuloong2e|loongson3-virt|sam460ex|pegasos2)$/,
    bus: 'pci',
    disk: 'board',
    isPc: false,
    display: ['-device', 'VGA'],
  },
];

const usualMachines: Readonly<Record<string, string>> = {
  x86_64: 'pc',
  i386: 'pc',
  aarch64: 'virt',
  arm: 'virt',
  riscv32: 'virt',
  riscv64: 'virt',
  loongarch64: 'virt',
  ppc64: 'pseries',
  s390x: 's390-ccw-virtio',
};

/** The default of `virt` is a processor of 32 bits even in the 64-bit emulator. */
const usualCpus: Readonly<Record<string, string>> = { aarch64: 'cortex-a57' };

export function boardOf(arch: string, machine: string | undefined, cpu: string | undefined): Board {
  const named = machine ?? ownValue(usualMachines, arch);
  const [type = ''] = (named ?? '').split(',');
  const row = rows.find(({ arch: archs, machines }) => archs.test(arch) && machines.test(type));
  const usualCpu = type.startsWith('virt') || type === 'sbsa-ref' ? ownValue(usualCpus, arch) : undefined;
  return {
    machine: named,
    cpu: cpu ?? usualCpu,
    bus: row?.bus ?? 'none',
    isPc: row?.isPc ?? false,
    memoryMib: row && row.bus !== undefined ? (arch === 'loongarch64' ? 1024 : 256) : undefined,
    disk: row?.disk ?? 'board',
    display: row?.display,
    ...(row?.serialDevice !== undefined && { serialDevice: row.serialDevice }),
    ...(row?.serialPorts !== undefined && { serialPorts: row.serialPorts }),
  };
}

const suffixes = { pci: 'pci', pcie: 'pci', mmio: 'device', ccw: 'ccw' } as const;

/** `virtio-blk-pci`, `virtio-blk-device` …; undefined where there is no bus for it. */
export function virtioDevice(board: Board, name: string): string | undefined {
  return board.bus === 'none' ? undefined : `virtio-${name}-${suffixes[board.bus]}`;
}

/** Disks and CD drives that fit on its IDE or SATA ports; of boards that are no PC nothing is known. */
export function idePlaces({ isPc, bus }: Board): number {
  if (!isPc) return bus === 'none' || bus === 'pci' ? Number.POSITIVE_INFINITY : 0;
  return bus === 'pcie' ? 6 : 4;
}
