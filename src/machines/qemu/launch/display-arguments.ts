import { ownValue } from '../../../formats/own-value.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuOptions } from '../qemu-options.ts';
import { type Board, virtioDevice } from './board.ts';
import { deviceProblem, parseDevice } from './known-devices.ts';

type DisplayOptions = Pick<QemuOptions, 'gpu' | 'tablet' | 'vnc' | 'record'>;

const vgaNames: ReadonlySet<string> = new Set(['std', 'cirrus', 'vmware', 'qxl', 'virtio']);
const deviceNames: Readonly<Record<string, string>> = {
  std: 'VGA',
  cirrus: 'cirrus-vga',
  vmware: 'vmware-svga',
  qxl: 'qxl',
};

/** The display, a keyboard where the board has none, a pointer that knows positions, and USB for those who need it. */
export function displayArguments(options: DisplayOptions, board: Board, usbWanted: boolean): string[] {
  const display = displayDevice(options.gpu, board);
  const hasPci = board.bus === 'pci' || board.bus === 'pcie';
  const tablet = (options.tablet ?? (display.length > 0 && !options.record)) && board.bus !== 'none';
  const usbTablet = tablet && board.isPc && hasPci;
  const args = [...display];
  if (usbTablet || usbWanted) args.push('-device', 'qemu-xhci,id=usb');
  if (!board.isPc && display.length > 0) args.push(...virtioInput(board, 'keyboard'));
  if (usbTablet) args.push('-device', 'usb-tablet,bus=usb.0');
  else if (tablet) args.push(...virtioInput(board, 'tablet'));
  // A free port is found by QEMU itself, which has no race with others who look for one.
  if (options.vnc) args.push('-vnc', '127.0.0.1:0,to=99,password=on');
  return args;
}

function virtioInput(board: Board, name: string): string[] {
  const device = virtioDevice(board, name);
  return device === undefined ? [] : ['-device', device];
}

function displayDevice(gpu: string, board: Board): readonly string[] {
  if (gpu === 'none') return [];
  if (gpu === 'auto') return board.isPc ? (board.display ?? []) : [];
  if (gpu === 'on') {
    if (board.display) return board.display;
    throw refusal(
      'No display is known for this board.',
      'Name a device of QEMU in "gpu"; some boards have one built in.',
    );
  }
  if (board.isPc && vgaNames.has(gpu)) return ['-vga', gpu];
  const device =
    gpu === 'virtio' ? (virtioDevice(board, 'gpu') ?? 'virtio-gpu-pci') : (ownValue(deviceNames, gpu) ?? gpu);
  const parsed = parseDevice(device);
  const problem = parsed ? deviceProblem(parsed) : 'it is not DEVICE,NAME=VALUE';
  if (problem !== undefined)
    throw refusal(`${JSON.stringify(gpu)} is not a display: ${problem}.`, 'Use std, virtio or a device name.');
  return ['-device', device];
}

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
