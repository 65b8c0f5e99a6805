import { clockLine, dataLine } from './bus-lines.ts';
import { DriveSet } from './drive-set.ts';
import { drivesPart } from './drive-state.ts';

const limitCycles = 5000;

/** A computer's end of the serial bus, written from the protocol's description: the other side in tests of the drives. */
export class BusMaster {
  readonly words = new Int32Array(drivesPart.words);
  readonly drives: DriveSet;
  cycles = 0;
  /** What the last `receive` or `send` ran into: 'absent', 'timeout' or nothing. */
  failure: 'absent' | 'timeout' | undefined;
  #attention = true;
  #clock = true;
  #data = true;
  #driven = clockLine | dataLine;

  constructor() {
    this.drives = new DriveSet(this.words, {
      now: () => this.cycles,
      setSerialLines: (clock, data) => {
        this.#driven = (clock ? clockLine : 0) | (data ? dataLine : 0);
      },
      planAnew: () => {},
    });
    this.drives.powerUp([]);
  }

  get clockIsHigh(): boolean {
    return this.#clock && (this.#driven & clockLine) !== 0;
  }

  get dataIsHigh(): boolean {
    return this.#data && (this.#driven & dataLine) !== 0;
  }

  pull(lines: { attention?: boolean; clock?: boolean; data?: boolean }): void {
    if (lines.attention !== undefined) this.#attention = !lines.attention;
    if (lines.clock !== undefined) this.#clock = !lines.clock;
    if (lines.data !== undefined) this.#data = !lines.data;
    this.drives.setComputerLines(this.#attention, this.#clock, this.#data);
  }

  wait(cycles: number): void {
    for (let count = 0; count < cycles; count += 1) {
      this.cycles += 1;
      this.drives.tick();
    }
  }

  /** Lets time pass until it holds; how long that took, or -1 if it never did. */
  until(holds: () => boolean, limit = limitCycles): number {
    for (let count = 0; count <= limit; count += 1) {
      if (holds()) return count;
      this.wait(1);
    }
    return -1;
  }

  /** Sends these bytes under attention and lets go of it. */
  command(...bytes: readonly number[]): void {
    this.failure = undefined;
    this.pull({ attention: true, clock: true, data: false });
    this.wait(1000);
    for (const byte of bytes) {
      this.send(byte);
      this.wait(1000);
    }
    this.pull({ attention: false });
    this.wait(100);
  }

  /** The talker's side of one byte. */
  send(byte: number, isLast = false): void {
    if (this.dataIsHigh) {
      this.failure = 'absent';
      return;
    }
    this.pull({ clock: false });
    this.#expect(() => this.dataIsHigh);
    if (isLast) {
      this.#expect(() => !this.dataIsHigh);
      this.#expect(() => this.dataIsHigh);
    }
    this.pull({ clock: true });
    for (let bit = 0; bit < 8; bit += 1) {
      this.pull({ data: ((byte >> bit) & 1) === 0 });
      this.wait(40);
      this.pull({ clock: false });
      this.wait(40);
      this.pull({ clock: true, data: false });
    }
    this.#expect(() => !this.dataIsHigh, 1000);
  }

  /** After TALK: the drive gets the clock line. */
  turnAround(): void {
    this.pull({ data: true, clock: false });
    this.#expect(() => !this.clockIsHigh);
  }

  /** The listener's side of one byte, plus $100 with the last one; -1 if none came. */
  receive(): number {
    this.#expect(() => this.clockIsHigh);
    this.pull({ data: false });
    let isLast = false;
    if (this.until(() => !this.clockIsHigh, 250) < 0) {
      this.pull({ data: true });
      this.wait(60);
      this.pull({ data: false });
      isLast = true;
      if (this.until(() => !this.clockIsHigh, 250) < 0) {
        this.failure = 'timeout';
        return -1;
      }
    }
    let byte = 0;
    for (let bit = 0; bit < 8; bit += 1) {
      this.#expect(() => this.clockIsHigh);
      if (this.dataIsHigh) byte |= 1 << bit;
      this.#expect(() => !this.clockIsHigh);
    }
    this.pull({ data: true });
    this.wait(100);
    if (isLast) this.pull({ data: false });
    return byte | (isLast ? 0x100 : 0);
  }

  #expect(holds: () => boolean, limit = limitCycles): void {
    if (this.until(holds, limit) < 0) this.failure = 'timeout';
  }

  // ---- whole transactions, as the KERNAL makes them

  listen(unit: number, second: number, text: string): void {
    this.command(0x20 | unit, second);
    for (let index = 0; index < text.length && this.failure === undefined; index += 1) {
      this.send(text.charCodeAt(index), index === text.length - 1);
      this.wait(100);
    }
    const { failure } = this;
    this.#release(0x3f);
    this.failure = failure;
  }

  /** All that the drive has to say on a channel, up to its last byte. */
  talk(unit: number, second: number, limit = 100_000): string {
    this.command(0x40 | unit, second);
    if (this.failure !== undefined) return '';
    this.turnAround();
    let text = '';
    for (let next = 0; next < 0x100 && text.length < limit; ) {
      next = this.receive();
      if (next < 0) break;
      text += String.fromCharCode(next & 0xff);
    }
    const { failure } = this;
    this.#release(0x5f);
    this.failure = failure;
    return text;
  }

  open(unit: number, channel: number, name: string): void {
    this.listen(unit, 0xf0 | channel, name);
  }

  close(unit: number, channel: number): void {
    this.listen(unit, 0xe0 | channel, '');
  }

  #release(byte: number): void {
    this.command(byte);
    this.pull({ clock: false, data: false });
    this.wait(200);
  }
}
