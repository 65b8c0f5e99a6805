import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import type { AddressCapability } from '../../../../machine/addresses.ts';
import type { ChipsCapability } from '../../../../machine/chips.ts';
import type { Host } from '../../../../machine/host.ts';
import type { Machine } from '../../../../machine/machine.ts';
import type { Status } from '../../../../machine/state.ts';
import { reportStops } from '../../../shared/report-stops.ts';
import { CommodoreSymbols } from '../../symbols/commodore-symbols.ts';
import type { C64Board } from '../c64-board.ts';
import { boardWords } from './board-words.ts';
import { BreakpointTable } from './breakpoint-table.ts';
import { C64Audio } from './c64-audio.ts';
import { C64Cpu } from './c64-cpu.ts';
import { C64Cycles } from './c64-cycles.ts';
import { C64Keyboard } from './c64-keyboard.ts';
import { C64LightPen } from './c64-light-pen.ts';
import { C64Media } from './c64-media.ts';
import { C64Memory } from './c64-memory.ts';
import { C64Mouse } from './c64-mouse.ts';
import { C64Paddles } from './c64-paddles.ts';
import { C64Program } from './c64-program.ts';
import { C64Screen } from './c64-screen.ts';
import { C64Snapshots } from './c64-snapshots.ts';
import { C64Symbols } from './c64-symbols.ts';
import { ciaChip } from './chips/cia-chip.ts';
import { sidChip } from './chips/sid-chip.ts';
import { vic2Chip } from './chips/vic2-chip.ts';
import { Engine } from './engine.ts';
import { C64Vocabulary } from './vocabulary.ts';

/** A built-in Commodore 64 with everything an agent can do to it. */
export class C64Machine implements Machine {
  readonly kind = 'c64';
  readonly control: Engine;
  readonly cpu: C64Cpu;
  readonly addresses: AddressCapability;
  readonly memory: C64Memory;
  readonly breakpoints: BreakpointTable;
  readonly snapshots: C64Snapshots;
  readonly screen: C64Screen;
  readonly keyboard: C64Keyboard;
  readonly joystick: C64Keyboard;
  readonly paddles: C64Paddles;
  readonly mouse: C64Mouse;
  readonly lightPen: C64LightPen;
  readonly program: C64Program;
  readonly media: C64Media;
  readonly symbols: C64Symbols;
  readonly cycles: C64Cycles;
  readonly chips: ChipsCapability;
  readonly audio: C64Audio;
  readonly #board: C64Board;
  readonly #vic: Vic2State;
  #introduction: readonly string[];

  constructor(
    board: C64Board,
    host: Host,
    introduction: readonly string[],
    romNames: Readonly<Record<string, number>> = {},
  ) {
    const symbols = new CommodoreSymbols((address) => board.memory.isSystemRom(address));
    const vocabulary = new C64Vocabulary(board, symbols);
    this.#board = board;
    this.#vic = boardWords(board, 'vic');
    this.#introduction = introduction;
    symbols.addRom(romNames);
    this.addresses = {
      format: (address) => `$${address.toString(16).toUpperCase().padStart(4, '0')}`,
      resolve: (text) => symbols.lineAddress(text),
      symbols,
    };
    this.breakpoints = new BreakpointTable(board, {
      vocabulary,
      nameOf: (address) => symbols.describe(BigInt(address), 0n),
      log: (text, data) => host.report({ type: 'breakpoint', text, data }),
    });
    this.control = new Engine(board, this.breakpoints, vocabulary, this.addresses);
    reportStops(this.control, host);
    this.control.onBug = (error) => host.log('error', error instanceof Error ? `${error.stack}` : String(error));
    this.screen = new C64Screen(board, () => this.control.wholeFrame());
    this.keyboard = new C64Keyboard(this.control);
    this.joystick = this.keyboard;
    this.paddles = new C64Paddles(this.control);
    this.mouse = new C64Mouse(this.control);
    this.lightPen = new C64LightPen(this.control);
    this.media = new C64Media(this.control, (text) => host.report({ type: 'media', text }));
    this.memory = new C64Memory(this.control, this.media);
    this.cpu = new C64Cpu(this.control, this.memory, symbols);
    this.snapshots = new C64Snapshots(this.control, this.media, this.memory, symbols);
    this.symbols = new C64Symbols(symbols);
    this.cycles = new C64Cycles(this.control);
    this.chips = {
      chips: [vic2Chip(board), sidChip(board, board.clockHz), ciaChip(board, 'cia1'), ciaChip(board, 'cia2')],
    };
    this.audio = new C64Audio(this.control, board.sidModel, board.clockHz);
    this.program = new C64Program(this, symbols);
  }

  status(): Status {
    const { state, stop } = this.control;
    const pc = BigInt(this.control.pc);
    const symbol = this.addresses.symbols.describe(pc);
    const place = `frame ${this.#board.frameCount}, line ${this.#vic[vic.rasterLine]}, cycle ${this.#vic[vic.cycle]}`;
    return {
      state,
      where: `${this.addresses.format(pc)}${symbol ? ` ${symbol}` : ''}`,
      ...(stop && { stop }),
      time: `cycle ${this.#board.cycles.toLocaleString('en-US')} (${place})`,
      ...(this.media.notes.length > 0 && { notes: this.media.notes }),
    };
  }

  introduction(): readonly string[] {
    return this.#introduction;
  }

  introduce(line: string): void {
    this.#introduction = [...this.#introduction, line];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.control.state === 'RUNNING') await this.control.pause();
  }
}
