/**
 * The C64's board: what is soldered to what. All state lies in one buffer (`c64Layout`); a snapshot is one copy of it.
 * One `tick()` is one cycle: VIC-II in phi1, then the CIAs, then the processor in phi2 (unless BA holds it).
 *
 * Not emulated here: the user port's other pins, the 512 cycles that measuring a paddle takes, DMA by cartridges, the switching glitches of the PLA and of the VIC's bank lines.
 */

import { IoPort } from '../../../chips/mos6510/io-port.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as ciaFields, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { Mos6526, type Mos6526Model } from '../../../chips/mos6526/mos6526.ts';
import { plaConfiguration } from '../../../chips/pla.ts';
import { fields as sidFields } from '../../../chips/sid/fields.ts';
import { Sid, type SidModel } from '../../../chips/sid/sid.ts';
import { type Vic2State, fields as vicFields } from '../../../chips/vic2/fields.ts';
import { frameBytes, type Vic2Model } from '../../../chips/vic2/models.ts';
import { Vic2 } from '../../../chips/vic2/vic2.ts';
import { Datasette } from '../drive/datasette.ts';
import { DriveSet } from '../drive/drive-set.ts';
import { type BoardState, boardFields, c64Layout } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import { matrixLevels } from './keyboard.ts';
import { LightPen } from './light-pen.ts';
import { MemoryMap, type Pages, type RomImages } from './memory-map.ts';
import { fillPowerUpPattern } from './power-up.ts';

export interface C64Options {
  readonly roms: RomImages;
  readonly vic?: Vic2Model;
  readonly cia?: Mos6526Model;
  readonly sid?: SidModel;
  /** Makes $D7FF the exit-code register of VICE's test programs. */
  readonly debugCart?: boolean;
  /** Puts the state where other threads can read it. */
  readonly shared?: boolean;
  /** Runs every chip in every cycle: the same machine, slower, to prove the lazy one right. */
  readonly eager?: boolean;
}

/** Banks a debugger may look at without disturbing anything. */
export type C64Bank = 'cpu' | 'ram' | 'rom' | 'io' | 'color' | 'vic';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = (part: keyof typeof c64Layout.offsets, field: number) => (c64Layout.offsets[part] >> 2) + field;

const RDY = word('cpu', cpuFields.rdy);
const IRQ_LINE = word('cpu', cpuFields.irqLine);
const NMI_LINE = word('cpu', cpuFields.nmiLine);
const PC = word('cpu', cpuFields.pc);
const STEP = word('cpu', cpuFields.step);
const JAMMED = word('cpu', cpuFields.jammed);
const BA = word('vic', vicFields.ba);
const VIC_IRQ = word('vic', vicFields.irq);
const FRAME_COUNT = word('vic', vicFields.frameCount);
const LIGHT_PEN = word('vic', vicFields.lightPen);
const CIA1_IRQ = word('cia1', ciaFields.irq);
const CIA2_IRQ = word('cia2', ciaFields.irq);
const POT_X = word('sid', sidFields.potX);
const POT_Y = word('sid', sidFields.potY);
const RESTORE = word('board', boardFields.restore);
const EXIT_CODE = word('board', boardFields.exitCode);
const CIA_SPAN = word('board', boardFields.ciaSpan);
const CIA_LEFT = word('board', boardFields.ciaLeft);

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
  readonly #map: MemoryMap;
  readonly #debugCart: boolean;
  readonly #eager: boolean;
  #cartridge: CartridgePort | undefined;
  /** Who runs the SID: itself, or somebody who listens to it. */
  #sound: SoundClock;
  // Caches of the wiring, rebuilt by #rebank and #revic.
  #reads: Pages = [];
  #writes: Pages = [];
  #vicPages: Pages = [];

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
    const buffer = shared ? new SharedArrayBuffer(c64Layout.byteLength) : new ArrayBuffer(c64Layout.byteLength);
    const { offsets } = c64Layout;
    const words = (part: keyof typeof offsets, next: keyof typeof offsets | 'end') => {
      const end = next === 'end' ? c64Layout.byteLength : offsets[next];
      return new Int32Array(buffer, offsets[part], (end - offsets[part]) >> 2);
    };
    this.bytes = new Uint8Array(buffer);
    this.ram = new Uint8Array(buffer, offsets.ram, 0x10000);
    this.color = new Uint8Array(buffer, offsets.color, 0x400);
    this.frame = new Uint8Array(shared ? new SharedArrayBuffer(frameBytes(vic)) : new ArrayBuffer(frameBytes(vic)));
    this.#clock = new Float64Array(buffer, offsets.clock, 2);
    this.#map = new MemoryMap(this.ram, roms);
    this.#debugCart = debugCart;
    this.#eager = eager;

    this.#words = new Int32Array(buffer);
    this.#cia1 = words('cia1', 'cia2') as Mos6526State;
    this.#cia2 = words('cia2', 'sid') as Mos6526State;
    this.#board = words('board', 'end') as BoardState;
    this.#keys = this.#board.subarray(boardFields.keys, boardFields.keys + 8);

    this.cpu = new Mos6510(words('cpu', 'port'), this);
    this.port = new IoPort(words('port', 'vic'));
    this.vic = new Vic2(words('vic', 'cia1'), this, vic, eager);
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
    this.#cartridge?.reset?.();
    this.#cartridgeChanged();
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
    this.runCycles(1);
  }

  /** The schematic in time: VIC-II, CIAs, their lines to the processor, the processor. */
  runCycles(cycles: number): void {
    const { vic, cpu } = this;
    const words = this.#words;
    const clock = this.#clock;
    for (let i = 0; i < cycles; i += 1) {
      vic.tick();
      const left = words[CIA_LEFT] as number;
      if (left > 0) words[CIA_LEFT] = left - 1;
      else this.#tickCias();
      words[RDY] = words[BA] as number;
      words[IRQ_LINE] = (words[VIC_IRQ] as number) | (words[CIA1_IRQ] as number);
      words[NMI_LINE] = (words[CIA2_IRQ] as number) | (words[RESTORE] as number);
      cpu.tick();
      (clock[0] as number) += 1;
    }
  }

  /** Runs to the end of the instruction in progress, or through the next one. False if the processor is jammed. */
  stepInstruction(): boolean {
    do this.tick();
    while (((this.#words[STEP] as number) & 7) !== 0 && this.#words[JAMMED] === 0);
    return this.#words[JAMMED] === 0;
  }

  /** Runs until the next opcode fetched lies at `address`; false if that did not happen within `maxCycles`. */
  runUntilPc(address: number, maxCycles: number): boolean {
    for (let i = 0; i < maxCycles; i += 1) {
      this.tick();
      if (this.#words[PC] === address && ((this.#words[STEP] as number) & 7) === 0) return true;
    }
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

  runUntilFrame(): void {
    const frame = this.frameCount;
    while (this.frameCount === frame) this.tick();
  }

  // ---- the processor's bus

  read(address: number): number {
    const page = this.#reads[address >> 12];
    if (page === undefined) return this.#readUnmapped(address);
    if (address > 1) return page[address & 0xfff] as number;
    return this.port.read(address, this.#clock[0] as number);
  }

  write(address: number, value: number): void {
    const page = this.#writes[address >> 12];
    if (page === undefined) this.#writeUnmapped(address, value);
    else if (address > 1) page[address & 0xfff] = value;
    else this.#writePort(address, value);
  }

  /** What an access that nobody answers reads: the byte the VIC-II left on the bus in phi1. */
  get #openBus(): number {
    return this.vic.phi1Byte();
  }

  #writePort(register: number, value: number): void {
    // The processor does not drive the bus when it writes to its own port: RAM gets what the VIC left there.
    this.ram[register] = this.#openBus;
    this.port.write(register, value, this.#clock[0] as number);
    this.tape.setMotor(this.port.tapeMotor);
    this.#rebank();
  }

  #readUnmapped(address: number): number {
    if (address >> 12 !== 0xd) return this.#openBus;
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
        return ((this.color[address & 0x3ff] as number) & 15) | (this.#openBus & 0xf0);
      case 12:
        this.#catchUpCias();
        if ((address & 14) === 0) this.#senseKeyboard();
        return this.cia1.read(address & 15);
      case 13:
        this.#catchUpCias();
        if ((address & 15) === 0) this.drives.catchUp();
        return this.cia2.read(address & 15);
      default:
        return this.#readCartridge(address) ?? this.#openBus;
    }
  }

  #writeUnmapped(address: number, value: number): void {
    if (address >> 12 !== 0xd) {
      if (address >> 13 === 4) this.#writeLow(address, value);
      else if (this.#cartridge?.writeHigh?.(address & 0x1fff, value) === true) this.#cartridgeChanged();
      return;
    }
    switch ((address >> 8) & 15) {
      case 0:
      case 1:
      case 2:
      case 3:
        this.vic.write(address & 63, value);
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
        if (this.#cartridge?.write?.(address, value) === true) this.#cartridgeChanged();
    }
  }

  /** ROML with RAM behind it; outside Ultimax mode the C64's own RAM gets the byte too. */
  #writeLow(address: number, value: number): void {
    if (this.#cartridge?.writeLow?.(address & 0x1fff, value) === true) this.#cartridgeChanged();
    if (this.#board[boardFields.exrom] === 0) this.ram[address] = value;
  }

  #readCartridge(address: number): number | undefined {
    const value = this.#cartridge?.read?.(address);
    if (this.#cartridge?.switchesOnRead === true) this.#cartridgeChanged();
    return value;
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
    return (this.#vicPages[address14 >> 12] as Uint8Array)[address14 & 0xfff] as number;
  }

  isCharacterRom(address14: number): boolean {
    return this.#vicPages[address14 >> 12] === this.#map.roms.chargen;
  }

  /** While BA is low and the processor waits, the bus carries the byte it wants to read. */
  cpuBusByte(): number {
    const address = this.cpu.nextRead;
    return this.#reads[address >> 12]?.[address & 0xfff] ?? (this.ram[this.#words[PC] as number] as number);
  }

  // ---- wires between the parts

  /** CIA 2, port A: VIC bank (inverted), serial bus (inverted on its way out, and what is on the wire comes back). */
  #portAChanged(): void {
    const out = this.#cia2[ciaFields.paOut];
    const bank = ~out & 3;
    this.#iecChanged();
    this.drives.setComputerLines((out & 8) === 0, (out & 16) === 0, (out & 32) === 0);
    if (bank !== this.#board[boardFields.vicBank]) {
      this.#board[boardFields.vicBank] = bank;
      this.#revic();
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
    this.#words[LIGHT_PEN] = (rows >> 4) & 1;
    if (board[boardFields.potPorts] !== 0) this.#sensePaddles(cia[ciaFields.paOut] >> 6);
  }

  /** Port A's upper bits switch the paddles of control port 1 (bit 6), 2 (bit 7) or both through to the SID. */
  #sensePaddles(selected: number): void {
    const pots = this.#board[boardFields.pots];
    const ports = this.#board[boardFields.potPorts] & selected;
    this.#words[POT_X] = parallel(ports & 1 ? pots & 255 : 255, ports & 2 ? (pots >> 16) & 255 : 255);
    this.#words[POT_Y] = parallel(ports & 1 ? (pots >> 8) & 255 : 255, ports & 2 ? pots >>> 24 : 255);
  }

  #rebank(): void {
    const board = this.#board;
    const configuration = plaConfiguration(this.port.banking, board[boardFields.exrom], board[boardFields.game]);
    this.#reads = this.#map.reads(configuration);
    this.#writes = this.#map.writes(configuration);
  }

  #revic(): void {
    const board = this.#board;
    const configuration = plaConfiguration(7, board[boardFields.exrom], board[boardFields.game]);
    this.#vicPages = this.#map.vic(board[boardFields.vicBank], configuration);
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
    this.#cartridge = cartridge;
    cartridge?.reset?.();
    this.#cartridgeChanged();
  }

  /** Presses the cartridge's freeze button; false if it has none. */
  freeze(): boolean {
    if (this.#cartridge?.freeze?.() !== true) return false;
    this.#cartridgeChanged();
    this.cpu.state[cpuFields.nmiLatch] = 1;
    return true;
  }

  #cartridgeChanged(): void {
    const { roml, romh, exrom = 1, game = 1 } = this.#cartridge?.mapping ?? {};
    this.#map.plug(roml, romh, (this.#cartridge?.ram?.length ?? 0) > 0);
    this.#board[boardFields.game] = game;
    this.#board[boardFields.exrom] = exrom;
    this.#rebank();
    this.#revic();
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
    switch (bank) {
      case 'ram':
        return this.ram[address] as number;
      case 'color':
        return (this.color[address & 0x3ff] as number) & 15;
      case 'vic':
        return this.fetch(address & 0x3fff);
      case 'io':
        return this.#peekIo(address);
      case 'rom':
        return this.#map.reads(plaConfiguration(3, 1, 1))[address >> 12]?.[address & 0xfff] ?? 0;
      case 'cpu': {
        if (address < 2) return this.port.read(address, this.#clock[0] as number);
        const page = this.#reads[address >> 12];
        if (page !== undefined) return page[address & 0xfff] as number;
        return address >> 12 === 0xd ? this.#peekIo(address) : this.#openBus;
      }
    }
  }

  poke(bank: C64Bank, address: number, value: number): void {
    if (bank === 'color') this.color[address & 0x3ff] = value & 15;
    else if (bank === 'io' || (bank === 'cpu' && this.#writes[address >> 12] === undefined))
      this.#pokeIo(address, value);
    else if (bank === 'cpu' && address < 2) {
      this.port.write(address, value, this.#clock[0] as number);
      this.tape.setMotor(this.port.tapeMotor);
      this.#rebank();
    } else this.ram[address] = value;
  }

  #peekIo(address: number): number {
    const area = (address >> 8) & 15;
    this.#catchUpCias();
    this.#catchUpSid();
    if (area < 4) return this.vic.peek(address & 63);
    if (area < 8) return this.sid.peek(address & 31);
    if (area < 12) return ((this.color[address & 0x3ff] as number) & 15) | (this.#openBus & 0xf0);
    if (area === 12) return this.cia1.peek(address & 15);
    if (area === 13) return this.cia2.peek(address & 15);
    return this.#cartridge?.peek?.(address) ?? this.#openBus;
  }

  #pokeIo(address: number, value: number): void {
    const area = (address >> 8) & 15;
    this.#catchUpCias();
    this.#catchUpSid();
    if (area < 4) this.vic.poke(address & 63, value);
    else if (area < 8) this.sid.poke(address & 31, value);
    else if (area < 12) this.color[address & 0x3ff] = value & 15;
    else if (area === 12) this.cia1.poke(address & 15, value);
    else if (area === 13) this.cia2.poke(address & 15, value);
    this.restored();
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
    this.drives.catchUp();
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
    this.#cartridgeChanged();
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
