import { DosError } from '../../drives/dos-error.ts';
import type { ConsoleDevice } from './console/console-device.ts';
import type { DeviceHeader, Devices } from './devices.ts';
import { unpackFar } from './far-pointer.ts';
import { waiting } from './signals.ts';
import { deviceInfo } from './system-files.ts';
import type { CharacterPort, DosClock } from './wiring.ts';

/** What of an open file matters to a device. */
export interface DeviceFile {
  readonly info: number;
  /** Packed address of the header. */
  readonly driver: number;
}

export interface DeviceFileParts {
  readonly headers: Devices;
  readonly console: ConsoleDevice;
  readonly clock: DosClock;
  port(name: string): CharacterPort | undefined;
}

const millisecondsPerDay = 86_400_000;
const firstDay = Date.UTC(1980, 0, 1) / millisecondsPerDay;
const controlZ = 26;

/** Reading and writing what is a device and not a file. */
export class DeviceFiles {
  readonly #parts: DeviceFileParts;

  constructor(parts: DeviceFileParts) {
    this.#parts = parts;
  }

  header(file: DeviceFile): DeviceHeader {
    return this.#parts.headers.read(unpackFar(file.driver));
  }

  read(file: DeviceFile, count: number): Uint8Array {
    if (count === 0) return new Uint8Array(0);
    const raw = (file.info & deviceInfo.raw) !== 0;
    const { name } = this.header(file);
    if (name === 'CON') return raw ? this.#parts.console.readRaw(count) : this.#parts.console.readCooked(count);
    if (name === 'CLOCK$') return this.#readClock().subarray(0, count);
    const port = this.#port(name);
    return port === undefined ? new Uint8Array(0) : readPort(port, count, raw);
  }

  write(file: DeviceFile, bytes: Uint8Array): number {
    const raw = (file.info & deviceInfo.raw) !== 0;
    const { name } = this.header(file);
    if (name === 'CLOCK$') this.#writeClock(bytes);
    else if (name === 'CON') {
      for (const byte of bytes) {
        if (raw) this.#parts.console.writeRaw(byte);
        else this.#parts.console.write(byte);
      }
    } else {
      const port = this.#port(name);
      for (const byte of bytes) port?.write(byte);
    }
    return bytes.length;
  }

  inputReady(file: DeviceFile): boolean {
    const { name } = this.header(file);
    if (name === 'CON') return this.#parts.console.ready(false);
    return this.#port(name)?.ready() ?? name === 'CLOCK$';
  }

  #port(name: string): CharacterPort | undefined {
    const port = name === 'AUX' ? 'COM1' : name === 'PRN' ? 'LPT1' : name;
    return /^(COM|LPT)\d$/.test(port) ? this.#parts.port(port) : undefined;
  }

  #readClock(): Uint8Array {
    const now = this.#parts.clock.now();
    const days = Date.UTC(now.year, now.month - 1, now.day) / millisecondsPerDay - firstDay;
    return Uint8Array.of(days & 0xff, days >> 8, now.minute, now.hour, now.hundredth, now.second);
  }

  #writeClock(bytes: Uint8Array): void {
    const [low = 0, high = 0, minute = 0, hour = 0, hundredth = 0, second = 0] = bytes;
    if (bytes.length < 6 || minute > 59 || hour > 23 || hundredth > 99 || second > 59)
      throw new DosError('invalidData');
    const date = new Date((firstDay + low + high * 256) * millisecondsPerDay);
    this.#parts.clock.setDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
    this.#parts.clock.setTime(hour, minute, second, hundredth);
  }
}

/** What is there, at least one byte; cooked reads end at a carriage return or Ctrl-Z. */
function readPort(port: CharacterPort, count: number, raw: boolean): Uint8Array {
  if (!port.ready()) throw waiting;
  const bytes: number[] = [];
  while (bytes.length < count) {
    const byte = port.read();
    if (byte === undefined || (byte === controlZ && !raw)) break;
    bytes.push(byte);
    if (byte === 13 && !raw) break;
  }
  return Uint8Array.from(bytes);
}
