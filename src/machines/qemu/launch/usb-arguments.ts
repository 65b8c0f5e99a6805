import type { QemuOptions } from '../qemu-options.ts';

type UsbDevice = QemuOptions['usb'][number];

const drivers: Readonly<Record<UsbDevice, string>> = {
  keyboard: 'usb-kbd',
  mouse: 'usb-mouse',
  tablet: 'usb-tablet',
  'wacom-tablet': 'usb-wacom-tablet',
  audio: 'usb-audio,audiodev=sound',
  hub: 'usb-hub',
};

/** What is plugged into the controller that the display's arguments bring. */
export function usbArguments(devices: readonly UsbDevice[]): string[] {
  return devices.flatMap((device, at) => ['-device', `${drivers[device]},bus=usb.0,id=usbdevice${at}`]);
}
