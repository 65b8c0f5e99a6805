import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import type { ConsoleDevice } from './con-device/console-device.ts';
import { type DeviceHeader, type Devices, deviceAttributes } from './devices.ts';
import { driverCommands } from './driver-request.ts';
import { type FarPointer, linear, packFar, unpackFar } from './far-pointer.ts';
import type { GuestDrivers } from './guest-drivers.ts';
import type { OwnDriver } from './own-driver.ts';
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
  readonly memory: GuestMemory;
  readonly drivers: GuestDrivers;
  readonly headers: Devices;
  readonly console: ConsoleDevice;
  readonly clock: DosClock;
  port(name: string): CharacterPort | undefined;
  own(name: string): OwnDriver | undefined;
}

const millisecondsPerDay = 86_400_000;
const firstDay = Date.UTC(1980, 0, 1) / millisecondsPerDay;
const carriageReturn = 13;
const controlZ = 26;

/** Reading and writing what is a device and not a file. */
export class DeviceFiles {
  readonly #parts: DeviceFileParts;
  /** Bytes of an unfinished cooked read from a driver of the guest. */
  cooked: number[] = [];

  constructor(parts: DeviceFileParts) {
    this.#parts = parts;
  }

  header(file: DeviceFile): DeviceHeader {
    return this.#parts.headers.read(unpackFar(file.driver));
  }

  /** `buffer` is where the caller wants the bytes: drivers of the guest put them there themselves. */
  read(file: DeviceFile, count: number, buffer?: FarPointer): Uint8Array {
    if (count === 0) return new Uint8Array(0);
    if (!this.#parts.headers.isOwn(file.driver)) return this.#readDriver(file, count, buffer);
    const raw = (file.info & deviceInfo.raw) !== 0;
    const { name } = this.header(file);
    if (name === 'CON') return raw ? this.#parts.console.readRaw(count) : this.#parts.console.readCooked(count);
    if (name === 'CLOCK$') return this.#readClock().subarray(0, count);
    const port = this.#port(name);
    return port === undefined ? new Uint8Array(0) : readPort(port, count, raw);
  }

  /** `buffer` is where they lie, and the caller waits for what becomes of them. */
  write(file: DeviceFile, bytes: Uint8Array, buffer?: FarPointer): number {
    if (!this.#parts.headers.isOwn(file.driver)) return this.#writeDriver(file, bytes, buffer);
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

  opened({ at: place, attributes }: DeviceHeader): void {
    if (attributes & deviceAttributes.openClose) this.#tell(packFar(place), driverCommands.open);
  }

  closed(file: DeviceFile): void {
    if (this.header(file).attributes & deviceAttributes.openClose) this.#tell(file.driver, driverCommands.close);
  }

  /** IOCTL functions 2 and 3: how many bytes were transferred. */
  control(file: DeviceFile, writing: boolean, count: number, buffer: FarPointer): number {
    const { attributes, name } = this.header(file);
    const own = this.#parts.headers.isOwn(file.driver) ? this.#parts.own(name) : undefined;
    if (own) {
      const done = own.control(this.#parts.memory, writing, linear(buffer.segment, buffer.offset), count);
      if (done === undefined) throw new DosError('invalidData');
      return done;
    }
    if (!(attributes & deviceAttributes.control) || this.#parts.headers.isOwn(file.driver)) {
      throw new DosError('invalidFunction');
    }
    const command = writing ? driverCommands.writeControl : driverCommands.readControl;
    return this.#parts.drivers.transfer(file.driver, command, count, buffer);
  }

  outputReady(file: DeviceFile): boolean {
    const { headers, drivers } = this.#parts;
    return headers.isOwn(file.driver) || drivers.isReady(file.driver, driverCommands.outputStatus);
  }

  inputReady(file: DeviceFile): boolean {
    const { headers, drivers } = this.#parts;
    if (!headers.isOwn(file.driver)) return drivers.isReady(file.driver, driverCommands.inputStatus);
    const { name } = this.header(file);
    if (name === 'CON') return this.#parts.console.ready(false);
    return this.#port(name)?.ready() ?? name === 'CLOCK$';
  }

  /** Whether bytes may ever come from it. */
  hasInput(file: DeviceFile): boolean {
    return !this.#parts.headers.isOwn(file.driver) || /^(CON|AUX|COM\d)$/.test(this.header(file).name);
  }

  #tell(driver: number, command: number): void {
    if (!this.#parts.headers.isOwn(driver)) this.#parts.drivers.tell(driver, command);
  }

  #readDriver(file: DeviceFile, count: number, buffer: FarPointer | undefined): Uint8Array {
    const { drivers, memory, console } = this.#parts;
    if (file.info & deviceInfo.raw || count === 1) {
      const read = drivers.transfer(file.driver, driverCommands.read, count, buffer);
      return buffer === undefined ? drivers.received(read) : memory.bytes(linear(buffer.segment, buffer.offset), read);
    }
    const next = () => this.#byte(file.driver);
    if (file.info & deviceInfo.console) {
      const echo = (byte: number) => drivers.write(file.driver, Uint8Array.of(byte));
      return console.readCooked(count, { next, echo, taken: () => drivers.commit() });
    }
    while (this.cooked.length < count && this.cooked.at(-1) !== carriageReturn) {
      const byte = next();
      if (byte === undefined || byte === controlZ) break;
      this.cooked.push(byte);
      drivers.commit();
    }
    return Uint8Array.from(this.cooked.splice(0));
  }

  #byte(driver: number): number | undefined {
    const { drivers } = this.#parts;
    return drivers.transfer(driver, driverCommands.read, 1) === 0 ? undefined : drivers.received(1)[0];
  }

  #writeDriver(file: DeviceFile, bytes: Uint8Array, buffer: FarPointer | undefined): number {
    const { drivers } = this.#parts;
    const end = file.info & deviceInfo.raw ? -1 : bytes.indexOf(controlZ);
    const sent = end < 0 ? bytes : bytes.subarray(0, end);
    if (buffer === undefined) drivers.write(file.driver, sent);
    else if (sent.length > 0) {
      const written = drivers.transfer(file.driver, driverCommands.write, sent.length, buffer);
      if (written < sent.length) return written;
    }
    return bytes.length;
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
