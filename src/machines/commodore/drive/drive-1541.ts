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
import { runDriveInstructions } from '../../../chips/mos6510/drive-instructions.generated.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { fields as via } from '../../../chips/via6522/fields.ts';
import { viaInterrupt } from '../../../chips/via6522/via6522.ts';
import type { DiskShelf } from './disk-shelf.ts';
import type { DriveUnit, DriveWords } from './drive-state.ts';
import { GcrDrive } from './gcr-drive.ts';
import { LineOutlook } from './line-outlook.ts';
import { mechanicsFields as m } from './processor-state.ts';
import type { DriveParts, RealDrive } from './real-drive.ts';
import { isPort } from './via-port.ts';
import { signalAfter } from './vice-overflow.ts';
import { timerAsVice } from './vice-timer.ts';

const clockHz = 1_000_000;
export const driveRomBytes = 0x4000;

/** Shorter stretches are left to single cycles. */
const shortestRun = 3;
const ramBytes = 0x800;
const romStart = 0xc000;

/** Where its processor finds plain memory: RAM and the ROM at $C000; mirrors are left to single cycles. */
const readable = Int32Array.from({ length: 256 }, (_, page) => (page < 8 || page >= 0xc0 ? 0 : -1));
const writable = Int32Array.from({ length: 256 }, (_, page) => (page < 8 ? 0 : -1));

/** No instruction writes to a chip before its fourth cycle. */
const firstWrite = 4;

/** By opcode: how many cycles no chip can be written in, from its first one on. */
const cyclesWithoutWrite = Uint8Array.from(opcodes, ({ documented, pattern, mode, cycles }) => {
  const isWriter = !documented || ((pattern === 'write' || pattern === 'modify') && !mode.startsWith('zeropage'));
  return isWriter ? firstWrite - 1 : cycles + firstWrite - 1;
});

/** The last one worked out: drives have the same ROM as a rule, though not the same copy of it. */
let known: { readonly rom: Uint8Array; readonly outlook: LineOutlook } | undefined;

function outlookOf(rom: Uint8Array): LineOutlook {
  const isKnown = known?.rom === rom || rom.every((byte, place) => byte === known?.rom[place]);
  if (!known || !isKnown) known = { rom, outlook: new LineOutlook(rom) };
  return known.outlook;
}

export class Drive1541 extends GcrDrive implements RealDrive {
  readonly model = '1541';
  readonly ticksPerMicrosecond = 1;
  readonly wakingTicks = 2_000_000;
  protected override readonly swapTicks = 400_000;
  readonly #rom: Uint8Array;
  /** RAM as it is in the words, which follow it in `catchUp`, and ROM: what the processor sees. */
  #memory: Uint8Array = new Uint8Array();
  #ram: Uint8Array = new Uint8Array();
  readonly #kept: Uint8Array;
  readonly #cpu: Mos6510;
  #outlook: LineOutlook | undefined;
  /** Whether the run of instructions has accessed a chip. */
  #hasAccessed = false;
  /** Whether instructions are being run, which have the overflow flag with them, and whether the head has set it meanwhile. */
  #isRunning = false;
  #isOverflow = false;

  /** `linesChanged`: it pulls other lines of the bus than before. */
  constructor(unit: DriveUnit, words: DriveWords, rom: Uint8Array, shelf: DiskShelf, linesChanged: () => void) {
    super(unit, words, shelf, clockHz, linesChanged);
    this.#rom = rom;
    const parts = this.partsWith(ramBytes);
    this.#kept = parts.ram;
    this.#cpu = new Mos6510(parts.cpu, this);
  }

  // ---- power and time

  powerUp(now: number): void {
    this.mechanics.fill(0);
    this.#kept.fill(0);
    this.restored();
    this.mechanics[m.ranTo] = now;
    this.powerUpVias();
    this.#cpu.powerUp();
    this.reset();
  }

  /** From now on head and byte signal work as those of VICE do, and it has so many cycles in a second of the computer's. */
  workAsVice(hz = clockHz): void {
    this.clock.hz = hz;
    this.head.isAsVice = true;
  }

  /** The reset line. */
  reset(): void {
    this.catchUp();
    this.via1.reset();
    this.via2.reset();
    this.#cpu.reset();
    this.restored();
  }

  /** One cycle of its own. */
  tick(): boolean {
    const words = this.mechanics;
    const left = words[m.viaLeft];
    if (left > 0) words[m.viaLeft] = left - 1;
    else this.#tickVias();
    if (this.isTurning) this.head.turn();
    if (words[m.swapLeft] > 0) words[m.swapLeft] -= 1;
    const { state } = this.#cpu;
    state[cpu.irqLine] = this.v1[via.irq] | this.v2[via.irq];
    const step = state[cpu.step];
    this.#cpu.tick();
    if (words[m.byteReady] !== 0) words[m.byteReady] = signalAfter(state, step);
    return true;
  }

  /** Many cycles: whole instructions while neither a VIA nor the head has anything to do with the processor. */
  run(cycles: number): void {
    const { state } = this.#cpu;
    for (let left = cycles; left > 0; ) {
      const ran = (state[cpu.step] & 7) === 0 ? this.#runInstructions(left) : 0;
      if (ran === 0) this.tick();
      left -= ran === 0 ? 1 : ran;
    }
  }

  /** The same, and to the end of the instruction that is under way then; the answer is how many cycles were too many. */
  runWhole(cycles: number): number {
    if (cycles === 0) return 0;
    this.run(cycles);
    let ahead = 0;
    for (; !this.isBetweenInstructions; ahead++) this.tick();
    return ahead;
  }

  override runForLines(now: number, computerHz: number): number {
    const { state } = this.#cpu;
    for (let left = this.ticksDue(now, computerHz); left > 0; ) {
      let ran = 0;
      if ((state[cpu.step] & 7) === 0) {
        const sure = this.#cyclesWithoutWrite;
        if (left <= sure) {
          this.holdBack(left, computerHz);
          return now + this.clock.cyclesFor(sure, computerHz);
        }
        ran = this.#runInstructions(left);
      }
      if (ran === 0) this.tick();
      left -= ran === 0 ? 1 : ran;
    }
    return now;
  }

  /** In how many cycles from here on no chip that drives the lines can be written. */
  get #cyclesWithoutWrite(): number {
    const { state } = this.#cpu;
    const pc = state[cpu.pc];
    if (pc >= romStart) {
      const memory = this.#memory;
      const low = memory[0x100 | ((state[cpu.s] + 1) & 0xff)] as number;
      const high = memory[0x100 | ((state[cpu.s] + 2) & 0xff)] as number;
      this.#outlook ??= outlookOf(this.#rom);
      return this.#outlook.cyclesFrom(pc, low | (high << 8));
    }
    // What is not in `#memory` may be any instruction.
    if ((readable[pc >> 8] as number) < 0) return firstWrite - 1;
    return cyclesWithoutWrite[this.#memory[pc] as number] as number;
  }

  #runInstructions(limit: number): number {
    const words = this.mechanics;
    const { state } = this.#cpu;
    let free = Math.min(limit, words[m.viaLeft]);
    // The moment at which a byte is ready counts if it interrupts.
    const quiet = this.isTurning ? Math.min(free, this.head.quietCycles) : free;
    if ((this.v2[via.ier] & viaInterrupt.ca1) !== 0) free = quiet;
    if (free < shortestRun || words[m.swapLeft] > 0 || (this.isTurning && this.head.isAsVice)) return 0;
    const irq = this.v1[via.irq] | this.v2[via.irq];
    state[cpu.irqLine] = irq;
    if (state[cpu.pipe] !== 0 || (irq !== 0 && state[cpu.i] === 0)) return 0;
    this.#hasAccessed = false;
    this.#isRunning = true;
    const ran = runDriveInstructions(state, this.#memory, readable, writable, free, this, free - quiet);
    this.#isRunning = false;
    if (!this.#hasAccessed && ran > 0) this.#leaveAlone(ran);
    if (this.#isOverflow) {
      this.#isOverflow = false;
      state[cpu.v] = 1;
    }
    return ran;
  }

  /** So many cycles pass in which the VIAs only count. */
  #leaveAlone(cycles: number): void {
    this.mechanics[m.viaLeft] -= cycles;
    if (!this.isTurning) return;
    const { head } = this;
    let left = cycles;
    for (;;) {
      const quiet = Math.min(left, head.quietCycles);
      head.leaveAlone(quiet);
      left -= quiet;
      if (left === 0) return;
      head.turn();
      left -= 1;
    }
  }

  /** An access in the given cycle of the instructions that are being run; there is no other in that run. */
  readAt(address: number, cycle: number, last: number): number {
    this.#hasAccessed = true;
    this.#leaveAlone(cycle);
    this.mechanics[m.busByte] = last;
    return this.#read(address);
  }

  writeAt(address: number, value: number, cycle: number): void {
    this.#hasAccessed = true;
    this.#leaveAlone(cycle);
    this.write(address, value);
  }

  /** Brings what runs lazily up to the present. */
  catchUp(): void {
    this.catchUpVias();
    this.head.catchUp();
    this.senseHead();
    this.#kept.set(this.#ram);
    if (!this.isBetweenInstructions) return;
    // Of no consequence any more: the next cycle fetches an opcode.
    this.#cpu.forget();
    this.mechanics[m.busByte] = 0;
  }

  #tickVias(): void {
    this.catchUpVias();
    this.via1.tick();
    this.via2.tick();
    this.#planVias();
  }

  #planVias(): void {
    const span = Math.min(this.via1.quietCycles(), this.via2.quietCycles());
    this.mechanics[m.viaSpan] = span;
    this.mechanics[m.viaLeft] = span;
  }

  /** Brings the VIAs up to the present; they are then ticked every cycle until they have been. */
  protected override catchUpVias(): void {
    const words = this.mechanics;
    const elapsed = words[m.viaSpan] - words[m.viaLeft];
    words[m.viaSpan] = 0;
    words[m.viaLeft] = 0;
    if (elapsed > 0) {
      this.via1.catchUp(elapsed);
      this.via2.catchUp(elapsed);
    }
  }

  // ---- the processor's bus

  read(address: number): number {
    const byte = this.#read(address);
    this.mechanics[m.busByte] = byte;
    return byte;
  }

  #read(address: number): number {
    if (address >= 0x8000) return this.#rom[address & 0x3fff] as number;
    const place = address & 0x1fff;
    if (place < 0x800) return this.#ram[place] as number;
    if (place < 0x1800) return this.mechanics[m.busByte];
    const isFirst = place < 0x1c00;
    const isCounting = !isPort(place, isFirst ? this.v1 : this.v2);
    if (isCounting) this.catchUpVias();
    if (!isFirst && (place & 15) === 0) this.senseHead();
    if (!isFirst && this.head.isAsVice && !this.head.isWriting) this.v2[via.paIn] = this.head.byteSeen;
    const showing = this.head.isAsVice ? timerAsVice(place, isFirst ? this.v1 : this.v2) : -1;
    const read = isFirst ? this.via1.read(place) : this.via2.read(place);
    const value = showing < 0 ? read : showing;
    if (isCounting) this.#planVias();
    return value;
  }

  write(address: number, value: number): void {
    this.mechanics[m.busByte] = value;
    if (address >= 0x8000) return;
    const place = address & 0x1fff;
    if (place < 0x800) this.#ram[place] = value;
    else if (place >= 0x1800) this.#writeVia(place, value);
  }

  #writeVia(place: number, value: number): void {
    const isFirst = place < 0x1c00;
    if (!isPort(place, isFirst ? this.v1 : this.v2)) this.catchUpVias();
    if (isFirst) {
      const before = this.v1[via.pbOut];
      this.via1.write(place, value);
      if (this.v1[via.pbOut] !== before) this.linesChanged();
      return;
    }
    const wasTurning = this.isTurning;
    this.via2.write(place, value);
    this.driveHead();
    if (wasTurning && !this.isTurning && this.mechanics[m.byteReady] !== 0) {
      this.mechanics[m.byteReady] = 0;
      this.#cpu.state[cpu.v] = 1;
    }
    if (this.isTurning) this.head.follow(this.v2[via.pbOut] & this.v2[via.ddrb] & 3, !wasTurning);
  }

  /** CA1 of VIA 2 and, while CA2 allows it, the processor's SO pin. */
  protected override byteReady(byte: number): void {
    if (this.head.isAsVice) {
      this.mechanics[m.byteReady] |= this.v2[via.ca2Out];
      return;
    }
    this.v2[via.paIn] = this.head.isWriting ? 0xff : byte;
    this.via2.setCa1(0);
    this.via2.setCa1(1);
    if (this.v2[via.ca2Out] === 0) return;
    if (this.#isRunning) this.#isOverflow = true;
    else this.#cpu.state[cpu.v] = 1;
  }

  // ---- from outside

  get side(): number {
    return 0;
  }

  /** Its chips, for those who look at them. */
  get parts(): DriveParts {
    return { cpu: this.#cpu.state, vias: [this.v1, this.v2] };
  }

  /** What its processor sees, without side effects. */
  peek(address: number): number {
    if (address >= 0x8000) return this.#rom[address & 0x3fff] as number;
    const place = address & 0x1fff;
    if (place < 0x800) return this.#ram[place] as number;
    if (place < 0x1800) return this.mechanics[m.busByte];
    this.catchUpVias();
    this.senseHead();
    return place < 0x1c00 ? this.via1.peek(place) : this.via2.peek(place);
  }

  poke(address: number, value: number): void {
    const place = address & 0x1fff;
    if (address < 0x8000 && place < 0x800) this.#ram[place] = value;
  }

  spaceOf(address: number): 'ram' | 'rom' | 'io' {
    if (address >= 0x8000) return 'rom';
    return (address & 0x1fff) < 0x1800 ? 'ram' : 'io';
  }

  /** Rebuilds what is only a consequence of the words. */
  restored(): void {
    if (this.#memory.length === 0) {
      this.#memory = new Uint8Array(0x10000);
      this.#memory.set(this.#rom, 0xc000);
      this.#ram = this.#memory.subarray(0, ramBytes);
    }
    this.#ram.set(this.#kept);
    this.head.reload();
    this.driveHead();
  }
}
