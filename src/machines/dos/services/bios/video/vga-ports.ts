import type { PortBus } from '../bios-wires.ts';

/** The VGA's registers through its ports. */
export class VgaPorts {
  readonly #ports: PortBus;

  constructor(ports: PortBus) {
    this.#ports = ports;
  }

  sequencer(index: number, value: number): void {
    this.#ports.write8(0x3c4, index);
    this.#ports.write8(0x3c5, value);
  }

  graphics(index: number, value: number): void {
    this.#ports.write8(0x3ce, index);
    this.#ports.write8(0x3cf, value);
  }

  readGraphics(index: number): number {
    this.#ports.write8(0x3ce, index);
    return this.#ports.read8(0x3cf);
  }

  readSequencer(index: number): number {
    this.#ports.write8(0x3c4, index);
    return this.#ports.read8(0x3c5);
  }

  crtc(index: number, value: number): void {
    const port = this.crtcPort;
    this.#ports.write8(port, index);
    this.#ports.write8(port + 1, value);
  }

  readCrtc(index: number): number {
    const port = this.crtcPort;
    this.#ports.write8(port, index);
    return this.#ports.read8(port + 1);
  }

  get crtcPort(): number {
    return (this.#ports.read8(0x3cc) & 1) !== 0 ? 0x3d4 : 0x3b4;
  }

  miscOutput(value: number): void {
    this.#ports.write8(0x3c2, value);
  }

  /** A register of what this card has beyond a VGA. */
  svga(register: number, value: number): void {
    for (const half of [0, 1]) {
      this.#ports.write8(0x1ce, register * 2 + half);
      this.#ports.write8(0x1cf, (value >> (half * 8)) & 0xff);
    }
  }

  readSvga(register: number): number {
    const [low, high] = [0, 1].map((half) => {
      this.#ports.write8(0x1ce, register * 2 + half);
      return this.#ports.read8(0x1cf);
    });
    return (low ?? 0) | ((high ?? 0) << 8);
  }

  /** Leaves the palette with the picture. */
  attribute(index: number, value: number): void {
    this.#ports.read8(this.crtcPort + 6);
    this.#ports.write8(0x3c0, index);
    this.#ports.write8(0x3c0, value);
    this.#ports.write8(0x3c0, 0x20);
  }

  readAttribute(index: number): number {
    this.#ports.read8(this.crtcPort + 6);
    this.#ports.write8(0x3c0, index);
    const value = this.#ports.read8(0x3c1);
    this.#ports.read8(this.crtcPort + 6);
    this.#ports.write8(0x3c0, 0x20);
    return value;
  }

  dac(index: number, red: number, green: number, blue: number): void {
    this.#ports.write8(0x3c8, index);
    this.#ports.write8(0x3c9, red);
    this.#ports.write8(0x3c9, green);
    this.#ports.write8(0x3c9, blue);
  }

  readDac(index: number): readonly [number, number, number] {
    this.#ports.write8(0x3c7, index);
    return [this.#ports.read8(0x3c9), this.#ports.read8(0x3c9), this.#ports.read8(0x3c9)];
  }

  /** What the index registers hold, for those who draw while a program is between two writes. */
  saveIndexes(): readonly number[] {
    return [0x3c4, 0x3ce, this.crtcPort].map((port) => this.#ports.read8(port));
  }

  restoreIndexes(indexes: readonly number[]): void {
    [0x3c4, 0x3ce, this.crtcPort].forEach((port, at) => {
      this.#ports.write8(port, indexes[at] ?? 0);
    });
  }

  get dacMask(): number {
    return this.#ports.read8(0x3c6);
  }

  set dacMask(value: number) {
    this.#ports.write8(0x3c6, value);
  }
}
