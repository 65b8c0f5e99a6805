import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as vicFields } from '../../../chips/mos6560/fields.ts';
import type { Mos6560Model } from '../../../chips/mos6560/models.ts';
import type { Mos6560 } from '../../../chips/mos6560/mos6560.ts';
import type { Mos6560Sound } from '../../../chips/mos6560/sound.ts';
import type { Via6522 } from '../../../chips/via6522/via6522.ts';
import type { ChipRegister, CommodoreBank, CommodoreBoard, VisibleFrame } from '../board/commodore-board.ts';
import { FamilyBoard, type StatePlaces } from '../board/family-board.ts';
import type { KeyboardLooks } from '../board/keyboard-looks.ts';
import { placesIn } from '../board/state-words.ts';
import type { BoardTime } from './board-time.ts';
import type { IoArea } from './io-area.ts';
import type { LightPen } from './light-pen.ts';
import { expansions, type RamBlock } from './memory-expansion.ts';
import type { MemoryMap } from './memory-map.ts';
import type { SerialLines } from './via-ports.ts';
import type { CartridgeRom } from './vic20-cartridge.ts';
import { type Vic20Options, Vic20Parts } from './vic20-parts.ts';
import { boardFields, vic20Layout } from './vic20-state.ts';
import { visibleFrame } from './visible-frame.ts';

export type { Vic20Options } from './vic20-parts.ts';

/** By address bits 9, 8 and 5-0 of $9000-$93FF. */
const registers: readonly (readonly ChipRegister[])[] = Array.from({ length: 0x340 }, (_, address) => {
  const chips = [
    address < 0x100 ? 'vic' : undefined,
    (address & 0x10) === 0 ? undefined : 'via1',
    (address & 0x20) === 0 ? undefined : 'via2',
  ];
  return chips.flatMap((chip) => (chip === undefined ? [] : [{ chip, register: address & 15 }]));
});

/** A word of a part, counted from the start of the buffer. */
const word = placesIn(vic20Layout);

const stateWords: StatePlaces = {
  pc: word('cpu', cpuFields.pc),
  step: word('cpu', cpuFields.step),
  jammed: word('cpu', cpuFields.jammed),
  frameCount: word('vic', vicFields.frameCount),
  exitCode: word('board', boardFields.exitCode),
};
const VIC_CYCLE = word('vic', vicFields.cycle);
const VIC_LINE = word('vic', vicFields.line);
const VIC_LINES = word('vic', vicFields.lines);
const VIDEO_BYTE = word('vic', vicFields.busByte);
const VIDEO_ADDRESS = word('vic', vicFields.busAddress);
const BUS_BYTE = word('board', boardFields.busByte);

/** The chip in the socket, and the RAM in the expansion port. */
export interface Vic20Fitted {
  readonly vic: Mos6560Model;
  readonly blocks: readonly RamBlock[];
}

/**
 * The VIC-20's board: its parts (`Vic20Parts`), the processor's bus, and what can be done from outside. A snapshot is one copy
 * of the state. One `tick()` is one cycle (see `BoardTime`).
 */
export class Vic20Board extends FamilyBoard<Vic20Parts> implements CommodoreBoard {
  readonly longestInstruction = 7;
  readonly options: Vic20Options;
  readonly vic: Mos6560;
  readonly via1: Via6522;
  readonly via2: Via6522;
  readonly sound: Mos6560Sound;
  readonly lightPen: LightPen;
  readonly memory: MemoryMap;
  readonly color: Uint8Array;

  #fitted: Vic20Fitted;
  readonly #time: BoardTime;
  readonly #io: IoArea;

  constructor(options: Vic20Options) {
    super((bus) => new Vic20Parts(options, bus), stateWords);
    const { parts } = this;
    this.options = options;
    this.vic = parts.vic;
    this.via1 = parts.via1;
    this.via2 = parts.via2;
    this.sound = parts.sound;
    this.lightPen = parts.lightPen;
    this.memory = parts.memory;
    this.color = parts.color;
    const { vic = '6561', expansion = 'none' } = options;
    this.#fitted = { vic, blocks: typeof expansion === 'string' ? expansions[expansion] : expansion };
    this.#time = parts.time;
    this.#io = parts.io;
    this.powerUp();
  }

  get fitted(): Vic20Fitted {
    return this.#fitted;
  }

  /** What the chips do stays, as does what is in RAM that stays; a new frame begins. */
  refit(fitted: Vic20Fitted): void {
    this.#fitted = fitted;
    this.parts.refit(fitted.vic, fitted.blocks);
  }

  // ---- power and time

  /** Of a picture that is not interlaced. */
  get frameSpan(): number {
    const { cyclesPerLine, lines } = this.vic.timing;
    return cyclesPerLine * lines;
  }

  get cyclesPerLine(): number {
    return this.vic.timing.cyclesPerLine;
  }

  get cyclesToFrame(): number {
    const linesLeft = this.words[VIC_LINES] - this.words[VIC_LINE];
    return linesLeft * this.vic.timing.cyclesPerLine - this.words[VIC_CYCLE];
  }

  get rasterLine(): number {
    return this.words[VIC_LINE];
  }

  get rasterCycle(): number {
    return this.words[VIC_CYCLE];
  }

  get rasterLines(): number {
    return this.words[VIC_LINES];
  }

  cyclesToLine(line: number): number {
    const { cyclesPerLine } = this.vic.timing;
    const span = (line - this.rasterLine) * cyclesPerLine - this.rasterCycle;
    return span > 0 ? span : span + this.rasterLines * cyclesPerLine;
  }

  // ---- the processor's bus

  read(address: number): number {
    const words = this.words;
    const { memory } = this;
    const page = address >> 8;
    const base = memory.reads[page] as number;
    const value = base >= 0 ? (memory.bytes[base + address] as number) : this.#io.read(address);
    words[BUS_BYTE] = value;
    if (memory.video[page] !== 0) {
      words[VIDEO_BYTE] = value;
      words[VIDEO_ADDRESS] = address;
    }
    return value;
  }

  write(address: number, value: number): void {
    const words = this.words;
    const { memory } = this;
    const page = address >> 8;
    const isVideo = memory.video[page] !== 0;
    const base = memory.writes[page] as number;
    if (base >= 0) {
      if (isVideo) this.vic.catchUpFetches();
      memory.bytes[base + address] = value;
    } else this.#io.write(address, value);
    words[BUS_BYTE] = value;
    if (isVideo) words[VIDEO_BYTE] = value;
  }

  /** Bits 4 and 5 of an address select a VIA each, beside the VIC. */
  registersAt(address: number): readonly ChipRegister[] {
    return address >> 10 === 0x24 ? (registers[address & 0x33f] ?? []) : [];
  }

  chipsReached(kind: 'read' | 'write', address: number): readonly ChipRegister[] {
    const { reads, writes } = this.memory;
    return ((kind === 'read' ? reads : writes)[address >> 8] as number) < 0 ? this.registersAt(address) : [];
  }

  // ---- from outside

  /** Presses or releases the key at a column (VIA 2 port B) and row (port A) of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    this.parts.ports.setKey(column, row, isDown);
  }

  isKeyDown(column: number, row: number): boolean {
    return this.parts.ports.isKeyDown(column, row);
  }

  get keyboardLooks(): KeyboardLooks {
    return this.parts.ports.looks;
  }

  releaseAllKeys(): void {
    this.setRestore(false);
    this.parts.ports.releaseAllKeys();
  }

  /** RESTORE is no part of the matrix: it reaches the NMI line through VIA 1. */
  setRestore(isDown: boolean): void {
    this.#time.catchUpVias();
    this.parts.ports.setRestore(isDown);
  }

  get isRestoreDown(): boolean {
    return this.parts.ports.isRestoreDown;
  }

  /** There is one port. Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(_port: number, pressed: number): void {
    this.parts.ports.setJoystick(pressed);
  }

  /** Paddles with positions from 0 to 255. */
  setPaddles(_port: number, x: number, y: number): void {
    this.parts.vicState[vicFields.potX] = x;
    this.parts.vicState[vicFields.potY] = y;
  }

  paddles(): { readonly x: number; readonly y: number } {
    return { x: this.parts.vicState[vicFields.potX], y: this.parts.vicState[vicFields.potY] };
  }

  /** Pins of the user port (port B of VIA 1) as levels. */
  setUserPort(pins: number): void {
    this.#time.catchUpVias();
    this.parts.ports.setUserPort(pins);
  }

  /** Pixels of what a monitor shows; undefined takes the pen away. */
  aimLightPen(at: { readonly x: number; readonly y: number } | undefined): void {
    this.#time.catchUpVias();
    if (at) this.lightPen.aim(at.x, at.y);
    else this.lightPen.lift();
  }

  /** Plugs a cartridge in, or pulls it out; both want a `reset()` afterwards, as on the real machine. */
  insertCartridge(roms: readonly CartridgeRom[] | undefined): void {
    this.memory.plug(roms ?? []);
  }

  /** Lines of the serial bus as the computer pulls them: false = low. */
  get serialLines(): SerialLines {
    return this.parts.ports.serialLines;
  }

  // ---- for debuggers: nothing here disturbs the machine

  peek(bank: CommodoreBank, address: number): number {
    const { memory } = this;
    const base = memory.reads[address >> 8] as number;
    switch (bank) {
      case 'ram':
        return this.ram[address] as number;
      case 'color':
        return this.color[address & 0x3ff] as number;
      case 'vic': {
        const place = memory.vicPages[(address >> 8) & 63] as number;
        return place < 0 ? 0 : (memory.bytes[place + (address & 255)] as number);
      }
      case 'io':
        return this.#peekIo(address);
      case 'rom':
        return base > 0 ? (memory.bytes[base + address] as number) : 0;
      case 'cpu':
        return base >= 0 ? (memory.bytes[base + address] as number) : this.#peekIo(address);
    }
  }

  #peekIo(address: number): number {
    this.parts.catchUp();
    return this.#io.peek(address);
  }

  poke(bank: CommodoreBank, address: number, value: number): void {
    this.parts.catchUp();
    if (bank === 'color') this.color[address & 0x3ff] = value & 15;
    else if (bank === 'io' || (bank === 'cpu' && (this.memory.writes[address >> 8] as number) < 0))
      this.#io.write(address, value);
    else if (bank !== 'rom') this.ram[address] = value;
  }

  // ---- picture and snapshots

  get visible(): { readonly width: number; readonly height: number } {
    return this.vic.timing.visible;
  }

  visibleFrame(): VisibleFrame {
    this.vic.catchUp();
    return visibleFrame(this.frame, this.vic.timing);
  }

  imagesIn(snapshot: Uint8Array): readonly Uint8Array[] {
    const { drives, tape } = vic20Layout.views(snapshot.slice().buffer);
    return [...this.drives.imagesIn(drives), ...this.tape.imagesIn(tape)];
  }
}
