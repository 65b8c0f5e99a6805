import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import { fields as cia, type Mos6526State } from '../../../../chips/mos6526/fields.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import type { InterruptEntry, InterruptLog } from '../../../../machine/cycles.ts';
import type { C64Board } from '../c64-board.ts';
import { boardWords } from './board-words.ts';

const keptEntries = 1000;
const brkFlag = 0x10;

const vicSources = ['raster', 'sprite-background collision', 'sprite-sprite collision', 'light pen'];
const ciaSources = ['timer A', 'timer B', 'alarm', 'serial port', 'flag'];

/** Which interrupts were taken, when and why. Asked after each instruction, and only while it is on. */
export class C64InterruptLog implements InterruptLog {
  readonly #board: C64Board;
  readonly #vic: Vic2State;
  readonly #cia1: Mos6526State;
  readonly #cia2: Mos6526State;
  #entries: InterruptEntry[] = [];
  #isOn = false;
  #total = 0;
  #irqs = 0;
  #nmis = 0;

  constructor(board: C64Board) {
    this.#board = board;
    this.#vic = boardWords(board, 'vic');
    this.#cia1 = boardWords(board, 'cia1');
    this.#cia2 = boardWords(board, 'cia2');
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get entries(): readonly InterruptEntry[] {
    return this.#entries.slice(-keptEntries);
  }

  get total(): number {
    return this.#total;
  }

  switch(on: boolean): void {
    this.#isOn = on;
    if (!on) return;
    this.#entries = [];
    this.#total = 0;
    this.forget();
  }

  /** The machine was put elsewhere: what the processor has counted since says nothing. */
  forget(): void {
    const { state } = this.#board.cpu;
    this.#irqs = state[cpu.irqCount];
    this.#nmis = state[cpu.nmiCount];
  }

  look(): void {
    const { state } = this.#board.cpu;
    if (state[cpu.nmiCount] !== this.#nmis) this.#add('nmi');
    else if (state[cpu.irqCount] !== this.#irqs) this.#add('irq');
    else return;
    this.forget();
  }

  /** The handler's first instruction comes next: the stack holds what was interrupted. */
  #add(line: 'irq' | 'nmi'): void {
    const board = this.#board;
    const { state } = board.cpu;
    const pushed = (offset: number) => board.ram[0x100 + ((state[cpu.s] + offset) & 255)] as number;
    const isBrk = line === 'irq' && (pushed(1) & brkFlag) !== 0;
    if (this.#entries.length >= 2 * keptEntries) this.#entries = this.#entries.slice(-keptEntries);
    this.#total += 1;
    this.#entries.push({
      cycle: board.cycles,
      type: isBrk ? 'brk' : line,
      place: `line ${this.#vic[vic.rasterLine]}, cycle ${this.#vic[vic.cycle]}`,
      source: isBrk ? 'BRK' : line === 'irq' ? this.#irqSource() : this.#nmiSource(),
      interrupted: BigInt(pushed(2) | (pushed(3) << 8)),
      handler: BigInt(state[cpu.pc]),
    });
  }

  #irqSource(): string {
    const video = named('vic2', vicSources, this.#vic[vic.irqStatus] & this.#vic[vic.d01a]);
    return [...video, ...ciaSource('cia1', this.#cia1)].join(', ') || 'gone by now';
  }

  #nmiSource(): string {
    return ciaSource('cia2', this.#cia2).join(', ') || 'RESTORE';
  }
}

function ciaSource(name: string, state: Mos6526State): readonly string[] {
  return named(name, ciaSources, state[cia.flags] & state[cia.mask]);
}

function named(chip: string, sources: readonly string[], bits: number): readonly string[] {
  return sources.filter((_, index) => ((bits >> index) & 1) !== 0).map((source) => `${chip} ${source}`);
}
