import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import { directNode, overlayNode } from '../disk/block-node.ts';
import { keptOverlay, type PreparedDrive, type PrepareOptions } from '../disk/prepare-drives.ts';

interface Firmware {
  readonly arch: string;
  readonly code: string;
  readonly variables: string;
}

/** Where distributions put it; of those that are there the first is taken. */
const places: readonly Firmware[] = [
  ...['_4M', ''].map((size) => ({
    arch: 'x86_64',
    code: `/usr/share/OVMF/OVMF_CODE${size}.fd`,
    variables: `/usr/share/OVMF/OVMF_VARS${size}.fd`,
  })),
  { arch: 'x86_64', code: '/usr/share/edk2/x64/OVMF_CODE.4m.fd', variables: '/usr/share/edk2/x64/OVMF_VARS.4m.fd' },
  { arch: 'x86_64', code: '/usr/share/edk2/ovmf/OVMF_CODE.fd', variables: '/usr/share/edk2/ovmf/OVMF_VARS.fd' },
  { arch: 'aarch64', code: '/usr/share/AAVMF/AAVMF_CODE.fd', variables: '/usr/share/AAVMF/AAVMF_VARS.fd' },
  {
    arch: 'aarch64',
    code: '/usr/share/edk2/aarch64/QEMU_EFI-pflash.raw',
    variables: '/usr/share/edk2/aarch64/vars-template-pflash.raw',
  },
];

/** The two chips of a board that starts by UEFI: the program, and the variables, of which each machine has its own. */
export async function uefiDrives(arch: string, options: PrepareOptions): Promise<PreparedDrive[]> {
  const { code, variables } = await installed(arch);
  const chip = (path: string, sizeBytes: number) => ({ path, grantedPath: path, format: 'raw' as const, sizeBytes });
  const program = chip(code, (await stat(code)).size);
  const template = chip(variables, (await stat(variables)).size);
  const file = join(options.workDir, `${variablesId}.qcow2`);
  const node =
    options.overlaysFrom === undefined
      ? await overlayNode(`${variablesId}-image`, template, file)
      : await keptOverlay(
          options.files,
          options.overlaysFrom,
          `${variablesId}-image`,
          `${variablesId}.qcow2`,
          template,
          file,
        );
  const shared = { type: 'disk', interface: 'pflash' } as const;
  return [
    { ...shared, id: 'uefi', medium: { node: directNode('uefi-image', program, true), source: code, overlay: false } },
    { ...shared, id: variablesId, medium: { node, source: variables, overlay: true } },
  ];
}

const variablesId = 'uefivars';

async function installed(arch: string): Promise<Firmware> {
  const own = places.filter((each) => each.arch === arch);
  for (const each of own) {
    const there = await Promise.all([each.code, each.variables].map((path) => stat(path).catch(() => undefined)));
    if (there.every((found) => found?.isFile())) return each;
  }
  const message =
    own.length === 0 ? `No UEFI firmware is known for ${arch}.` : `No UEFI firmware for ${arch} is installed here.`;
  const fix =
    own.length === 0
      ? 'Use x86_64 or aarch64.'
      : `Install it (Debian: ${arch === 'x86_64' ? 'ovmf' : 'qemu-efi-aarch64'}).`;
  throw new MachineError('UNAVAILABLE', message, fix);
}
