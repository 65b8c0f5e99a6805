/** What answers at some ports. */
export interface PortDevice {
  read(port: number): number;
  write(port: number, value: number): void;
  /** Words and double words, where they are not several bytes: undefined or false elsewhere. */
  readWide?(port: number, width: 16 | 32): number | undefined;
  writeWide?(port: number, width: 16 | 32, value: number): boolean;
}

/** An access that somebody watches, a byte each. */
export type PortWatcher = (kind: 'in' | 'out', port: number, value: number) => void;

const floating = 0xff;

/** The 64 K ports of a PC, a byte wide: wider accesses are several. */
export class PortMap {
  readonly #devices: PortDevice[] = [];
  /** Number of the device at each port, from 1 on. */
  readonly #at = new Uint8Array(0x10000);
  /** Costs nothing while it is not set. */
  watcher: PortWatcher | undefined;

  add(first: number, last: number, device: PortDevice): void {
    this.#devices.push(device);
    this.#at.fill(this.#devices.length, first, last + 1);
  }

  /** Whether something answers there. */
  has(port: number): boolean {
    return this.#at[port & 0xffff] !== 0;
  }

  /** Where something answers, neighbours together. */
  ranges(): readonly { readonly first: number; readonly last: number }[] {
    const ranges: { first: number; last: number }[] = [];
    for (let port = 0; port < this.#at.length; port++) {
      if (!this.has(port)) continue;
      const open = ranges.at(-1);
      if (open?.last === port - 1) open.last = port;
      else ranges.push({ first: port, last: port });
    }
    return ranges;
  }

  read8(port: number): number {
    const device = this.#devices[(this.#at[port & 0xffff] ?? 0) - 1];
    const value = device ? device.read(port & 0xffff) & 0xff : floating;
    this.watcher?.('in', port & 0xffff, value);
    return value;
  }

  write8(port: number, value: number): void {
    this.#devices[(this.#at[port & 0xffff] ?? 0) - 1]?.write(port & 0xffff, value & 0xff);
    this.watcher?.('out', port & 0xffff, value & 0xff);
  }

  in(port: number, width: 8 | 16 | 32): number {
    if (width !== 8) {
      const whole = this.#device(port)?.readWide?.(port & 0xffff, width);
      if (whole !== undefined) return this.#watched('in', port, width, whole);
    }
    let value = 0;
    for (let bit = 0; bit < width; bit += 8) value |= this.read8(port + (bit >> 3)) << bit;
    return value >>> 0;
  }

  out(port: number, width: 8 | 16 | 32, value: number): void {
    if (width !== 8 && this.#device(port)?.writeWide?.(port & 0xffff, width, value)) {
      this.#watched('out', port, width, value);
      return;
    }
    for (let bit = 0; bit < width; bit += 8) this.write8(port + (bit >> 3), value >>> bit);
  }

  #device(port: number): PortDevice | undefined {
    return this.#devices[(this.#at[port & 0xffff] ?? 0) - 1];
  }

  #watched(kind: 'in' | 'out', port: number, width: 16 | 32, value: number): number {
    for (let bit = 0; this.watcher && bit < width; bit += 8) this.watcher(kind, port & 0xffff, (value >>> bit) & 0xff);
    return value;
  }
}
