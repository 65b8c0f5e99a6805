import { stateWords as chipWords, fields } from './fields.ts';
import { I8259, type I8259Wires } from './i8259.ts';

/** Words of both chips, the master's first. */
export const stateWords = chipWords * 2;

/** Where the slave's INT goes. */
const CASCADE = 2;

/**
 * The two 8259A of an AT: IRQ 8-15 come through the slave into the master's IR2. Ports 20h, 21h are the master, A0h, A1h
 * the slave. `int` says whether the processor is asked; `acknowledge()` gives the vector.
 */
export class I8259Pair {
  readonly master: I8259;
  readonly slave: I8259;
  readonly #s: Int32Array;

  constructor(state: Int32Array, wires: I8259Wires) {
    this.#s = state;
    this.master = new I8259(state.subarray(0, chipWords), wires);
    this.slave = new I8259(state.subarray(chipWords, stateWords), {
      int: (level) => this.master.setLine(CASCADE, level),
    });
  }

  powerOn(): void {
    this.master.powerOn();
    this.slave.powerOn();
  }

  get int(): boolean {
    return this.#s[fields.int] !== 0;
  }

  setIrq(irq: number, level: number): void {
    if (irq >= 8) this.slave.setLine(irq - 8, level);
    else this.master.setLine(irq, level);
  }

  /** The interrupt number for the processor. */
  acknowledge(): number {
    const input = this.master.acknowledge();
    const isSlave = input === CASCADE && this.#s[fields.single] === 0 && (this.#s[fields.icw3] & 4) !== 0;
    if (!isSlave) return this.master.vectorBase | input;
    return this.slave.vectorBase | this.slave.acknowledge();
  }

  read(port: number): number {
    return (port & 0x80) !== 0 ? this.slave.read(port & 1) : this.master.read(port & 1);
  }

  peek(port: number): number {
    return (port & 0x80) !== 0 ? this.slave.peek(port & 1) : this.master.peek(port & 1);
  }

  write(port: number, value: number): void {
    if ((port & 0x80) !== 0) this.slave.write(port & 1, value);
    else this.master.write(port & 1, value);
  }
}
