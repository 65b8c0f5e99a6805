import type { Acia6551 } from '../../../chips/acia6551/acia6551.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as tedFields } from '../../../chips/ted/fields.ts';
import { cyclesPerLine } from '../../../chips/ted/models.ts';
import type { TedSound } from '../../../chips/ted/sound.ts';
import type { Ted } from '../../../chips/ted/ted.ts';
import type { ChipRegister, CommodoreBank, CommodoreBoard, VisibleFrame } from '../board/commodore-board.ts';
import { FamilyBoard, type StatePlaces } from '../board/family-board.ts';
import type { KeyboardLooks } from '../board/keyboard-looks.ts';
import { placesIn } from '../board/state-words.ts';
import type { IoArea } from './io-area.ts';
import type { CartridgeImages, MemoryMap } from './memory-map.ts';
import { type Plus4Options, Plus4Parts } from './plus4-parts.ts';
import { boardFields, plus4Layout } from './plus4-state.ts';
import type { SerialLines } from './processor-port.ts';
import { visibleFrame } from './visible-frame.ts';

export type { Plus4Options } from './plus4-parts.ts';

/** A word of a part, counted from the start of the buffer. */
const word = placesIn(plus4Layout);

const stateWords: StatePlaces = {
  pc: word('cpu', cpuFields.pc),
  step: word('cpu', cpuFields.step),
  jammed: word('cpu', cpuFields.jammed),
  frameCount: word('ted', tedFields.frameCount),
  exitCode: word('board', boardFields.exitCode),
};
const HORIZONTAL = word('ted', tedFields.horizontal);
const LINE = word('ted', tedFields.line);
const BUS_BYTE = word('ted', tedFields.bus);

const noRegisters: readonly ChipRegister[] = [];

/** Where in its line the TED counts lines. */
const lineStart = 98;

/**
 * The board of a Plus/4 or a C16: its parts (`Plus4Parts`), the processor's bus, and what can be done from outside. A snapshot is one
 * copy of the state. One `tick()` is half a cycle of the single clock, which is a cycle while the clock is doubled (see `BoardTime`).
 */
export class Plus4Board extends FamilyBoard<Plus4Parts> implements CommodoreBoard {
  /** In halves of the single clock, with all that the TED can take of a line in between. */
  readonly longestInstruction = 300;
  readonly isRasterLazy = true;
  readonly options: Plus4Options;
  readonly ted: Ted;
  readonly sound: TedSound;
  readonly acia: Acia6551 | undefined;
  readonly memory: MemoryMap;

  readonly #io: IoArea;

  constructor(options: Plus4Options) {
    super((bus) => new Plus4Parts(options, bus), stateWords);
    const { parts } = this;
    this.options = options;
    this.ted = parts.ted;
    this.sound = parts.sound;
    this.acia = parts.acia;
    this.memory = parts.memory;
    this.#io = parts.io;
    this.powerUp();
  }

  // ---- power and time

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

  /** If no program moves the counters. */
  get cyclesToFrame(): number {
    const { lines, syncLine } = this.ted.timing;
    const left = (syncLine - this.words[LINE] + lines) % lines;
    return (left === 0 ? lines : left) * cyclesPerLine - this.rasterCycle;
  }

  get rasterLine(): number {
    return this.words[LINE];
  }

  get rasterCycle(): number {
    const horizontal = this.words[HORIZONTAL];
    return horizontal >= lineStart ? horizontal - lineStart : horizontal + cyclesPerLine - lineStart;
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
    this.words[BUS_BYTE] = value;
    return value;
  }

  write(address: number, value: number): void {
    const { memory } = this;
    const base = memory.writes[address >> 8] as number;
    this.words[BUS_BYTE] = value;
    if (base >= 0 || (address > 1 && address < 0x100)) memory.bytes[address] = value;
    else this.#io.write(address, value);
  }

  // ---- from outside

  /** Presses or releases the key at a column ($FD30) and row ($FF08) of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    this.parts.keyboard.setKey(column, row, isDown);
  }

  isKeyDown(column: number, row: number): boolean {
    return this.parts.keyboard.isKeyDown(column, row);
  }

  get keyboardLooks(): KeyboardLooks {
    return this.parts.keyboard.looks;
  }

  releaseAllKeys(): void {
    this.parts.keyboard.releaseAllKeys();
  }

  /** There is no such key: the processor has no NMI. */
  setRestore(): void {}

  readonly isRestoreDown = false;

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: number, pressed: number): void {
    this.parts.keyboard.setJoystick(port, pressed);
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
    this.parts.board[boardFields.userPins] = pins & 255;
  }

  /** Plugs a cartridge in, or pulls it out; both want a `reset()` afterwards, as on the real machine. */
  insertCartridge(cartridge: CartridgeImages | undefined): void {
    this.memory.plug(cartridge);
  }

  /** Lines of the serial bus as the computer pulls them: false = low. */
  get serialLines(): SerialLines {
    return this.parts.port.serialLines;
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
    this.parts.catchUp();
    return this.#io.peek(address);
  }

  poke(bank: CommodoreBank, address: number, value: number): void {
    this.parts.catchUp();
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

  imagesIn(snapshot: Uint8Array): readonly Uint8Array[] {
    const { drives, tape } = plus4Layout.views(snapshot.slice().buffer);
    return [...this.drives.imagesIn(drives), ...this.tape.imagesIn(tape)];
  }
}
