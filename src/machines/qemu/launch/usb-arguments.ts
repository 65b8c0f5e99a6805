import { existsSync } from 'node:fs';
import { MachineError } from '../../../machine/errors.ts';
import type { Policy } from '../../../machine/policy.ts';
import { isDeviceOf } from '../../shared/device-pattern.ts';
import type { QemuOptions, UsbDevice } from '../qemu-options.ts';

const drivers: Readonly<Record<UsbDevice, string>> = {
  keyboard: 'usb-kbd',
  mouse: 'usb-mouse',
  tablet: 'usb-tablet',
  'wacom-tablet': 'usb-wacom-tablet',
  audio: 'usb-audio,audiodev=sound',
  hub: 'usb-hub',
};

/** What is plugged into the controller that the display's arguments bring. */
export function usbArguments(devices: QemuOptions['usb']): string[] {
  return devices.flatMap((device, at) => ['-device', `${driverOf(device)},bus=usb.0,id=usbdevice${at}`]);
}

function driverOf(device: QemuOptions['usb'][number]): string {
  return isOwn(device) ? drivers[device] : `usb-host,hostdevice=${device}`;
}

function isOwn(device: string): device is UsbDevice {
  return device in drivers;
}

/** Whoever has a device of this computer can do anything with it, so the operator names those that guests may have. */
export function requireUsbDevices(devices: QemuOptions['usb'], { devices: allowed }: Pick<Policy, 'devices'>): void {
  for (const path of devices) {
    if (isOwn(path)) continue;
    if (!isDeviceOf(path, allowed)) {
      throw new MachineError(
        'DENIED',
        `This server gives guests no USB device ${path} of this computer.`,
        `The user can allow it: --allow-devices ${path}`,
        { device: path, operator_option: '--allow-devices' },
      );
    }
    if (!existsSync(path)) {
      const fix = 'lsusb lists them; one that was plugged in again has another number.';
      throw new MachineError('NOT_FOUND', `There is no USB device ${path}.`, fix, { device: path });
    }
  }
}
