import { stat } from 'node:fs/promises';
import type { ByteLink, LineSettings } from '../byte-link.ts';
import { DeviceConnection, type UnixPort } from './device-connection.ts';
import { describeError } from './reasons.ts';
import { slowCall } from './slow-calls.ts';

export interface DeviceLinkOptions extends Partial<LineSettings> {
  readonly path: string;
  /** What to open, asked at each attempt: a link could be made to lead elsewhere between being looked at and being opened. */
  readonly looked?: () => Promise<string>;
}

/** A serial device or a pseudo terminal, opened for us alone. */
export function deviceLink(options: DeviceLinkOptions): ByteLink {
  const {
    path: named,
    looked,
    baudRate = 115_200,
    dataBits = 8,
    stopBits = 1,
    parity = 'none',
    flowControl = 'none',
  } = options;
  if (named === '' || named.includes('\0')) throw new RangeError('the path of a device must be a file name');
  if (!Number.isInteger(baudRate) || baudRate < 1) throw new RangeError(`${baudRate} is not a baud rate`);
  if (parity === 'mark' || parity === 'space') throw new RangeError(`a device cannot be opened with parity ${parity}`);
  const unixParity = parity;
  let settings: LineSettings = { baudRate, dataBits, stopBits, parity, flowControl };
  return {
    target: `device ${named}`,
    async open(signal) {
      const path = (await looked?.()) ?? named;
      const { SerialPort } = await loadSerialport();
      await requireDevice(path);
      if (signal.aborted) throw new Error('the attempt to open the device was cancelled');
      const xonxoff = flowControl === 'xonxoff';
      const framing = { baudRate: settings.baudRate, dataBits, stopBits, parity: unixParity };
      const wanted = { path, ...framing, rtscts: flowControl === 'rtscts', xon: xonxoff, xoff: xonxoff };
      const openPort = async () => SerialPort.binding.open(wanted);
      const port = await slowCall(`opening ${path}`, openPort).catch((error: unknown) => {
        throw new Error(openFailure(error, path), { cause: error });
      });
      if (!isUnixPort(port) || signal.aborted) {
        await port.close();
        throw new Error(
          signal.aborted
            ? 'the attempt to open the device was cancelled'
            : `serial devices do not work on ${process.platform} yet: only on Linux and macOS`,
        );
      }
      return new DeviceConnection(port, settings, (changed) => {
        settings = changed;
      });
    },
  };
}

/** Opening anything else could wait for ever, as a FIFO does, or change it. */
async function requireDevice(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isCharacterDevice()) throw new Error(`${path} is not a serial device or terminal`);
}

async function loadSerialport(): Promise<typeof import('serialport')> {
  try {
    return await import('serialport');
  } catch (error) {
    throw new Error(
      `serial devices need the npm package serialport, which could not be loaded (${describeError(error)}); ` +
        'install it with: npm install serialport (npm install -g serialport if this program was installed with -g)',
      { cause: error },
    );
  }
}

function isUnixPort(port: object): port is UnixPort {
  return 'poller' in port && 'fd' in port;
}

/** The package's errors carry no code, only the words of the operating system. */
function openFailure(error: unknown, path: string): string {
  const text = describeError(error).replace(/^Error: /, '');
  if (/no such file/i.test(text)) return `there is no device ${path}`;
  if (/permission denied/i.test(text)) {
    return `no permission to open ${path}; on most systems a member of the group dialout or uucp may`;
  }
  if (/busy|cannot lock/i.test(text)) return `another program has ${path} open (${text})`;
  if (/inappropriate ioctl/i.test(text)) return `${path} is not a serial device or terminal (${text})`;
  return text;
}
