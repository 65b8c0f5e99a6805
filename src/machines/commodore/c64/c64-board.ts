/**
 * The C64's board: what is soldered to what. All state lies in one buffer (`c64Layout`); a snapshot is one copy of it.
 * One `tick()` is one cycle (see `BoardTime`): VIC-II in phi1, then the CIAs, then the processor in phi2 (unless BA holds it).
 *
 * Not emulated here: the user port's other pins, the 512 cycles that measuring a paddle takes, DMA by cartridges, the switching glitches of the PLA and of the VIC's bank lines.
 */

import { IoPort } from '../../../chips/mos6510/io-port.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as ciaFields, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { Mos6526, type Mos6526Model } from '../../../chips/mos6526/mos6526.ts';
import { Sid, type SidModel } from '../../../chips/sid/sid.ts';
import { type Vic2State, fields as vicFields } from '../../../chips/vic2/fields.ts';
import type { Vic2Wires } from '../../../chips/vic2/memory-access.ts';
import { frameBytes, type Vic2Model } from '../../../chips/vic2/models.ts';
import { Vic2 } from '../../../chips/vic2/vic2.ts';
import { Datasette } from '../drive/datasette.ts';
import { DriveSet } from '../drive/drive-set.ts';
import { BoardDebugging, type C64Bank } from './board-debugging.ts';
import { BoardTime } from './board-time.ts';
import { type BoardState, boardFields, c64Layout } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import { ControlPorts } from './control-ports.ts';
import { ExpansionPort } from './expansion-port.ts';
import { IoArea } from './io-area.ts';
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

/** A word of a part, counted from the start of the buffer. */
const word = (part: keyof typeof c64Layout.offsets, field: number) => (c64Layout.offsets[part] >> 2) + field;

const PC = word('cpu', cpuFields.pc);
const STEP = word('cpu', cpuFields.step);
const JAMMED = word('cpu', cpuFields.jammed);
const VIC_CYCLE = word('vic', vicFields.cycle);
const RASTER_LINE = word('vic', vicFields.rasterLine);
const START_OF_FRAME = word('vic', vicFields.startOfFrame);
const FRAME_COUNT = word('vic', vicFields.frameCount);
const RESTORE = word('board', boardFields.restore);
const EXIT_CODE = word('board', boardFields.exitCode);

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
  readonly #cia2: Mos6526State;
  readonly #board: BoardState;
  readonly #clock: Float64Array;
  readonly #time: BoardTime;
  readonly #ports: ControlPorts;
  readonly #io: IoArea;
  readonly #debugging: BoardDebugging;
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

    this.#words = new Int32Array(buffer, 0, byteLength >> 2);
    const cia1State = words('cia1', 'cia2') as Mos6526State;
    const vicState = words('vic', 'cia1') as Vic2State;
    const sidState = words('sid', 'cartridge');
    this.#cia2 = words('cia2', 'sid') as Mos6526State;
    this.#board = words('board', 'end') as BoardState;

    const all = new Uint8Array(buffer);
    const map = new MemoryMap(all, byteLength, roms);
    this.memory = new MemoryView(all, map, this.#board, (pages) => this.vic.markPagesSeen(pages));
    this.expansion = new ExpansionPort(map, this.#board, this.ram, () => this.#remapped());
    this.cpu = new Mos6510(words('cpu', 'port'), this);
    this.port = new IoPort(words('port', 'vic'));
    this.vic = new Vic2(vicState, this.#vicWires(), vic, eager);
    this.cia1 = new Mos6526(cia1State, cia);
    this.cia2 = new Mos6526(this.#cia2, cia);
    this.sid = new Sid(sidState, sid);
    this.sidModel = sid;
    this.#sound = this.sid;
    this.cartridgeState = words('cartridge', 'drives');
    const now = () => this.cycles;
    const planAnew = () => this.#time.catchUpCias();
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
    this.#ports = new ControlPorts(this.#board, cia1State, sidState, (level) => this.vic.setLightPen(level));
    this.lightPen = new LightPen(this.#board, vicState, this.vic.timing, () => this.#ports.sense());
    this.#time = new BoardTime(this.#words, this.#clock, eager, {
      ...this.#chips(),
      bus: this,
      timed: [this.drives, this.tape, this.lightPen],
    });
    this.#io = new IoArea({
      ...this.#chips(),
      vicState,
      color: this.color,
      ports: this.#ports,
      expansion: this.expansion,
      catchUpCias: () => this.#time.catchUpCias(),
      catchUpSid: () => this.#catchUpSid(),
      catchUpDrives: () => this.drives.catchUp(),
      portAChanged: () => this.#portAChanged(),
      exit: debugCart ? (code) => this.#exit(code) : undefined,
    });
    this.#debugging = new BoardDebugging(this);
    this.powerUp();
  }

  #chips() {
    const { cpu, vic, cia1, cia2, sid, memory } = this;
    return { cpu, vic, cia1, cia2, sid, memory };
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
    this.#time.catchUpCias();
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

  #exit(code: number): void {
    this.#words[EXIT_CODE] = 0x100 | code;
  }

  /** One cycle. */
  tick(): void {
    this.#time.cycle();
    this.vic.settle();
  }

  runCycles(cycles: number): void {
    this.#time.run(cycles);
    this.vic.settle();
  }

  /** Set by whoever covers `read` and `write` to see every access: they are then all made, one by one. */
  get isWatched(): boolean {
    return this.#time.isWatched;
  }

  set isWatched(isWatched: boolean) {
    this.#time.isWatched = isWatched;
  }

  /** Runs to the end of the instruction in progress, or through the next one. False if the processor is jammed. */
  stepInstruction(): boolean {
    do this.#time.cycle();
    while (((this.#words[STEP] as number) & 7) !== 0 && this.#words[JAMMED] === 0);
    this.vic.settle();
    return this.#words[JAMMED] === 0;
  }

  /** Runs until the next opcode fetched lies at `address`; false if that did not happen within `maxCycles`. */
  runUntilPc(address: number, maxCycles: number): boolean {
    for (let i = 0; i < maxCycles; i += 1) {
      this.#time.cycle();
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
    if (address > 0xff) return this.#io.read(address);
    return address > 1 ? (memory.bytes[address] as number) : this.port.read(address, this.#clock[0] as number);
  }

  write(address: number, value: number): void {
    const { memory } = this;
    if (memory.seen[address >> 8] !== 0) this.vic.catchUpAccesses();
    const base = memory.writes[address >> 8] as number;
    if (base >= 0) memory.bytes[base + address] = value;
    else if (address > 0xff) this.#io.write(address, value);
    else if (address > 1) memory.bytes[address] = value;
    else this.#writePort(address, value);
  }

  #writePort(register: number, value: number): void {
    // The processor does not drive the bus when it writes to its own port: RAM gets what the VIC left there.
    this.ram[register] = this.vic.phi1Byte();
    this.port.write(register, value, this.#clock[0] as number);
    this.portChanged();
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
    this.#ports.setKey(column, row, isDown);
  }

  releaseAllKeys(): void {
    this.setRestore(false);
    this.#ports.releaseAllKeys();
  }

  /** RESTORE is no part of the matrix: it pulls the NMI line. */
  setRestore(isDown: boolean): void {
    this.#words[RESTORE] = isDown ? 1 : 0;
  }

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: 1 | 2, pressed: number): void {
    this.#ports.setJoystick(port, pressed);
  }

  /** Paddles, or a mouse that pretends to be some, with positions from 0 to 255. */
  setPaddles(port: 1 | 2, x: number, y: number): void {
    this.#ports.setPaddles(port, x, y);
  }

  /** The positions of a port's paddles. */
  paddles(port: 1 | 2): { readonly x: number; readonly y: number } {
    return this.#ports.paddles(port);
  }

  /** Pixels of what a monitor shows; undefined takes the pen away. */
  aimLightPen(at: { readonly x: number; readonly y: number } | undefined): void {
    this.#time.catchUpCias();
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
    this.#time.catchUpCias();
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
    this.#ports.sense();
    this.#portAChanged();
  }
}

/** Something that lets the SID's time pass. */
export interface SoundClock {
  catchUp(cycles: number): void;
}
