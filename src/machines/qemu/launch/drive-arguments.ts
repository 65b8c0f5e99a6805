import type { PreparedDrive } from '../disk/prepare-drives.ts';
import { type Board, virtioDevice } from './board.ts';

/** Devices that several drives share, added once. */
const controllers = {
  scsi: (board: Board) => ['-device', `${virtioDevice(board, 'scsi') ?? 'virtio-scsi-pci'},id=scsi`],
  /** The newer PC has none on board. */
  floppy: () => ['-device', 'isa-fdc,id=fdc'],
};

/** The arguments that put the drives into the machine. */
export function driveArguments(drives: readonly PreparedDrive[], board: Board): string[] {
  const args: string[] = [];
  if (drives.some((drive) => drive.interface === 'scsi')) args.push(...controllers.scsi(board));
  if (board.bus === 'pcie' && drives.some((drive) => drive.interface === 'floppy')) args.push(...controllers.floppy());
  let idePorts = 0;
  for (const drive of drives) {
    const port = drive.interface === 'ide' ? idePort(board, idePorts++) : '';
    args.push(...(isOnBoard(drive) ? boardDrive(drive) : pluggedDrive(drive, board, port)));
  }
  return args;
}

/** Left to itself QEMU puts all of them on one cable, which takes two, or one on the newer PC. */
function idePort({ isPc, bus }: Board, index: number): string {
  if (!isPc) return '';
  return bus === 'pcie' ? `,bus=ide.${index}` : `,bus=ide.${index >> 1},unit=${index & 1}`;
}

/** Places that only the board itself can fill. */
function isOnBoard({ interface: where }: PreparedDrive): boolean {
  return where === 'sd' || where === 'pflash' || where === 'board';
}

function boardDrive({ id, type, interface: where, medium }: PreparedDrive): string[] {
  const node = medium?.node;
  const words = [
    ...(where === 'board' ? [] : [`if=${where}`]),
    `id=${id}`,
    ...(where === 'board' && type === 'cdrom' ? ['media=cdrom'] : []),
  ];
  if (node) words.push(`file=${escaped(`json:${JSON.stringify(node)}`)}`);
  // What `-drive` sets unless told counts more than what the node says.
  if (node?.['read-only']) words.push('readonly=on');
  return ['-drive', words.join(',')];
}

function pluggedDrive(drive: PreparedDrive, board: Board, port: string): string[] {
  const { id, medium } = drive;
  const node = medium?.node;
  const device = [deviceDriver(drive, board) + port, `id=${id}`, ...(node ? [`drive=${node['node-name']}`] : [])];
  if (drive.interface === 'nvme') device.push(`serial=${id}`);
  return [...(node ? ['-blockdev', JSON.stringify(node)] : []), '-device', device.join(',')];
}

function deviceDriver({ interface: where, type }: PreparedDrive, board: Board): string {
  const cdrom = type === 'cdrom';
  switch (where) {
    case 'ide':
      return cdrom ? 'ide-cd' : 'ide-hd';
    case 'scsi':
      return cdrom ? 'scsi-cd,bus=scsi.0' : 'scsi-hd,bus=scsi.0';
    case 'usb':
      return 'usb-storage,bus=usb.0';
    case 'nvme':
      return 'nvme';
    case 'floppy':
      return 'floppy';
    default:
      return virtioDevice(board, 'blk') ?? 'virtio-blk-pci';
  }
}

/** In QEMU's lists of words a comma is written twice. */
export function escaped(value: string): string {
  return value.replaceAll(',', ',,');
}
