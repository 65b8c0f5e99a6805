import type { AddressCapability } from '../../../machine/addresses.ts';
import type { Chip, ChipsCapability } from '../../../machine/chips.ts';
import type { Host } from '../../../machine/host.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import type { Status } from '../../../machine/state.ts';
import { reportStops } from '../../shared/report-stops.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import { driveChip } from '../chips/drive-chip.ts';
import { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import { CommodoreAudio } from './commodore-audio.ts';
import { CommodoreBreakpoints } from './commodore-breakpoints.ts';
import { CommodoreCpu } from './commodore-cpu.ts';
import { CommodoreCycles } from './commodore-cycles.ts';
import { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreOrigin } from './commodore-image.ts';
import { CommodoreInterruptLog } from './commodore-interrupt-log.ts';
import { CommodoreKeyboard } from './commodore-keyboard.ts';
import { CommodoreLightPen } from './commodore-light-pen.ts';
import { CommodoreMedia } from './commodore-media.ts';
import { CommodoreMemory } from './commodore-memory.ts';
import { CommodorePaddles } from './commodore-paddles.ts';
import { CommodoreProcessors, mainWires } from './commodore-processors.ts';
import { CommodoreProgram } from './commodore-program.ts';
import type { CommodoreSetup } from './commodore-setup.ts';
import { CommodoreSnapshots } from './commodore-snapshots.ts';
import { CommodoreSymbolFiles } from './commodore-symbol-files.ts';
import { CommodoreVocabulary } from './commodore-vocabulary.ts';

/** A built-in Commodore with everything an agent can do to it, whatever board is in it. */
export class CommodoreMachine implements Machine {
  readonly kind: string;
  readonly control: CommodoreEngine;
  readonly cpu: CommodoreCpu;
  readonly processors: CommodoreProcessors;
  readonly addresses: AddressCapability;
  readonly memory: CommodoreMemory;
  readonly breakpoints: CommodoreBreakpoints;
  readonly snapshots: CommodoreSnapshots;
  readonly screen: ScreenCapability;
  readonly keyboard: CommodoreKeyboard;
  readonly joystick: CommodoreKeyboard;
  readonly paddles: CommodorePaddles;
  readonly lightPen: CommodoreLightPen;
  readonly program: CommodoreProgram;
  readonly media: CommodoreMedia;
  readonly symbols: CommodoreSymbolFiles;
  readonly cycles: CommodoreCycles;
  readonly chips: ChipsCapability;
  readonly audio: CommodoreAudio;
  readonly #board: CommodoreBoard;
  #introduction: readonly string[];

  constructor(
    setup: CommodoreSetup,
    host: Host,
    introduction: readonly string[],
    romNames: Readonly<Record<string, number>> = {},
    origin: CommodoreOrigin['options'] = {},
  ) {
    const { board, model, cartridges, boardOptions } = setup;
    const symbols = new CommodoreSymbols((address) => board.memory.isSystemRom(address));
    const vocabulary = new CommodoreVocabulary(board, symbols, setup.rows);
    this.kind = model.kind;
    this.#board = board;
    this.#introduction = introduction;
    symbols.addRom(romNames);
    this.addresses = {
      format: (address) => `$${address.toString(16).toUpperCase().padStart(4, '0')}`,
      resolve: (text) => symbols.lineAddress(text),
      symbols,
    };
    this.breakpoints = new CommodoreBreakpoints(board, {
      vocabulary,
      io: model.io,
      nameOf: (address) => symbols.describe(BigInt(address), 0n),
      log: (text, data) => host.report({ type: 'breakpoint', text, data }),
    });
    this.control = new CommodoreEngine({
      board,
      breakpoints: this.breakpoints,
      vocabulary,
      addresses: this.addresses,
      interrupts: new CommodoreInterruptLog(board, (line) => setup.interruptSource(line)),
    });
    reportStops(this.control, host);
    this.control.onBug = (error) => host.log('error', error instanceof Error ? `${error.stack}` : String(error));
    this.screen = setup.newScreen(() => this.control.wholeFrame());
    this.keyboard = new CommodoreKeyboard(this.control, model);
    this.joystick = this.keyboard;
    this.paddles = new CommodorePaddles(this.control, model);
    this.lightPen = new CommodoreLightPen(this.control, model.screen);
    this.media = new CommodoreMedia(this.control, cartridges, (text) => host.report({ type: 'media', text }));
    this.memory = new CommodoreMemory(this.control, model.banks, cartridges);
    this.cpu = new CommodoreCpu(mainWires(model.processor, this.control), this.memory, symbols);
    this.processors = new CommodoreProcessors(this.control, this);
    this.snapshots = new CommodoreSnapshots({
      model,
      engine: this.control,
      media: this.media,
      memory: this.memory,
      cartridges,
      symbols,
      origin: { options: origin, roms: { ...boardOptions.options.roms, dos1541: boardOptions.options.driveRom } },
      board: () => boardOptions,
    });
    this.symbols = new CommodoreSymbolFiles(symbols);
    this.cycles = new CommodoreCycles(this.control);
    this.chips = {
      get chips() {
        return [...setup.chips, ...driveChips(board)];
      },
    };
    this.audio = new CommodoreAudio(this.control, () => setup.newSoundOutput());
    const { control, keyboard, media, screen, cpu } = this;
    this.program = new CommodoreProgram({ control, keyboard, media, screen, cpu, setup }, symbols);
  }

  status(): Status {
    const { state, stop } = this.control;
    const { frameCount, rasterLine, rasterCycle } = this.#board;
    const pc = BigInt(this.control.pc);
    const symbol = this.addresses.symbols.describe(pc);
    const place = `frame ${frameCount}, line ${rasterLine}, cycle ${rasterCycle}`;
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
    await this.control.end();
  }
}

/** Of the drives that are switched on and have a processor. */
function driveChips(board: CommodoreBoard): readonly Chip[] {
  return board.drives.real.map((drive) =>
    driveChip({
      unit: drive.unit,
      ...drive.parts,
      track: () => drive.track,
      peek: (address) => drive.peek(address),
      catchUp: () => board.catchUp(),
    }),
  );
}
