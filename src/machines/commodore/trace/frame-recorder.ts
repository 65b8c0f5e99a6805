import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { PastWatcher } from '../machine/past-review.ts';
import type { BoardProbe, Signal } from './board-probe.ts';
import { ChipPlaces } from './chip-places.ts';
import { EventColumns, type EventRow } from './event-columns.ts';

const accesses = ['write', 'read'] as const;
const interrupts = ['irq', 'nmi', 'brk', 'rti'] as const;
const rtiOpcode = 0x40;
const brkFlag = 0x10;

/** Names of the types of events on a board, by the index that a recorder gives them. */
export function eventTypes(probe: BoardProbe): readonly string[] {
  return [...accesses, ...interrupts, ...probe.signals.map(({ type }) => type)];
}

/** The signal whose events have this type's index. */
export function signalOf(probe: BoardProbe, type: number): Signal | undefined {
  return probe.signals[type - accesses.length - interrupts.length];
}

/** The processor is a chip too: it follows those that the probe has. */
export function chipNames(probe: BoardProbe): readonly string[] {
  return [...probe.chips.map(({ name }) => name), 'cpu'];
}

interface Wanted {
  readonly reads: boolean;
  /** All of them if undefined. */
  readonly chips?: readonly string[] | undefined;
  /** Where there is no room for all events, only those that pass take any. */
  readonly passes: (row: EventRow) => boolean;
  readonly maxBytes: number;
}

/** The cycle in which the frame began that the board is in. */
export function frameStart({ cycles, frameSpan, cyclesToFrame }: CommodoreBoard): number {
  return cycles - 1 - (frameSpan - cyclesToFrame);
}

/** Writes down what happens while a stretch of the past is run again. */
export class FrameRecorder implements PastWatcher {
  readonly events: EventColumns;
  /** Frames with the cycles in which they began, in order. */
  readonly frames: { readonly frame: number; readonly start: number }[] = [];
  /** The whole raster as it was at the end. */
  picture: Uint8Array | undefined;
  /** The border's colour when the stretch began. */
  border = 0;
  /** Whether only events that pass the filters are there. */
  isFiltered = false;
  /** The cycle of the first event that found no room. */
  fullAt: number | undefined;
  readonly #board: CommodoreBoard;
  readonly #probe: BoardProbe;
  readonly #places: ChipPlaces;
  readonly #wanted: Wanted;
  readonly #isChipWanted: readonly boolean[];
  readonly #cpuChip: number;
  readonly #chipOfSignal: readonly number[];
  readonly #before: number[];
  /** Of the return from an interrupt under way, or -1. */
  #rti = -1;
  #irqs = 0;
  #nmis = 0;

  constructor(board: CommodoreBoard, probe: BoardProbe, wanted: Wanted) {
    const names = chipNames(probe);
    this.#board = board;
    this.#probe = probe;
    this.#places = new ChipPlaces(probe);
    this.#wanted = wanted;
    this.events = new EventColumns(wanted.maxBytes);
    this.#isChipWanted = names.map((name) => wanted.chips?.includes(name) ?? true);
    this.#cpuChip = probe.chips.length;
    this.#chipOfSignal = probe.signals.map(({ chip }) => names.indexOf(chip));
    this.#before = probe.signals.map(() => 0);
  }

  begin(): void {
    const { state } = this.#board.cpu;
    this.#irqs = state[cpu.irqCount];
    this.#nmis = state[cpu.nmiCount];
    this.border = this.#probe.border.now();
    for (const [index, signal] of this.#probe.signals.entries()) this.#before[index] = signal.bits();
  }

  access(kind: 'read' | 'write', address: number, value: number): void {
    if (kind === 'read' && !this.#wanted.reads) return;
    for (const reached of this.#board.chipsReached(kind, address)) {
      const place = this.#places.of(reached);
      if (place >= 0 && this.#isChipWanted[place >> 8] === true) this.#access(kind === 'read' ? 1 : 0, place, value);
    }
  }

  cycle(): void {
    this.#noteFrame(this.#board.cycles - 1);
    this.#lookAtSignals();
    this.#lookAtProcessor();
  }

  end(): void {
    // Draws what is due.
    this.#board.visibleFrame();
    this.picture = this.#board.frame.slice();
  }

  #access(type: number, place: number, value: number): void {
    this.#noteFrame(this.#board.cycles);
    this.#add(type, place >> 8, place & 255, value, this.#board.cycles, this.#board.cpu.state[cpu.instructionPc]);
  }

  #lookAtSignals(): void {
    const { signals } = this.#probe;
    for (let index = 0; index < signals.length; index += 1) {
      const signal = signals[index];
      const now = signal?.bits() ?? 0;
      const before = this.#before[index] ?? 0;
      if (signal === undefined || now === before) continue;
      this.#before[index] = now;
      const changed = signal.edge === 'rise' ? now & ~before : before & ~now;
      const chip = this.#chipOfSignal[index] ?? -1;
      if (changed === 0 || this.#isChipWanted[chip] !== true) continue;
      this.#add(accesses.length + interrupts.length + index, chip, -1, changed, this.#board.cycles - 1, this.#pc);
    }
  }

  #lookAtProcessor(): void {
    const { state } = this.#board.cpu;
    const step = state[cpu.step];
    if ((step & 7) !== 0) {
      if (step >> 3 === rtiOpcode) this.#rti = state[cpu.instructionPc];
      return;
    }
    if (this.#rti >= 0) {
      this.#addOfProcessor('rti', state[cpu.pc], this.#rti);
      this.#rti = -1;
    }
    if (state[cpu.nmiCount] !== this.#nmis) this.#addEntry('nmi');
    else if (state[cpu.irqCount] !== this.#irqs) this.#addEntry('irq');
    this.#nmis = state[cpu.nmiCount];
    this.#irqs = state[cpu.irqCount];
  }

  /** The handler's first instruction comes next: the stack holds what was interrupted. */
  #addEntry(line: 'irq' | 'nmi'): void {
    const { cpu: processor, ram } = this.#board;
    const { state } = processor;
    const pushed = (offset: number) => ram[0x100 + ((state[cpu.s] + offset) & 255)] ?? 0;
    const isBrk = line === 'irq' && (pushed(1) & brkFlag) !== 0;
    this.#addOfProcessor(isBrk ? 'brk' : line, state[cpu.pc], pushed(2) | (pushed(3) << 8));
  }

  #addOfProcessor(type: (typeof interrupts)[number], value: number, pc: number): void {
    if (this.#isChipWanted[this.#cpuChip] !== true) return;
    const index = accesses.length + interrupts.indexOf(type);
    this.#add(index, this.#cpuChip, -1, value, this.#board.cycles - 1, pc);
  }

  get #pc(): number {
    const { state } = this.#board.cpu;
    return (state[cpu.step] & 7) === 0 ? state[cpu.pc] : state[cpu.instructionPc];
  }

  #noteFrame(cycle: number): void {
    const { frameCount: frame, frameSpan, cyclesToFrame } = this.#board;
    const last = this.frames.at(-1);
    if (last?.frame === frame) return;
    this.frames.push({ frame, start: last === undefined ? cycle - (frameSpan - cyclesToFrame) : cycle });
  }

  #add(type: number, chip: number, register: number, value: number, cycle: number, pc: number): void {
    const { rasterLine, rasterCycle, frameCount } = this.#board;
    const place = { cycle, frame: frameCount, line: rasterLine, lineCycle: rasterCycle };
    const row = { ...place, type, chip, register, value, pc };
    const { passes } = this.#wanted;
    if (this.events.isFull && !this.isFiltered) {
      this.isFiltered = true;
      this.events.keep(passes);
    }
    if (this.isFiltered && !passes(row)) return;
    if (this.events.isFull) this.fullAt ??= cycle;
    this.events.add(row);
  }
}
