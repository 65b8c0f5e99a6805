import type { ByteLink } from '../byte-link.ts';
import { DeviceConnection, type UnixPort } from './device-connection.ts';
import { describeError } from './reasons.ts';

export interface DeviceLinkOptions {
  readonly path: string;
  readonly baudRate?: number;
  readonly dataBits?: 5 | 6 | 7 | 8;
  readonly stopBits?: 1 | 1.5 | 2;
  readonly parity?: 'none' | 'even' | 'odd';
  readonly flowControl?: 'none' | 'rtscts' | 'xonxoff';
}

/** A serial device or a pseudo terminal, opened for us alone. */
export function deviceLink(options: DeviceLinkOptions): ByteLink {
  const { path, baudRate = 115_200, dataBits = 8, stopBits = 1, parity = 'none', flowControl = 'none' } = options;
  if (path === '' || path.includes('\0')) throw new RangeError('the path of a device must be a file name');
  if (!Number.isInteger(baudRate) || baudRate < 1) throw new RangeError(`${baudRate} is not a baud rate`);
  return {
    target: `device ${path}`,
    async open(signal) {
      const { SerialPort } = await loadSerialport();
      if (signal.aborted) throw new Error('the attempt to open the device was cancelled');
      const port = await SerialPort.binding
        .open({
          path,
          baudRate,
          dataBits,
          stopBits,
          parity,
          rtscts: flowControl === 'rtscts',
          xon: flowControl === 'xonxoff',
          xoff: flowControl === 'xonxoff',
        })
        .catch((error: unknown) => {
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
      return new DeviceConnection(port);
    },
  };
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
