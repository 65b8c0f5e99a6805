import type { Acia6551 } from '../../../chips/acia6551/acia6551.ts';
import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as tedFields } from '../../../chips/ted/fields.ts';
import { cyclesPerLine } from '../../../chips/ted/models.ts';
import type { TedSound } from '../../../chips/ted/sound.ts';
import type { Ted } from '../../../chips/ted/ted.ts';
import type { ChipRegister, CommodoreBank, CommodoreBoard, Questions, VisibleFrame } from '../board/commodore-board.ts';
import type { Observation } from '../board/observation.ts';
import type { SoundClock } from '../board/sound-clock.ts';
import type { Datasette } from '../drive/datasette.ts';
import type { DriveSet } from '../drive/drive-set.ts';
import type { BoardTime } from './board-time.ts';
import type { IoArea } from './io-area.ts';
import type { CartridgeImages, MemoryMap } from './memory-map.ts';
import { type Plus4Options, Plus4Parts } from './plus4-parts.ts';
import { boardFields, plus4Layout } from './plus4-state.ts';
import type { SerialLines } from './processor-port.ts';
import { visibleFrame } from './visible-frame.ts';

export type { Plus4Options } from './plus4-parts.ts';

/** A word of a part, counted from the start of the buffer. */
const word = (part: keyof typeof plus4Layout.offsets, field: number) => (plus4Layout.offsets[part] >> 2) + field;

const PC = word('cpu', cpuFields.pc);
const STEP = word('cpu', cpuFields.step);
const JAMMED = word('cpu', cpuFields.jammed);
const HORIZONTAL = word('ted', tedFields.horizontal);
const LINE = word('ted', tedFields.line);
const FRAME_COUNT = word('ted', tedFields.frameCount);
const BUS_BYTE = word('ted', tedFields.bus);
const EXIT_CODE = word('board', boardFields.exitCode);

const noRegisters: readonly ChipRegister[] = [];

/** Where in its line the TED counts lines. */
const lineStart = 98;

/**
 * The board of a Plus/4 or a C16: its parts (`Plus4Parts`), the processor's bus, and what can be done from outside. A snapshot is one
 * copy of the state. One `tick()` is half a cycle of the single clock, which is a cycle while the clock is doubled (see `BoardTime`).
 */
export class Plus4Board implements CommodoreBoard {
  readonly addressSpace = 0x10000;
  /** In halves of the single clock, with all that the TED can take of a line in between. */
  readonly longestInstruction = 300;
  readonly isRasterLazy = true;
  readonly options: Plus4Options;
  readonly cpu: Mos6510;
  readonly ted: Ted;
  readonly sound: TedSound;
  readonly acia: Acia6551 | undefined;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly memory: MemoryMap;
  /** All mutable state, as bytes. */
  readonly bytes: Uint8Array;
  /** RAM at its addresses, as far as there is some. */
  readonly ram: Uint8Array;
  /** The whole raster as palette indexes; not part of the state. */
  readonly frame: Uint8Array;

  readonly #parts: Plus4Parts;
  readonly #words: Int32Array;
  readonly #clock: Float64Array;
  readonly #time: BoardTime;
  readonly #io: IoArea;

  constructor(options: Plus4Options) {
    const parts = new Plus4Parts(options, this);
    this.options = options;
    this.cpu = parts.cpu;
    this.ted = parts.ted;
    this.sound = parts.sound;
    this.acia = parts.acia;
    this.drives = parts.drives;
    this.tape = parts.tape;
    this.memory = parts.memory;
    this.bytes = parts.bytes;
    this.ram = parts.ram;
    this.frame = parts.frame;
    this.#parts = parts;
    this.#words = parts.words;
    this.#clock = parts.clock;
    this.#time = parts.time;
    this.#io = parts.io;
    this.powerUp();
  }

  // ---- power and time

  powerUp(): void {
    this.#parts.powerUp();
  }

  reset(): void {
    this.#parts.reset();
  }

  /** Half cycles of the single clock in a second. */
  get clockHz(): number {
    return this.#parts.clockHz;
  }

  /** Half cycles since power-up. */
  get cycles(): number {
    return this.#clock[0] as number;
  }

  get frameSpan(): number {
    return cyclesPerLine * this.ted.timing.lines;
  }

  get cyclesPerLine(): number {
    return cyclesPerLine;
  }

  get rasterLines(): number {
    return this.ted.timing.lines;
  }

  cyclesToLine(line: number): number {
    const span = (line - this.rasterLine) * cyclesPerLine - this.rasterCycle;
    return span > 0 ? span : span + this.rasterLines * cyclesPerLine;
  }

  get frameCount(): number {
    return this.#words[FRAME_COUNT] as number;
  }

  /** If no program moves the counters. */
  get cyclesToFrame(): number {
    const { lines, syncLine } = this.ted.timing;
    const left = (syncLine - (this.#words[LINE] as number) + lines) % lines;
    return (left === 0 ? lines : left) * cyclesPerLine - this.rasterCycle;
  }

  get rasterLine(): number {
    return this.#words[LINE] as number;
  }

  get rasterCycle(): number {
    const horizontal = this.#words[HORIZONTAL] as number;
    return horizontal >= lineStart ? horizontal - lineStart : horizontal + cyclesPerLine - lineStart;
  }

  /** The exit code a test program left, or undefined. */
  get exitCode(): number | undefined {
    const code = this.#words[EXIT_CODE] as number;
    return code === 0 ? undefined : code & 0xff;
  }

  tick(): void {
    this.#time.cycle();
  }

  runCycles(cycles: number): void {
    this.#time.run(cycles);
  }

  /** From now on this is watched; whoever covers `read` and `write` sees the accesses. */
  observe(observation: Observation | undefined): void {
    this.#time.observe(observation);
  }

  /** As `runCycles`, but asks where something is watched for, and ends there if the answer is true. True if it has. */
  runObserved(cycles: number, questions: Questions): boolean {
    return this.#time.runObserved(cycles, questions);
  }

  /** Where the last `runObserved` went through: whether it has asked about the instruction that comes next. */
  get hasAsked(): boolean {
    return this.#time.hasAsked;
  }

  /** Runs to the end of the instruction in progress, or through the next one. False if the processor is jammed. */
  stepInstruction(): boolean {
    this.#time.step();
    return this.#words[JAMMED] === 0;
  }

  /** Runs until the next opcode fetched lies at `address`; false if that did not happen within `maxCycles`. */
  runUntilPc(address: number, maxCycles: number): boolean {
    for (let i = 0; i < maxCycles; i += 1) {
      this.#time.cycle();
      if (this.#words[PC] === address && ((this.#words[STEP] as number) & 7) === 0) return true;
    }
    return false;
  }

  /** Runs until a test program has left its exit code, and at most a line longer; false if it did not within `maxCycles`. */
  runUntilExit(maxCycles: number): boolean {
    const sliceCycles = cyclesPerLine;
    for (let left = maxCycles; left > 0 && this.exitCode === undefined; left -= sliceCycles) {
      this.runCycles(Math.min(left, sliceCycles));
    }
    return this.exitCode !== undefined;
  }

  /** Runs to the cycle in which the next frame begins. */
  runUntilFrame(): void {
    this.runCycles(this.cyclesToFrame);
  }

  // ---- the processor's bus

  registersAt(address: number): readonly ChipRegister[] {
    if (address > 1 && address < 0xfd00) return noRegisters;
    if (address >= 0xff00 && address < 0xff20) return [{ chip: 'ted', register: address & 31 }];
    if (address < 2) return [{ chip: 'port', register: address }];
    if (address >> 4 === 0xfd3) return [{ chip: 'keyboard', register: 0 }];
    if (!this.acia) return noRegisters;
    if (address >> 4 === 0xfd1) return [{ chip: 'user', register: 0 }];
    return address >> 4 === 0xfd0 ? [{ chip: 'acia', register: address & 3 }] : noRegisters;
  }

  /** No bank hides them. */
  chipsReached(_kind: 'read' | 'write', address: number): readonly ChipRegister[] {
    return this.registersAt(address);
  }

  read(address: number): number {
    const { memory } = this;
    const base = memory.reads[address >> 8] as number;
    const isMemory = base >= 0 || (address > 1 && address < 0x100);
    const value = isMemory ? (memory.bytes[Math.max(0, base) + address] as number) : this.#io.read(address);
    this.#words[BUS_BYTE] = value;
    return value;
  }

  write(address: number, value: number): void {
    const { memory } = this;
    const base = memory.writes[address >> 8] as number;
    this.#words[BUS_BYTE] = value;
    if (base >= 0 || (address > 1 && address < 0x100)) memory.bytes[address] = value;
    else this.#io.write(address, value);
  }

  // ---- from outside

  /** Presses or releases the key at a column ($FD30) and row ($FF08) of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    this.#parts.keyboard.setKey(column, row, isDown);
  }

  releaseAllKeys(): void {
    this.#parts.keyboard.releaseAllKeys();
  }

  /** There is no such key: the processor has no NMI. */
  setRestore(): void {}

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: number, pressed: number): void {
    this.#parts.keyboard.setJoystick(port, pressed);
  }

  /** Nothing measures them. */
  setPaddles(): void {}

  paddles(): { readonly x: number; readonly y: number } {
    return { x: 0, y: 0 };
  }

  /** The chip knows of none. */
  aimLightPen(): void {}

  /** Pins of the user port as levels. */
  setUserPort(pins: number): void {
    this.#parts.board[boardFields.userPins] = pins & 255;
  }

  /** From now on this runs the sound, which must be the same as if it did so itself. */
  listen(listener: SoundClock | undefined): void {
    this.#parts.soundClock.listen(listener);
  }

  /** Plugs a cartridge in, or pulls it out; both want a `reset()` afterwards, as on the real machine. */
  insertCartridge(cartridge: CartridgeImages | undefined): void {
    this.memory.plug(cartridge);
  }

  /** Lines of the serial bus as the computer pulls them: false = low. */
  get serialLines(): SerialLines {
    return this.#parts.port.serialLines;
  }

  // ---- for debuggers: nothing here disturbs the machine

  peek(bank: CommodoreBank, address: number): number {
    const { memory } = this;
    const base = memory.reads[address >> 8] as number;
    switch (bank) {
      case 'ram':
        return this.ram[address & memory.ramMask] as number;
      case 'rom':
        return memory.rom(address) ?? 0;
      case 'cpu':
        if (base >= 0 || (address > 1 && address < 0x100)) return memory.bytes[Math.max(0, base) + address] as number;
        return this.#peekIo(address);
      default:
        return this.#peekIo(address);
    }
  }

  #peekIo(address: number): number {
    this.#parts.catchUp();
    return this.#io.peek(address);
  }

  poke(bank: CommodoreBank, address: number, value: number): void {
    this.#parts.catchUp();
    const isPlain = address > 1 && (this.memory.writes[address >> 8] === 0 || address < 0x100);
    if (bank === 'io' || (bank === 'cpu' && !isPlain)) this.#io.write(address, value);
    else if (bank !== 'rom') this.ram[address & this.memory.ramMask] = value;
  }

  // ---- picture and snapshots

  get visible(): { readonly width: number; readonly height: number } {
    return this.ted.timing.visible;
  }

  visibleFrame(): VisibleFrame {
    return visibleFrame(this.frame, this.ted.timing);
  }

  /** Copies the whole state into `target`, with everything that runs lazily brought up to date first. */
  snapshot(target: Uint8Array = new Uint8Array(this.bytes.length)): Uint8Array {
    this.catchUp();
    target.set(this.bytes);
    return target;
  }

  /** Brings everything that runs lazily up to the present. */
  catchUp(): void {
    this.#parts.catchUp();
  }

  restore(snapshot: Uint8Array): void {
    this.bytes.set(snapshot);
    this.restored();
  }

  imagesIn(snapshot: Uint8Array): readonly Uint8Array[] {
    const { drives, tape } = plus4Layout.views(snapshot.slice().buffer);
    return [...this.drives.imagesIn(drives), ...this.tape.imagesIn(tape)];
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  restored(): void {
    this.#parts.restored();
  }
}
