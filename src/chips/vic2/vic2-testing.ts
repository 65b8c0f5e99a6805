/* A bench for the tests: a VIC-II with 16K of RAM, a log of its accesses, and a way to be in a given cycle. */
import { fields, stateWords } from './fields.ts';
import { frameBytes, type Vic2Model } from './models.ts';
import { Vic2 } from './vic2.ts';

export class Vic2Bench {
  readonly ram = new Uint8Array(0x4000);
  readonly color = new Uint8Array(0x400);
  readonly state = new Int32Array(stateWords);
  readonly frame: Uint8Array;
  readonly vic: Vic2;
  /** Addresses fetched in the last tick. */
  fetched: number[] = [];
  cpuByte = 0xff;

  constructor(model: Vic2Model = '6569', eager = false) {
    this.frame = new Uint8Array(frameBytes(model));
    const pages = Int32Array.of(0, 0x1000, 0x2000, 0x3000);
    const fetch = (address: number): number => {
      this.fetched.push(address);
      return this.ram[address] ?? 0;
    };
    const wires = {
      memory: this.ram,
      pages,
      pagesPhi2: pages,
      fetch,
      fetchPhi2: fetch,
      color: this.color,
      cpuBusByte: (): number => this.cpuByte,
      frame: this.frame,
    };
    this.vic = new Vic2(this.state, wires, model, eager);
  }

  get(name: keyof typeof fields): number {
    return this.state[fields[name]] ?? Number.NaN;
  }

  /** Each cycle with its accesses, so that they can be looked at. */
  tick(cycles = 1): void {
    for (let i = 0; i < cycles; i++) {
      this.fetched = [];
      this.vic.tick();
      this.vic.catchUpAccesses();
    }
  }

  /** Writes to memory as a board has to. */
  store(address: number, value: number): void {
    const seen = new Uint8Array(64);
    this.vic.markPagesSeen(seen);
    if (seen[address >> 8] !== 0) this.vic.catchUpAccesses();
    this.ram[address] = value;
  }

  /** Runs until the given cycle of the given line has been ticked, in this frame or the next. */
  runTo(line: number, cycle: number): void {
    const limit = this.vic.timing.lines * this.vic.timing.cyclesPerLine;
    for (let i = 0; i <= limit; i++) {
      this.tick();
      if (this.get('rasterLine') === line && this.get('cycle') === cycle) return;
    }
    throw new Error(`line ${line} cycle ${cycle} was never reached`);
  }

  /** Sets registers from outside time. */
  set(...pairs: [register: number, value: number][]): void {
    for (const [register, value] of pairs) this.vic.poke(register, value);
  }

  write(...pairs: [register: number, value: number][]): void {
    for (const [register, value] of pairs) this.vic.write(register, value);
  }

  /** The ordinary text screen: matrix at $0400, characters at $2000 or as given. */
  textScreen(d018 = 0x18): this {
    this.set([0x11, 0x1b], [0x16, 0x08], [0x18, d018], [0x20, 14], [0x21, 6]);
    return this;
  }

  /** Pixels of a raster line; index 0 is sprite X coordinate 0. */
  pixels(line: number, from: number, count: number): number[] {
    this.vic.catchUp();
    const { cyclesPerLine } = this.vic.timing;
    const start = line * cyclesPerLine * 8 + 112 + from;
    return [...this.frame.subarray(start, start + count)];
  }
}
