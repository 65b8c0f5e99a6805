/**
 * A Commodore 1541: 6502, two VIAs, 2 KiB of RAM, the DOS in its ROM, and the mechanics with the bits of a disk.
 *
 *   serial bus -- VIA 1 -- 6502 -- VIA 2 -- stepper, motor, light, head
 *
 * Its clock has 1 MHz; the computer's cycles are turned into its own exactly. It runs when somebody looks at what it does:
 * nothing of it can be seen from the computer but the lines of the bus.
 *
 * Not emulated: see `DiskHead` and `Via6522`.
 */
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpu, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import { type Via6522State, fields as via } from '../../../chips/via6522/fields.ts';
import { Via6522 } from '../../../chips/via6522/via6522.ts';
import { allLines, attentionLine, clockLine, dataLine } from './bus-lines.ts';
import { DiskHead } from './disk-head.ts';
import type { DiskShelf } from './disk-shelf.ts';
import { drive1541Words, type MechanicsWords, mechanicsFields as m, partsOf1541 } from './drive-1541-state.ts';
import { type DriveUnit, type DriveWords, driveFields as f } from './drive-state.ts';
import { GcrSlot } from './gcr-slot.ts';

const clockHz = 1_000_000;
export const driveRomBytes = 0x4000;
/** How long a disk on its way in or out covers the light barrier for write protection, in cycles. */
const swapCycles = 400_000;

/** Until its DOS has tested memory and waits; it takes less than a second and a half. */
const wakingCycles = 2_000_000;

/** Track 17, where the coil that is on after a reset holds it. */
const parkedHalfTrack = 32;

const motorBit = 4;
const lightBit = 8;

export class Drive1541 {
  readonly unit: DriveUnit;
  readonly slot: GcrSlot;
  readonly #words: DriveWords;
  readonly #rom: Uint8Array;
  readonly #ram: Uint8Array;
  readonly #mechanics: MechanicsWords;
  readonly #cpu: Mos6510;
  readonly #via1: Via6522;
  readonly #via2: Via6522;
  readonly #v1: Via6522State;
  readonly #v2: Via6522State;
  readonly #head: DiskHead;
  readonly #linesChanged: () => void;
  /** Its words once it has woken up, which are the same every time. */
  #awake: Int32Array | undefined;

  /** `linesChanged`: it pulls other lines of the bus than before. */
  constructor(unit: DriveUnit, words: DriveWords, rom: Uint8Array, shelf: DiskShelf, linesChanged: () => void) {
    this.unit = unit;
    this.#words = words;
    this.#rom = rom;
    this.#linesChanged = linesChanged;
    const parts = partsOf1541(words.subarray(f.processor, f.processor + drive1541Words));
    this.#ram = parts.ram;
    this.#mechanics = parts.mechanics;
    this.#v1 = parts.via1 as Via6522State;
    this.#v2 = parts.via2 as Via6522State;
    this.#via1 = new Via6522(parts.via1);
    this.#via2 = new Via6522(parts.via2);
    this.#cpu = new Mos6510(parts.cpu, this);
    this.slot = new GcrSlot(words, parts.mechanics, parts.pending, shelf);
    this.#head = new DiskHead(parts.mechanics, this.slot, {
      byteReady: (byte) => this.#byteReady(byte),
      byteToWrite: () => this.#v2[via.paOut],
    });
  }

  // ---- power and time

  powerUp(now: number): void {
    this.#mechanics.fill(0);
    this.#ram.fill(0);
    this.#mechanics[m.ranTo] = now;
    this.#mechanics[m.halfTrack] = parkedHalfTrack;
    this.#via1.powerOn();
    this.#via2.powerOn();
    // The line of attention has been high all along, which its inverter shows as low.
    this.#v1[via.ca1] = 0;
    this.#cpu.powerUp();
    this.reset();
  }

  /** Runs through its self-test with nothing on the bus, to where it waits for commands, while no time passes for the computer. */
  wakeUp(): void {
    const now = this.#mechanics[m.ranTo];
    this.#awake ??= this.#wakingUp();
    this.#words.set(this.#awake, f.processor);
    this.#mechanics[m.ranTo] = now;
    this.restored();
  }

  #wakingUp(): Int32Array {
    this.setLines(allLines);
    for (let cycle = 0; cycle < wakingCycles; cycle++) this.tick();
    this.catchUp();
    return this.#words.slice(f.processor, f.processor + drive1541Words);
  }

  /** The reset line. */
  reset(): void {
    this.#catchUpVias();
    this.#via1.reset();
    this.#via2.reset();
    this.#cpu.reset();
    this.restored();
  }

  /** How many cycles of its own are due when the computer stands at this one; they count as done from now on. */
  cyclesDue(now: number, computerHz: number): number {
    const words = this.#mechanics;
    const elapsed = (now - words[m.ranTo]) | 0;
    // What was held back is due although no time has passed.
    if (elapsed < 0 || (elapsed === 0 && words[m.fraction] < computerHz)) return 0;
    words[m.ranTo] = now;
    const clocks = words[m.fraction] + elapsed * clockHz;
    const cycles = Math.floor(clocks / computerHz);
    words[m.fraction] = clocks - cycles * computerHz;
    return cycles;
  }

  /** Of the cycles that were due, so many were not made: they stay due. */
  holdBack(cycles: number, computerHz: number): void {
    this.#mechanics[m.fraction] += cycles * computerHz;
  }

  /** One cycle of its own. */
  tick(): void {
    const words = this.#mechanics;
    const left = words[m.viaLeft];
    if (left > 0) words[m.viaLeft] = left - 1;
    else this.#tickVias();
    if ((this.#v2[via.pbOut] & this.#v2[via.ddrb] & motorBit) !== 0) this.#head.turn();
    if (words[m.swapLeft] > 0) words[m.swapLeft] -= 1;
    const { state } = this.#cpu;
    state[cpu.irqLine] = this.#v1[via.irq] | this.#v2[via.irq];
    this.#cpu.tick();
  }

  /** Brings what runs lazily up to the present. */
  catchUp(): void {
    this.#catchUpVias();
    this.#sense();
  }

  #tickVias(): void {
    this.#catchUpVias();
    this.#via1.tick();
    this.#via2.tick();
    const span = Math.min(this.#via1.quietCycles(), this.#via2.quietCycles());
    this.#mechanics[m.viaSpan] = span;
    this.#mechanics[m.viaLeft] = span;
  }

  /** Brings the VIAs up to the present; they are then ticked every cycle until they have been. */
  #catchUpVias(): void {
    const words = this.#mechanics;
    const elapsed = words[m.viaSpan] - words[m.viaLeft];
    words[m.viaSpan] = 0;
    words[m.viaLeft] = 0;
    if (elapsed > 0) {
      this.#via1.catchUp(elapsed);
      this.#via2.catchUp(elapsed);
    }
  }

  // ---- the processor's bus

  read(address: number): number {
    const byte = this.#read(address);
    this.#mechanics[m.busByte] = byte;
    return byte;
  }

  #read(address: number): number {
    if (address >= 0x8000) return this.#rom[address & 0x3fff] as number;
    const place = address & 0x1fff;
    if (place < 0x800) return this.#ram[place] as number;
    if (place < 0x1800) return this.#mechanics[m.busByte];
    this.#catchUpVias();
    if (place < 0x1c00) return this.#via1.read(place);
    if ((place & 15) === 0) this.#sense();
    return this.#via2.read(place);
  }

  write(address: number, value: number): void {
    this.#mechanics[m.busByte] = value;
    if (address >= 0x8000) return;
    const place = address & 0x1fff;
    if (place < 0x800) this.#ram[place] = value;
    else if (place >= 0x1800) this.#writeVia(place, value);
  }

  #writeVia(place: number, value: number): void {
    this.#catchUpVias();
    if (place < 0x1c00) {
      const before = this.#v1[via.pbOut];
      this.#via1.write(place, value);
      if (this.#v1[via.pbOut] !== before) this.#linesChanged();
      return;
    }
    this.#via2.write(place, value);
    const out = this.#v2[via.pbOut] & this.#v2[via.ddrb];
    if ((out & motorBit) !== 0) this.#head.follow(out & 3);
    this.#driveHead();
  }

  #driveHead(): void {
    this.#head.zone = (this.#v2[via.pbOut] >> 5) & 3;
    this.#head.isWriting = this.#v2[via.cb2Out] === 0 && !this.#isProtected;
  }

  /** SYNC and the light barrier on VIA 2's port B. */
  #sense(): void {
    this.#v2[via.pbIn] = 0x6f | (this.#head.isSync ? 0 : 0x80) | (this.#isProtected ? 0 : 0x10);
  }

  get #isProtected(): boolean {
    return this.#words[f.readOnly] !== 0 || this.#mechanics[m.swapLeft] > 0;
  }

  /** CA1 of VIA 2 and, while CA2 allows it, the processor's SO pin. */
  #byteReady(byte: number): void {
    this.#catchUpVias();
    this.#v2[via.paIn] = this.#head.isWriting ? 0xff : byte;
    this.#via2.setCa1(0);
    this.#via2.setCa1(1);
    if (this.#v2[via.ca2Out] !== 0) this.#cpu.state[cpu.v] = 1;
  }

  // ---- the serial bus

  /** The lines as they are now: 1 is high. */
  setLines(lines: number): void {
    const attention = (lines & attentionLine) === 0;
    const number = (this.unit - 8) << 5;
    this.#v1[via.pbIn] =
      0x1a | number | ((lines & dataLine) === 0 ? 1 : 0) | ((lines & clockLine) === 0 ? 4 : 0) | (attention ? 0x80 : 0);
    const level = attention ? 1 : 0;
    if (this.#v1[via.ca1] === level) return;
    this.#catchUpVias();
    this.#via1.setCa1(level);
  }

  /**
   * The lines that it pulls low: a pin that is an input floats high, which does that too. A gate pulls data as long as
   * attention is not answered with ATNA.
   */
  pulled(lines: number): number {
    const out = this.#v1[via.pbOut];
    const attention = (lines & attentionLine) === 0;
    const isUnanswered = attention !== ((out & 0x10) !== 0);
    return ((out & 8) !== 0 ? clockLine : 0) | ((out & 2) !== 0 || isUnanswered ? dataLine : 0);
  }

  // ---- from outside

  insert(file: Uint8Array, readOnly: boolean): void {
    this.slot.insert(file, readOnly);
    this.#mechanics[m.swapLeft] = swapCycles;
    this.restored();
  }

  eject(): void {
    this.slot.eject();
    this.#mechanics[m.swapLeft] = swapCycles;
    this.restored();
  }

  get isLightOn(): boolean {
    return (this.#v2[via.pbOut] & this.#v2[via.ddrb] & lightBit) !== 0;
  }

  get track(): number {
    return this.#mechanics[m.halfTrack] / 2 + 1;
  }

  /** Whether its processor is between two instructions. */
  get isBetweenInstructions(): boolean {
    return (this.#cpu.state[cpu.step] & 7) === 0;
  }

  /** Of the next instruction, or of the one under way. */
  get pc(): number {
    const { state } = this.#cpu;
    return this.isBetweenInstructions ? state[cpu.pc] : state[cpu.instructionPc];
  }

  /** Its chips, for those who look at them. */
  get parts(): { readonly cpu: Mos6510State; readonly via1: Via6522State; readonly via2: Via6522State } {
    return { cpu: this.#cpu.state, via1: this.#v1, via2: this.#v2 };
  }

  /** What its processor sees, without side effects. */
  peek(address: number): number {
    if (address >= 0x8000) return this.#rom[address & 0x3fff] as number;
    const place = address & 0x1fff;
    if (place < 0x800) return this.#ram[place] as number;
    if (place < 0x1800) return this.#mechanics[m.busByte];
    this.#catchUpVias();
    this.#sense();
    return place < 0x1c00 ? this.#via1.peek(place) : this.#via2.peek(place);
  }

  poke(address: number, value: number): void {
    const place = address & 0x1fff;
    if (address < 0x8000 && place < 0x800) this.#ram[place] = value;
  }

  /** Rebuilds what is only a consequence of the words. */
  restored(): void {
    this.#head.reload();
    this.#driveHead();
  }
}
