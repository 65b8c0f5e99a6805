import { realpath } from 'node:fs/promises';
import { MachineError } from '../../machine/errors.ts';
import { isDeviceOf } from '../shared/device-pattern.ts';

/**
 * Names that Linux, macOS and the BSDs give to serial hardware. Terminals of people (/dev/pts/N, /dev/ttyN, /dev/ttysNNN)
 * have other names.
 */
const hardware = [
  /^\/dev\/tty(S|USB|ACM|AMA|mxc|XRUSB|O|PS|SAC|LP|MSM|HS|HSL|UL|SC|STM|THS|MV|FIQ|GS|AML|SIF)\d+$/,
  /^\/dev\/rfcomm\d+$/,
  /^\/dev\/(tty|cu)\.[\w.-]+$/,
  /^\/dev\/cua[Uu]?\d+(\.\d+)?$/,
];
/** Links that udev makes to such names. */
const stableName = /^\/dev\/serial\/by-(id|path)\/[\w.:+-]+$/;

/** The device that an agent's name leads to, if it is serial hardware or one of the patterns that the user allows. */
export async function allowedDevice(path: string, patterns: readonly string[]): Promise<string> {
  const matches = (name: string) => hardware.some((form) => form.test(name)) || isDeviceOf(name, patterns);
  const real = await realpath(path).catch(() => undefined);
  // What is not plugged in may come; a link must lead to what is allowed itself.
  if (real === undefined ? matches(path) || stableName.test(path) : matches(real)) return real ?? path;
  const what = real === undefined || real === path ? path : `${path} (${real})`;
  throw new MachineError(
    'DENIED',
    `${what} is not a serial device that agents may open; people's terminals and other files are not either.`,
    `Name serial hardware such as /dev/ttyUSB0. The user can allow others: --allow-devices ${real ?? path}`,
    { device: path, operator_option: '--allow-devices' },
  );
}
