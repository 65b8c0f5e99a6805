/**
 * MOS 6510 (NMOS 6502 with an I/O port, see `io-port.ts`), one bus access per `tick()`.
 *
 * Pins: address and data bus as calls of `bus`, RDY, IRQ and NMI as words of the state that the board sets before each
 * tick, RES as `reset()`. AEC is `tickDetached()` while DMA is low; in the other half of the cycle the bus is the VIC-II's.
 *
 * Sources: the bus cycles of SingleStepTests/65x02, VICE's CPU and interrupt test programs, 64doc.
 *
 * Not emulated: the SO pin (unconnected in the C64), the temperature dependence of ANE and LXA (their constants are
 * words of the state), the exact bus activity of a jammed processor (it reads $FFFF for ever).
 */
import { cycle, nextRead } from './cycles.generated.ts';
import { fields, getStatus, type Mos6510State, resetRow, setStatus } from './registers.ts';

/** What the processor is soldered to. */
export interface Mos6510Bus {
  read(address: number): number;
  write(address: number, value: number): void;
}

const nowhere: Mos6510Bus = { read: () => 0xff, write: () => {} };

export class Mos6510 {
  readonly state: Mos6510State;
  readonly #bus: Mos6510Bus;

  constructor(state: Int32Array, bus: Mos6510Bus) {
    this.state = state as Mos6510State;
    this.#bus = bus;
  }

  /** State at power-up; the processor then waits for `reset()`. */
  powerUp(): void {
    this.state.fill(0);
    this.state[fields.rdy] = 1;
    this.state[fields.z] = 1;
    this.state[fields.aneMagic] = 0xef;
    this.state[fields.aneStalledMagic] = 0xee;
    this.state[fields.lxaMagic] = 0xee;
    this.reset();
  }

  /** RES: the next tick starts the seven cycles of the reset sequence. */
  reset(): void {
    this.state[fields.step] = resetRow << 3;
    this.state[fields.jammed] = 0;
    this.state[fields.pipe] = 0;
    this.state[fields.nmiLatch] = 0;
    this.forget();
  }

  tick(): void {
    cycle(this.state, this.#bus);
  }

  /** A cycle in which DMA keeps it off the bus: RDY has to be low, and what it writes gets nowhere. */
  tickDetached(): void {
    cycle(this.state, nowhere);
  }

  /** True when the next tick fetches an opcode: the only place where a debugger sees whole instructions. */
  get atInstruction(): boolean {
    return (this.state[fields.step] & 7) === 0;
  }

  /** The address on the bus while RDY holds a read up, or -1 if the next cycle writes. */
  get nextRead(): number {
    return nextRead(this.state);
  }

  /** Whether RDY holds the processor up in such a way that another cycle of it would change nothing. */
  get isHeld(): boolean {
    const { state } = this;
    const step = state[fields.step];
    if (state[fields.stalled] !== step || nextRead(state) < 0 || state[fields.nmiLine] !== state[fields.nmiSeen])
      return false;
    if ((step & 7) === 0) return true;
    const before = state[fields.pipe];
    const irq = state[fields.irqLine] & ~state[fields.i];
    const pipe = ((before << 1) & 0x606) | irq | (state[fields.nmiLatch] << 8);
    return pipe === before && irq === state[fields.irqLine];
  }

  /** Clears what is left of the last instruction and matters no more. */
  forget(): void {
    const { state } = this;
    if ((state[fields.step] & 7) !== 0) return;
    state[fields.address] = 0;
    state[fields.pointer] = 0;
    state[fields.data] = 0;
    state[fields.crossing] = 0;
    state[fields.held] = 0;
  }

  get status(): number {
    return getStatus(this.state);
  }

  set status(value: number) {
    setStatus(this.state, value);
  }

  /** Continues at `address` with the next tick, as a debugger's "set PC" does. */
  jump(address: number): void {
    this.state[fields.pc] = address & 0xffff;
    this.state[fields.instructionPc] = address & 0xffff;
    this.state[fields.step] = 0;
    this.state[fields.jammed] = 0;
  }
}
