import type { IoPort } from '../../../chips/mos6510/io-port.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import type { Mos6526 } from '../../../chips/mos6526/mos6526.ts';
import type { Sid } from '../../../chips/sid/sid.ts';
import type { CollisionListener } from '../../../chips/vic2/cycle-drawing.ts';
import { fields as vicFields } from '../../../chips/vic2/fields.ts';
import { interrupt } from '../../../chips/vic2/interrupts.ts';
import type { Vic2Timing } from '../../../chips/vic2/models.ts';
import type { Vic2 } from '../../../chips/vic2/vic2.ts';
import type {
  ChipRegister,
  CollisionType,
  CommodoreBank,
  CommodoreBoard,
  VisibleFrame,
} from '../board/commodore-board.ts';
import { FamilyBoard, type StatePlaces } from '../board/family-board.ts';
import type { KeyboardLooks } from '../board/keyboard-looks.ts';
import type { SoundClock } from '../board/sound-clock.ts';
import { placesIn } from '../board/state-words.ts';
import type { ExpansionRams } from '../expansions/expansion-rams.ts';
import { BoardDebugging } from './board-debugging.ts';
import type { BoardTime } from './board-time.ts';
import { type C64BoardOptions, type C64Chips, C64Parts } from './c64-parts.ts';
import { boardFields, c64Layout } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import type { SerialLines } from './cia2-port.ts';
import type { ExpansionPort } from './expansion-port.ts';
import type { IoArea } from './io-area.ts';
import type { LightPen } from './light-pen.ts';
import type { FittedMemory } from './memory-expansions.ts';
import type { MemoryView } from './memory-view.ts';
import { registersAt } from './registers-at.ts';
import type { FittedSid, SidPair } from './second-sid.ts';
import { type BorderMode, visibleFrame, visiblePart } from './visible-frame.ts';

export type { C64BoardOptions } from './c64-parts.ts';

/** A word of a part, counted from the start of the buffer. */
const word = placesIn(c64Layout);

const stateWords: StatePlaces = {
  pc: word('cpu', cpuFields.pc),
  step: word('cpu', cpuFields.step),
  jammed: word('cpu', cpuFields.jammed),
  frameCount: word('vic', vicFields.frameCount),
  exitCode: word('board', boardFields.exitCode),
};
const VIC_CYCLE = word('vic', vicFields.cycle);
const RASTER_LINE = word('vic', vicFields.rasterLine);
const START_OF_FRAME = word('vic', vicFields.startOfFrame);
const RESTORE = word('board', boardFields.restore);

/** In cycles: an instruction that the VIC-II holds up, and one that starts a swap of 64 KiB among bad lines and sprites. */
const longestHold = 200;
const longestTransfer = 800_000;

/**
 * The C64's board: its parts (`C64Parts`), the processor's bus, and what can be done from outside. A snapshot is one copy
 * of the state. One `tick()` is one cycle (see `BoardTime`): VIC-II in phi1, then the CIAs, then the processor in phi2
 * (unless BA holds it).
 */
export class C64Board extends FamilyBoard<C64Parts> implements CommodoreBoard {
  readonly heedsGates = true;
  readonly tellsLines = true;
  readonly options: C64BoardOptions;
  readonly port: IoPort;
  readonly vic: Vic2;
  readonly cia1: Mos6526;
  readonly cia2: Mos6526;
  readonly sid: Sid;
  readonly sids: SidPair;
  readonly lightPen: LightPen;
  readonly memory: MemoryView;
  readonly expansion: ExpansionPort;
  readonly color: Uint8Array;
  /** Words for the registers and the RAM of a cartridge. */
  readonly cartridgeState: Int32Array;

  #chips: C64Chips;
  /** What of the border a monitor shows. */
  border: BorderMode = 'normal';
  readonly #time: BoardTime;
  readonly #io: IoArea;
  readonly #debugging: BoardDebugging;
  #collisions: { readonly wanted: number; readonly listener: CollisionListener } | undefined;

  constructor(options: C64BoardOptions) {
    super((bus) => new C64Parts(options, bus), stateWords);
    const { parts } = this;
    this.options = options;
    this.port = parts.port;
    this.vic = parts.vic;
    this.cia1 = parts.cia1;
    this.cia2 = parts.cia2;
    this.sid = parts.sid;
    this.sids = parts.sids;
    const { vic = '6569', cia = '6526', sid = '6581' } = options;
    this.#chips = { vic, cia1: cia, cia2: cia, sid };
    this.lightPen = parts.lightPen;
    this.memory = parts.memory;
    this.expansion = parts.expansion;
    this.color = parts.color;
    this.cartridgeState = parts.cartridgeState;
    this.#time = parts.time;
    this.#io = parts.io;
    this.#debugging = new BoardDebugging(parts);
    this.powerUp();
  }

  /** What is in the sockets. */
  get chips(): C64Chips {
    return this.#chips;
  }

  /** Puts other chips into the sockets. What is in memory, and what the chips do, stays; a new frame begins. */
  refit(chips: C64Chips): void {
    this.#chips = chips;
    this.parts.refit(chips);
  }

  get expansionRam(): ExpansionRams {
    return this.parts.expansionRam;
  }

  get longestInstruction(): number {
    return this.parts.reu ? longestTransfer : longestHold;
  }

  /** What can be plugged in, and is or is not. */
  get fittedMemory(): FittedMemory {
    return this.parts.memoryExpansions.fitted;
  }

  fitMemory(fitted: FittedMemory): void {
    this.catchUp();
    this.parts.memoryExpansions.fit(fitted);
    this.parts.restored();
  }

  fitSecondSid(fitted: FittedSid): void {
    this.catchUp();
    this.sids.fit(fitted);
  }

  // ---- power and time

  get frameSpan(): number {
    const { cyclesPerLine, lines } = this.vic.timing;
    return cyclesPerLine * lines;
  }

  get cyclesPerLine(): number {
    return this.vic.timing.cyclesPerLine;
  }

  get cyclesToFrame(): number {
    const { cyclesPerLine, lines } = this.vic.timing;
    const line = this.words[START_OF_FRAME] === 0 ? this.words[RASTER_LINE] : lines;
    // The counter of frames moves in the second cycle of line 0.
    return Math.max(1, (lines - line) * cyclesPerLine + 2 - this.words[VIC_CYCLE]);
  }

  get rasterLine(): number {
    return this.words[RASTER_LINE];
  }

  get rasterCycle(): number {
    return this.words[VIC_CYCLE];
  }

  get rasterLines(): number {
    return this.vic.timing.lines;
  }

  cyclesToLine(line: number): number {
    const { cyclesPerLine, lines } = this.vic.timing;
    const cycle = this.words[VIC_CYCLE];
    // Line 0 begins a cycle later than the others; until then the last one goes on.
    const isLate = this.words[START_OF_FRAME] !== 0;
    const now = isLate ? lines : this.words[RASTER_LINE];
    const first = line === 0 ? 2 : 1;
    const span = (line - now) * cyclesPerLine + first - cycle;
    return span > 0 ? span : span + lines * cyclesPerLine;
  }

  get sound(): SoundClock {
    return this.sids;
  }

  protected override settle(): void {
    this.vic.settle();
  }

  runUnseen(cycles: number): void {
    const drawn = Math.min(cycles, 2 * this.cyclesPerLine);
    this.vic.isUnseen = true;
    this.runCycles(cycles - drawn);
    this.vic.isUnseen = false;
    this.runCycles(drawn);
  }

  watchRasterInterrupts(listener: (() => void) | undefined): void {
    this.vic.onRasterInterrupt = listener;
  }

  collided(type: CollisionType): number {
    return this.vic.peek(type === 'sprite_sprite' ? 0x1e : 0x1f);
  }

  watchCollisions(types: readonly CollisionType[], listener: CollisionListener): void {
    const bits = types.map((type) => (type === 'sprite_sprite' ? interrupt.spriteSprite : interrupt.spriteBackground));
    const wanted = bits.reduce<number>((all, bit) => all | bit, 0);
    this.#collisions = wanted === 0 ? undefined : { wanted, listener };
    this.vic.watchCollisions(this.#collisions && listener, wanted);
  }

  /** Runs to the cycle in which the next frame begins. */
  override runUntilFrame(): void {
    const { cyclesPerLine, lines } = this.vic.timing;
    const frame = this.frameCount;
    // The frame begins in the second cycle after its last line.
    const linesLeft = this.words[START_OF_FRAME] !== 0 ? 0 : lines - this.words[RASTER_LINE];
    if (linesLeft > 0) this.runCycles(linesLeft * cyclesPerLine - this.words[VIC_CYCLE]);
    while (this.frameCount === frame) this.tick();
  }

  // ---- the processor's bus

  read(address: number): number {
    const { memory } = this;
    const base = memory.reads[address >> 8] as number;
    if (base >= 0) return memory.bytes[base + address] as number;
    if (address > 0xff) return this.#io.read(address);
    return address > 1 ? (memory.bytes[address] as number) : this.port.read(address, this.clock[0]);
  }

  write(address: number, value: number): void {
    const { memory } = this;
    if (memory.seen[address >> 8] !== 0) {
      this.vic.catchUpAccesses();
      if (address === 0xff00) this.parts.reu?.trigger();
    }
    const base = memory.writes[address >> 8] as number;
    if (base >= 0) memory.bytes[base + address] = value;
    else if (address > 0xff) this.#io.write(address, value);
    else if (address > 1) memory.bytes[address] = value;
    else this.#writePort(address, value);
  }

  registersAt(address: number): readonly ChipRegister[] {
    if (this.parts.memoryExpansions.isBankRegister(address)) return [];
    return registersAt(address, this.sids.isSecond(address));
  }

  chipsReached(kind: 'read' | 'write', address: number): readonly ChipRegister[] {
    const { reads, writes } = this.memory;
    return ((kind === 'read' ? reads : writes)[address >> 8] as number) < 0 ? this.registersAt(address) : [];
  }

  #writePort(register: number, value: number): void {
    // The processor does not drive the bus when it writes to its own port: RAM gets what the VIC left there.
    this.ram[register] = this.vic.phi1Byte();
    this.port.write(register, value, this.clock[0]);
    this.parts.portChanged();
  }

  // ---- from outside

  /** Presses or releases the key at a column (CIA 1 port A) and row (port B) of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    this.parts.controlPorts.setKey(column, row, isDown);
  }

  isKeyDown(column: number, row: number): boolean {
    return this.parts.controlPorts.isKeyDown(column, row);
  }

  get keyboardLooks(): KeyboardLooks {
    return this.parts.controlPorts.looks;
  }

  releaseAllKeys(): void {
    this.setRestore(false);
    this.parts.controlPorts.releaseAllKeys();
  }

  /** RESTORE is no part of the matrix: it pulls the NMI line. */
  setRestore(isDown: boolean): void {
    this.words[RESTORE] = isDown ? 1 : 0;
  }

  get isRestoreDown(): boolean {
    return this.words[RESTORE] !== 0;
  }

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: number, pressed: number): void {
    this.parts.controlPorts.setJoystick(port, pressed);
  }

  /** Pins of the user port as levels, on port B of CIA 2. */
  setUserPort(pins: number): void {
    this.parts.cia2Port.setUserPort(pins);
  }

  /** Paddles, or a mouse that pretends to be some, with positions from 0 to 255. */
  setPaddles(port: number, x: number, y: number): void {
    this.parts.controlPorts.setPaddles(port, x, y);
  }

  /** The positions of a port's paddles. */
  paddles(port: number): { readonly x: number; readonly y: number } {
    return this.parts.controlPorts.paddles(port);
  }

  /** Pixels of what a monitor shows; undefined takes the pen away. */
  aimLightPen(at: { readonly x: number; readonly y: number } | undefined): void {
    this.#time.catchUpCias();
    const { cyclesPerLine, visible } = this.vic.timing;
    const left = this.visible.x - visible.x + (this.visible.x < visible.x ? cyclesPerLine * 8 : 0);
    if (at) this.lightPen.aim(at.x + left, at.y + this.visible.y - visible.y);
    else this.lightPen.lift();
  }

  /** Plugs a cartridge in, or pulls it out; both want a `reset()` afterwards, as on the real machine. */
  insertCartridge(cartridge: CartridgePort | undefined): void {
    this.expansion.insert(cartridge);
  }

  get canFreeze(): boolean {
    return this.expansion.canFreeze;
  }

  /** Presses the cartridge's freeze button; false if it has none. */
  freeze(): boolean {
    this.#time.catchUpCias();
    return this.parts.freezeButton.press();
  }

  /** Lines of the serial bus as drives pull them: false = low. */
  setSerialLines(clock: boolean, data: boolean): void {
    this.parts.cia2Port.setSerialLines(clock, data);
  }

  /** Lines of the serial bus as the computer pulls them: false = low. */
  get serialLines(): SerialLines {
    return this.parts.cia2Port.serialLines;
  }

  // ---- for debuggers: nothing here disturbs the machine

  peek(bank: CommodoreBank, address: number): number {
    return this.#debugging.peek(bank, address);
  }

  poke(bank: CommodoreBank, address: number, value: number): void {
    this.#debugging.poke(bank, address, value);
  }

  // ---- picture and snapshots

  get visible(): Vic2Timing['visible'] {
    return visiblePart(this.vic.timing, this.border);
  }

  visibleFrame(): VisibleFrame {
    this.vic.catchUp();
    return visibleFrame(this.frame, this.vic.timing, this.visible);
  }

  /** Copies the whole state into `target`, with everything that runs lazily brought up to date first. */
  override snapshot(target?: Uint8Array): Uint8Array {
    const state = super.snapshot(target);
    this.expansionRam.hold(state);
    return state;
  }

  imagesIn(snapshot: Uint8Array): readonly Uint8Array[] {
    const { drives, tape, board } = c64Layout.views(snapshot.slice().buffer);
    return [...this.drives.imagesIn(drives), ...this.tape.imagesIn(tape), ...this.expansionRam.imagesIn(board)];
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  override restored(): void {
    this.parts.restored();
    if (this.#collisions) this.vic.watchCollisions(this.#collisions.listener, this.#collisions.wanted);
  }
}
