/**
 * The C64's board: what is soldered to what. All state lies in one buffer (`c64Layout`); a snapshot is one copy of it.
 * One `tick()` is one cycle: VIC-II in phi1, then the CIAs, then the processor in phi2 (unless BA holds it).
 *
 * Not emulated here: the user port's other pins, the 512 cycles that measuring a paddle takes, DMA by cartridges, the switching glitches of the PLA and of the VIC's bank lines.
 */

import { runInstructions } from '../../../chips/mos6510/instructions.generated.ts';
import { IoPort } from '../../../chips/mos6510/io-port.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as ciaFields, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { Mos6526, type Mos6526Model } from '../../../chips/mos6526/mos6526.ts';
import { fields as sidFields } from '../../../chips/sid/fields.ts';
import { Sid, type SidModel } from '../../../chips/sid/sid.ts';
import { type Vic2State, fields as vicFields } from '../../../chips/vic2/fields.ts';
import type { Vic2Wires } from '../../../chips/vic2/memory-access.ts';
import { frameBytes, type Vic2Model } from '../../../chips/vic2/models.ts';
import { Vic2 } from '../../../chips/vic2/vic2.ts';
import { Datasette } from '../drive/datasette.ts';
import { DriveSet } from '../drive/drive-set.ts';
import { BoardDebugging, type C64Bank } from './board-debugging.ts';
import { type BoardState, boardFields, c64Layout } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import { ExpansionPort } from './expansion-port.ts';
import { matrixLevels } from './keyboard.ts';
import { LightPen } from './light-pen.ts';
import { MemoryMap, type RomImages, romBytes } from './memory-map.ts';
import { MemoryView } from './memory-view.ts';
import { fillPowerUpPattern } from './power-up.ts';

export interface C64Options {
  readonly roms: RomImages;
  readonly vic?: Vic2Model;
  readonly cia?: Mos6526Model;
  readonly sid?: SidModel;
  /** The DOS of a 1541, 16 KiB: with it, drives are real ones. */
  readonly driveRom?: Uint8Array | undefined;
  /** Makes $D7FF the exit-code register of VICE's test programs. */
  readonly debugCart?: boolean;
  /** Puts the state where other threads can read it. */
  readonly shared?: boolean;
  /** Runs every chip in every cycle: the same machine, slower, to prove the lazy one right. */
  readonly eager?: boolean;
}

export type { C64Bank } from './board-debugging.ts';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = (part: keyof typeof c64Layout.offsets, field: number) => (c64Layout.offsets[part] >> 2) + field;

const RDY = word('cpu', cpuFields.rdy);
const IRQ_LINE = word('cpu', cpuFields.irqLine);
const NMI_LINE = word('cpu', cpuFields.nmiLine);
const PC = word('cpu', cpuFields.pc);
const STEP = word('cpu', cpuFields.step);
const JAMMED = word('cpu', cpuFields.jammed);
const PIPE = word('cpu', cpuFields.pipe);
const NMI_LATCH = word('cpu', cpuFields.nmiLatch);
const NMI_SEEN = word('cpu', cpuFields.nmiSeen);
const MASKED = word('cpu', cpuFields.i);
const VIC_CYCLE = word('vic', vicFields.cycle);
const VIC_FREE = word('vic', vicFields.freeUntil);
const D011 = word('vic', vicFields.d011);
const D018 = word('vic', vicFields.d018);
const RASTER_LINE = word('vic', vicFields.rasterLine);
const START_OF_FRAME = word('vic', vicFields.startOfFrame);
const BA = word('vic', vicFields.ba);
const VIC_IRQ = word('vic', vicFields.irq);
const FRAME_COUNT = word('vic', vicFields.frameCount);
const CIA1_IRQ = word('cia1', ciaFields.irq);
const CIA2_IRQ = word('cia2', ciaFields.irq);
const POT_X = word('sid', sidFields.potX);
const POT_Y = word('sid', sidFields.potY);
const RESTORE = word('board', boardFields.restore);
const EXIT_CODE = word('board', boardFields.exitCode);
const CIA_SPAN = word('board', boardFields.ciaSpan);
const CIA_LEFT = word('board', boardFields.ciaLeft);

/** Shorter stretches are left to single cycles. */
const shortestRun = 3;

export class C64Board {
  readonly cpu: Mos6510;
  readonly port: IoPort;
  readonly vic: Vic2;
  readonly cia1: Mos6526;
  readonly cia2: Mos6526;
  readonly sid: Sid;
  readonly sidModel: SidModel;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly lightPen: LightPen;
  readonly memory: MemoryView;
  readonly expansion: ExpansionPort;
  /** All mutable state, as bytes. */
  readonly bytes: Uint8Array;
  readonly ram: Uint8Array;
  readonly color: Uint8Array;
  /** Words for the registers and the RAM of a cartridge. */
  readonly cartridgeState: Int32Array;
  /** The whole raster as palette indexes; not part of the state. */
  readonly frame: Uint8Array;

  readonly #words: Int32Array;
  readonly #cia1: Mos6526State;
  readonly #cia2: Mos6526State;
  readonly #board: BoardState;
  readonly #keys: Int32Array;
  readonly #clock: Float64Array;
  readonly #debugCart: boolean;
  readonly #eager: boolean;
  readonly #debugging: BoardDebugging;
  #timedAccess = false;
  /** Set by whoever covers `read` and `write` to see every access: they are then all made, one by one. */
  isWatched = false;
  /** Who runs the SID: itself, or somebody who listens to it. */
  #sound: SoundClock;

  constructor(options: C64Options) {
    const {
      roms,
      vic = '6569',
      cia = '6526',
      sid = '6581',
      debugCart = false,
      shared = false,
      eager = false,
    } = options;
    const { offsets, byteLength } = c64Layout;
    // ROMs lie behind the state, so that one view reaches all memory.
    const buffer = shared ? new SharedArrayBuffer(byteLength + romBytes) : new ArrayBuffer(byteLength + romBytes);
    const words = (part: keyof typeof offsets, next: keyof typeof offsets | 'end') => {
      const end = next === 'end' ? byteLength : offsets[next];
      return new Int32Array(buffer, offsets[part], (end - offsets[part]) >> 2);
    };
    this.bytes = new Uint8Array(buffer, 0, byteLength);
    this.ram = new Uint8Array(buffer, offsets.ram, 0x10000);
    this.color = new Uint8Array(buffer, offsets.color, 0x400);
    this.frame = new Uint8Array(shared ? new SharedArrayBuffer(frameBytes(vic)) : new ArrayBuffer(frameBytes(vic)));
    this.#clock = new Float64Array(buffer, offsets.clock, 2);
    this.#debugCart = debugCart;
    this.#eager = eager;

    this.#words = new Int32Array(buffer, 0, byteLength >> 2);
    this.#cia1 = words('cia1', 'cia2') as Mos6526State;
    this.#cia2 = words('cia2', 'sid') as Mos6526State;
    this.#board = words('board', 'end') as BoardState;
    this.#keys = this.#board.subarray(boardFields.keys, boardFields.keys + 8);

    const all = new Uint8Array(buffer);
    const map = new MemoryMap(all, byteLength, roms);
    this.memory = new MemoryView(all, map, this.#board, (pages) => this.vic.markPagesSeen(pages));
    this.expansion = new ExpansionPort(map, this.#board, this.ram, () => this.#remapped());
    this.cpu = new Mos6510(words('cpu', 'port'), this);
    this.port = new IoPort(words('port', 'vic'));
    this.vic = new Vic2(words('vic', 'cia1'), this.#vicWires(), vic, eager);
    this.cia1 = new Mos6526(this.#cia1, cia);
    this.cia2 = new Mos6526(this.#cia2, cia);
    this.sid = new Sid(words('sid', 'cartridge'), sid);
    this.sidModel = sid;
    this.#sound = this.sid;
    this.cartridgeState = words('cartridge', 'drives');
    const now = () => this.cycles;
    const planAnew = () => this.#catchUpCias();
    this.drives = new DriveSet(words('drives', 'tape'), {
      now,
      setSerialLines: (clock, data) => this.setSerialLines(clock, data),
      planAnew,
      clockHz: this.clockHz,
      driveRom: options.driveRom,
    });
    this.tape = new Datasette(words('tape', 'board'), this.drives.shelf, {
      now,
      pulse: () => {
        this.cia1.setFlag(0);
        this.cia1.setFlag(1);
      },
      setSense: (isDown) => this.port.setTapeSense(isDown),
      planAnew,
    });
    this.lightPen = new LightPen(this.#board, words('vic', 'cia1') as Vic2State, this.vic.timing, () =>
      this.#senseKeyboard(),
    );
    this.#debugging = new BoardDebugging(this);
    this.powerUp();
  }

  // ---- power and time

  powerUp(): void {
    const presence = this.drives.presence();
    const tape = this.tape.kept();
    this.bytes.fill(0);
    this.drives.powerUp(presence);
    this.tape.powerUp(tape);
    fillPowerUpPattern(this.ram);
    const isPal = this.vic.timing.cyclesPerLine === 63;
    const { clockHz } = this;
    this.vic.powerOn();
    this.sid.powerOn();
    this.cia1.powerOn(clockHz, isPal ? 50 : 60);
    this.cia2.powerOn(clockHz, isPal ? 50 : 60);
    Object.assign(this.#board, {
      [boardFields.game]: 1,
      [boardFields.exrom]: 1,
      [boardFields.iecClock]: 1,
      [boardFields.iecData]: 1,
    });
    this.cpu.powerUp();
    this.reset();
  }

  /** The RES line: it reaches the processor, the CIAs and the SID, not the VIC-II. */
  reset(): void {
    this.port.reset();
    this.tape.setMotor(false);
    this.#catchUpCias();
    this.cia1.reset();
    this.cia2.reset();
    this.#catchUpSid();
    this.sid.reset();
    this.cpu.reset();
    this.drives.reset();
    this.expansion.reset();
    this.#portAChanged();
  }

  /** Cycles in a second. */
  get clockHz(): number {
    return this.vic.timing.cyclesPerLine === 63 ? 985_248 : 1_022_730;
  }

  /** Cycles since power-up. */
  get cycles(): number {
    return this.#clock[0] as number;
  }

  get frameCount(): number {
    return this.#words[FRAME_COUNT] as number;
  }

  /** The exit code a test program left, or undefined. */
  get exitCode(): number | undefined {
    const code = this.#words[EXIT_CODE] as number;
    return code === 0 ? undefined : code & 0xff;
  }

  /** One cycle. */
  tick(): void {
    this.#cycle();
    this.vic.settle();
  }

  runCycles(cycles: number): void {
    const words = this.#words;
    const isFree = !this.#eager && !this.isWatched;
    let left = cycles;
    while (left > 0) {
      if (isFree && (words[BA] === 0 || ((words[STEP] as number) & 7) === 0)) {
        const passed = this.#passFreely(left);
        left -= passed;
        if (passed > 0) continue;
      }
      this.#cycle();
      left -= 1;
    }
    this.vic.settle();
  }

  /** The schematic in time: VIC-II, CIAs, their lines to the processor, the processor. */
  #cycle(): void {
    const words = this.#words;
    if ((words[VIC_CYCLE] as number) < (words[VIC_FREE] as number)) (words[VIC_CYCLE] as number) += 1;
    else this.vic.tick();
    const left = words[CIA_LEFT] as number;
    if (left > 0) words[CIA_LEFT] = left - 1;
    else this.#tickCias();
    this.#sampleLines();
    this.cpu.tick();
    (this.#clock[0] as number) += 1;
  }

  /** The lines to the processor. */
  #sampleLines(): void {
    const words = this.#words;
    words[RDY] = words[BA] as number;
    words[IRQ_LINE] = (words[VIC_IRQ] as number) | (words[CIA1_IRQ] as number);
    words[NMI_LINE] = (words[CIA2_IRQ] as number) | (words[RESTORE] as number);
  }

  /**
   * Many cycles at once, while no chip has anything to do with the processor: whole instructions, or the wait for the bus.
   * The answer is how many cycles have passed, at most `limit`.
   */
  #passFreely(limit: number): number {
    const words = this.#words;
    const vicFree = (words[VIC_FREE] as number) - (words[VIC_CYCLE] as number);
    const free = Math.min(limit, vicFree, words[CIA_LEFT] as number);
    if (free < shortestRun) return 0;
    this.#sampleLines();
    if (words[BA] !== 0) return this.#runInstructions(free);
    if (!this.cpu.isHeld) return 0;
    this.#pass(free);
    (this.#clock[0] as number) += free;
    return free;
  }

  /** The CIAs and the VIC have nothing to do for so many cycles. */
  #pass(cycles: number): void {
    (this.#words[VIC_CYCLE] as number) += cycles;
    (this.#words[CIA_LEFT] as number) -= cycles;
  }

  #runInstructions(budget: number): number {
    const words = this.#words;
    const { memory } = this;
    const isInterrupted =
      ((words[PIPE] as number) | (words[NMI_LATCH] as number)) !== 0 ||
      words[NMI_LINE] !== words[NMI_SEEN] ||
      (words[IRQ_LINE] !== 0 && words[MASKED] === 0);
    if (isInterrupted || memory.isLowSeen) return 0;
    const start = this.#clock[0] as number;
    this.#timedAccess = false;
    const ran = runInstructions(this.cpu.state, memory.bytes, memory.reads, memory.unseenWrites, budget, this);
    if (!this.#timedAccess) this.#pass(ran);
    this.#clock[0] = start + ran;
    return ran;
  }

  /** An access in the given cycle of the instructions that are being run; there is no other in that run. */
  readAt(address: number, cycle: number): number {
    this.#goTo(cycle);
    return this.read(address);
  }

  writeAt(address: number, value: number, cycle: number): void {
    this.#goTo(cycle);
    this.write(address, value);
  }

  #goTo(cycle: number): void {
    this.#timedAccess = true;
    this.#pass(cycle);
    (this.#clock[0] as number) += cycle - 1;
  }

  /** Runs to the end of the instruction in progress, or through the next one. False if the processor is jammed. */
  stepInstruction(): boolean {
    do this.#cycle();
    while (((this.#words[STEP] as number) & 7) !== 0 && this.#words[JAMMED] === 0);
    this.vic.settle();
    return this.#words[JAMMED] === 0;
  }

  /** Runs until the next opcode fetched lies at `address`; false if that did not happen within `maxCycles`. */
  runUntilPc(address: number, maxCycles: number): boolean {
    for (let i = 0; i < maxCycles; i += 1) {
      this.#cycle();
      if (this.#words[PC] !== address || ((this.#words[STEP] as number) & 7) !== 0) continue;
      this.vic.settle();
      return true;
    }
    this.vic.settle();
    return false;
  }

  /** Runs until a test program has left its exit code, and at most a line longer; false if it did not within `maxCycles`. */
  runUntilExit(maxCycles: number): boolean {
    const sliceCycles = 63;
    for (let left = maxCycles; left > 0 && this.exitCode === undefined; left -= sliceCycles) {
      this.runCycles(Math.min(left, sliceCycles));
    }
    return this.exitCode !== undefined;
  }

  /** Runs to the cycle in which the next frame begins. */
  runUntilFrame(): void {
    const { cyclesPerLine, lines } = this.vic.timing;
    const frame = this.frameCount;
    // The frame begins in the second cycle behind its last line.
    const linesLeft = this.#words[START_OF_FRAME] !== 0 ? 0 : lines - (this.#words[RASTER_LINE] as number);
    if (linesLeft > 0) this.runCycles(linesLeft * cyclesPerLine - (this.#words[VIC_CYCLE] as number));
    while (this.frameCount === frame) this.tick();
  }

  // ---- the processor's bus

  read(address: number): number {
    const { memory } = this;
    const base = memory.reads[address >> 8] as number;
    if (base >= 0) return memory.bytes[base + address] as number;
    if (address > 0xff) return this.#readUnmapped(address);
    return address > 1 ? (memory.bytes[address] as number) : this.port.read(address, this.#clock[0] as number);
  }

  write(address: number, value: number): void {
    const { memory } = this;
    if (memory.seen[address >> 8] !== 0) this.vic.catchUpAccesses();
    const base = memory.writes[address >> 8] as number;
    if (base >= 0) memory.bytes[base + address] = value;
    else if (address > 0xff) this.#writeUnmapped(address, value);
    else if (address > 1) memory.bytes[address] = value;
    else this.#writePort(address, value);
  }

  /** What an access that nobody answers reads: the byte the VIC-II left on the bus in phi1. */
  #openBus(): number {
    return this.vic.phi1Byte();
  }

  #writePort(register: number, value: number): void {
    // The processor does not drive the bus when it writes to its own port: RAM gets what the VIC left there.
    this.ram[register] = this.#openBus();
    this.port.write(register, value, this.#clock[0] as number);
    this.portChanged();
  }

  #readUnmapped(address: number): number {
    if (address >> 12 !== 0xd) return this.#openBus();
    switch ((address >> 8) & 15) {
      case 0:
      case 1:
      case 2:
      case 3:
        return this.vic.read(address & 63);
      case 4:
      case 5:
      case 6:
      case 7:
        this.#catchUpSid();
        return this.sid.read(address & 31);
      case 8:
      case 9:
      case 10:
      case 11:
        return ((this.color[address & 0x3ff] as number) & 15) | (this.#openBus() & 0xf0);
      case 12:
        this.#catchUpCias();
        if ((address & 14) === 0) this.#senseKeyboard();
        return this.cia1.read(address & 15);
      case 13:
        this.#catchUpCias();
        if ((address & 15) === 0) this.drives.catchUp();
        return this.cia2.read(address & 15);
      default:
        return this.expansion.read(address) ?? this.#openBus();
    }
  }

  #writeUnmapped(address: number, value: number): void {
    if (address >> 12 !== 0xd) {
      if (address >> 13 === 4) this.expansion.writeLow(address, value);
      else if (address >> 13 === 7) this.expansion.writeHigh(address, value);
      return;
    }
    switch ((address >> 8) & 15) {
      case 0:
      case 1:
      case 2:
      case 3:
        this.#writeVic(address & 63, value);
        break;
      case 4:
      case 5:
      case 6:
      case 7:
        if (address === 0xd7ff && this.#debugCart) this.#words[EXIT_CODE] = 0x100 | value;
        this.#catchUpSid();
        this.sid.write(address & 31, value);
        break;
      case 8:
      case 9:
      case 10:
      case 11:
        this.vic.catchUpAccesses();
        this.color[address & 0x3ff] = value & 15;
        break;
      case 12:
        this.#catchUpCias();
        this.cia1.write(address & 15, value);
        if ((address & 15) < 4) this.#senseKeyboard();
        break;
      case 13:
        this.#catchUpCias();
        this.cia2.write(address & 15, value);
        if ((address & 13) === 0) this.#portAChanged();
        break;
      default:
        this.expansion.write(address, value);
    }
  }

  #writeVic(register: number, value: number): void {
    const words = this.#words;
    const before = ((words[D011] as number) & 0x60) | ((words[D018] as number) << 8);
    this.vic.write(register, value);
    const after = ((words[D011] as number) & 0x60) | ((words[D018] as number) << 8);
    if (after !== before) this.memory.seenChanged();
  }

  /** A cycle in which a CIA has something to do besides counting, or a drive something on the bus. */
  #tickCias(): void {
    this.#catchUpCias();
    this.cia1.tick();
    this.cia2.tick();
    this.drives.tick();
    this.tape.tick();
    this.lightPen.tick();
    this.#planCias();
  }

  /** Brings the CIAs up to the present; they are then ticked every cycle until `#planCias`. */
  #catchUpCias(): void {
    const words = this.#words;
    const elapsed = (words[CIA_SPAN] as number) - (words[CIA_LEFT] as number);
    words[CIA_SPAN] = 0;
    words[CIA_LEFT] = 0;
    if (elapsed > 0) {
      this.cia1.catchUp(elapsed);
      this.cia2.catchUp(elapsed);
    }
  }

  #planCias(): void {
    const span = this.#eager
      ? 0
      : Math.min(
          this.cia1.quietCycles(),
          this.cia2.quietCycles(),
          this.drives.quietCycles(),
          this.tape.quietCycles(),
          this.lightPen.quietCycles(),
        );
    this.#words[CIA_SPAN] = span;
    this.#words[CIA_LEFT] = span;
  }

  #catchUpSid(): void {
    const now = this.#clock[0] as number;
    const behind = now - (this.#clock[1] as number);
    if (behind > 0) {
      this.#clock[1] = now;
      this.#sound.catchUp(behind);
    }
  }

  // ---- the VIC-II's bus

  fetch(address14: number): number {
    return this.memory.fetch(address14);
  }

  isCharacterRom(address14: number): boolean {
    return this.memory.isCharacterRom(address14);
  }

  #vicWires(): Vic2Wires {
    const { memory, color, frame } = this;
    return {
      memory: memory.bytes,
      pages: memory.vicPages,
      color,
      frame,
      fetch: (address14) => memory.fetch(address14),
      isCharacterRom: (address14) => memory.isCharacterRom(address14),
      cpuBusByte: () => this.#cpuBusByte(),
    };
  }

  /** While BA is low and the processor waits, the bus carries the byte it wants to read. */
  #cpuBusByte(): number {
    const address = this.cpu.nextRead;
    if (address >= 0 && address < 0x100) return this.ram[address] as number;
    const base = address < 0 ? -1 : (this.memory.reads[address >> 8] as number);
    return base < 0 ? (this.ram[this.#words[PC] as number] as number) : (this.memory.bytes[base + address] as number);
  }

  // ---- wires between the parts

  /** CIA 2, port A: VIC bank (inverted), serial bus (inverted on its way out, and what is on the wire comes back). */
  #portAChanged(): void {
    const out = this.#cia2[ciaFields.paOut];
    const bank = ~out & 3;
    this.#iecChanged();
    this.drives.setComputerLines((out & 8) === 0, (out & 16) === 0, (out & 32) === 0);
    if (bank !== this.#board[boardFields.vicBank]) {
      this.vic.catchUpAccesses();
      this.#board[boardFields.vicBank] = bank;
      this.memory.rebankVic();
    }
  }

  #iecChanged(): void {
    // A pin that is an input floats high, which the inverters turn into a line pulled low.
    const driven = this.#cia2[ciaFields.paOut];
    const clock = (driven & 0x10) === 0 && this.#board[boardFields.iecClock] !== 0;
    const data = (driven & 0x20) === 0 && this.#board[boardFields.iecData] !== 0;
    this.#cia2[ciaFields.paIn] = 0x3f | (clock ? 0x40 : 0) | (data ? 0x80 : 0);
  }

  /** CIA 1: columns on port A with joystick 2, rows on port B with joystick 1; row 4 is the light pen's line too. */
  #senseKeyboard(): void {
    const cia = this.#cia1;
    const board = this.#board;
    const stick2 = ~board[boardFields.joystick2] & 0xff;
    const stick1 = ~board[boardFields.joystick1] & (board[boardFields.penLow] === 0 ? 0xff : 0xef);
    const { columns, rows } = matrixLevels(this.#keys, cia[ciaFields.paOut] & stick2, cia[ciaFields.pbOut] & stick1);
    cia[ciaFields.paIn] = columns;
    cia[ciaFields.pbIn] = rows;
    this.vic.setLightPen((rows >> 4) & 1);
    if (board[boardFields.potPorts] !== 0) this.#sensePaddles(cia[ciaFields.paOut] >> 6);
  }

  /** Port A's upper bits switch the paddles of control port 1 (bit 6), 2 (bit 7) or both through to the SID. */
  #sensePaddles(selected: number): void {
    const pots = this.#board[boardFields.pots];
    const ports = this.#board[boardFields.potPorts] & selected;
    this.#words[POT_X] = parallel(ports & 1 ? pots & 255 : 255, ports & 2 ? (pots >> 16) & 255 : 255);
    this.#words[POT_Y] = parallel(ports & 1 ? (pots >> 8) & 255 : 255, ports & 2 ? pots >>> 24 : 255);
  }

  /** The processor's port has changed: banking, and the motor of the datasette. */
  portChanged(): void {
    this.tape.setMotor(this.port.tapeMotor);
    this.memory.rebank(this.port.banking);
  }

  #remapped(): void {
    this.vic.catchUpAccesses();
    this.memory.rebank(this.port.banking);
    this.memory.rebankVic();
  }

  // ---- from outside

  /** Presses or releases the key at a column (CIA 1 port A) and row (port B) of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    const bit = 1 << row;
    const now = this.#keys[column] ?? 0;
    this.#keys[column] = isDown ? now | bit : now & ~bit;
    this.#senseKeyboard();
  }

  releaseAllKeys(): void {
    this.#keys.fill(0);
    this.#words[RESTORE] = 0;
    this.#senseKeyboard();
  }

  /** RESTORE is no part of the matrix: it pulls the NMI line. */
  setRestore(isDown: boolean): void {
    this.#words[RESTORE] = isDown ? 1 : 0;
  }

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: 1 | 2, pressed: number): void {
    this.#board[port === 1 ? boardFields.joystick1 : boardFields.joystick2] = pressed & 31;
    this.#senseKeyboard();
  }

  /** Paddles, or a mouse that pretends to be some, with positions from 0 to 255. */
  setPaddles(port: 1 | 2, x: number, y: number): void {
    const board = this.#board;
    const shift = port === 1 ? 0 : 16;
    board[boardFields.pots] = (board[boardFields.pots] & ~(0xffff << shift)) | ((x | (y << 8)) << shift);
    board[boardFields.potPorts] |= port;
    this.#senseKeyboard();
  }

  /** The positions of a port's paddles. */
  paddles(port: 1 | 2): { readonly x: number; readonly y: number } {
    const pots = this.#board[boardFields.pots] >> (port === 1 ? 0 : 16);
    return { x: pots & 255, y: (pots >> 8) & 255 };
  }

  /** Pixels of what a monitor shows; undefined takes the pen away. */
  aimLightPen(at: { readonly x: number; readonly y: number } | undefined): void {
    this.#catchUpCias();
    if (at) this.lightPen.aim(at.x, at.y);
    else this.lightPen.lift();
  }

  /** From now on this runs the SID, which must be the same as if it did so itself. */
  listen(listener: SoundClock | undefined): void {
    this.#catchUpSid();
    this.#sound = listener ?? this.sid;
  }

  /** Plugs a cartridge in, or pulls it out; both want a `reset()` afterwards, as on the real machine. */
  insertCartridge(cartridge: CartridgePort | undefined): void {
    this.expansion.insert(cartridge);
  }

  /** Presses the cartridge's freeze button; false if it has none. */
  freeze(): boolean {
    if (!this.expansion.freeze()) return false;
    this.cpu.state[cpuFields.nmiLatch] = 1;
    return true;
  }

  /** Lines of the serial bus as drives pull them: false = low. */
  setSerialLines(clock: boolean, data: boolean): void {
    this.#board[boardFields.iecClock] = clock ? 1 : 0;
    this.#board[boardFields.iecData] = data ? 1 : 0;
    this.#iecChanged();
  }

  /** Lines of the serial bus as the computer pulls them: false = low. */
  get serialLines(): { readonly atn: boolean; readonly clock: boolean; readonly data: boolean } {
    const out = this.#cia2[ciaFields.paOut];
    return { atn: (out & 8) === 0, clock: (out & 16) === 0, data: (out & 32) === 0 };
  }

  // ---- for debuggers: nothing here disturbs the machine

  peek(bank: C64Bank, address: number): number {
    return this.#debugging.peek(bank, address);
  }

  poke(bank: C64Bank, address: number, value: number): void {
    this.#debugging.poke(bank, address, value);
  }

  // ---- picture and snapshots

  /** The part of the raster a monitor shows: 384 x 272 palette indexes on PAL. */
  visibleFrame(): { readonly width: number; readonly height: number; readonly pixels: Uint8Array } {
    this.vic.catchUp();
    const { cyclesPerLine, lines, visible } = this.vic.timing;
    const { x, y, width, height } = visible;
    const pixels = new Uint8Array(width * height);
    for (let row = 0; row < height; row += 1) {
      const start = ((y + row) % lines) * cyclesPerLine * 8 + x;
      pixels.set(this.frame.subarray(start, start + width), row * width);
    }
    return { width, height, pixels };
  }

  /** Copies the whole state into `target`, with everything that runs lazily brought up to date first. */
  snapshot(target: Uint8Array = new Uint8Array(c64Layout.byteLength)): Uint8Array {
    this.catchUp();
    target.set(this.bytes);
    return target;
  }

  /** Brings everything that runs lazily up to the present. */
  catchUp(): void {
    this.vic.catchUp();
    this.#catchUpCias();
    this.#catchUpSid();
    this.drives.bringUpToDate();
    this.cpu.forget();
  }

  restore(snapshot: Uint8Array): void {
    this.bytes.set(snapshot);
    this.restored();
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  restored(): void {
    this.cia1.restored();
    this.cia2.restored();
    this.drives.restored();
    this.tape.restored();
    this.expansion.restored();
    this.#senseKeyboard();
    this.#portAChanged();
  }
}

/** Something that lets the SID's time pass. */
export interface SoundClock {
  catchUp(cycles: number): void;
}

/** Two resistances on one pin, where 255 is none. */
function parallel(one: number, other: number): number {
  if (one === 255) return other;
  return other === 255 ? one : Math.floor((one * other) / Math.max(1, one + other));
}
