import { hexWord } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { AnnotationsCapability } from '../../../machine/annotations.ts';
import type { CoverageCapability } from '../../../machine/coverage.ts';
import type { FunctionsCapability } from '../../../machine/functions.ts';
import type { GraphCapability } from '../../../machine/graph.ts';
import type { Host } from '../../../machine/host.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { ProfileCapability } from '../../../machine/profile.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import type { Status } from '../../../machine/state.ts';
import { KeptBreakpoints } from '../../shared/kept-breakpoints.ts';
import { NameBook } from '../../shared/name-book.ts';
import { NameFiles } from '../../shared/name-files.ts';
import { reportStops } from '../../shared/report-stops.ts';
import { BoardWatch } from '../board/board-watch.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { DriveRoms } from '../drive/real-drive.ts';
import { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import { CommodoreVariables } from '../symbols/commodore-variables.ts';
import { dataAt } from '../symbols/data-at.ts';
import { CommodoreBusTrace } from '../trace/commodore-bus-trace.ts';
import { CommodoreFrameTrace } from '../trace/commodore-frame-trace.ts';
import { CommodoreTrace } from '../understanding/commodore-trace.ts';
import { CommodoreUnderstanding } from '../understanding/commodore-understanding.ts';
import { KernalCallLog } from '../understanding/kernal-call-log.ts';
import type { TrialBoard } from '../workshop/trial.ts';
import { BreakpointLabels } from './breakpoint-labels.ts';
import { CommodoreBreakpoints } from './breakpoints/commodore-breakpoints.ts';
import { InterruptEntries } from './breakpoints/interrupt-entries.ts';
import { CommodoreAudio } from './commodore-audio.ts';
import { CommodoreChips } from './commodore-chips.ts';
import { CommodoreConfiguration } from './commodore-configuration.ts';
import { CommodoreCpu } from './commodore-cpu.ts';
import { CommodoreCycles } from './commodore-cycles.ts';
import { CommodoreEngine } from './commodore-engine.ts';
import { CommodoreEpisodes } from './commodore-episodes.ts';
import { CommodoreFilm } from './commodore-film.ts';
import { type CommodoreOrigin, modelOf } from './commodore-image.ts';
import { CommodoreInterruptLog } from './commodore-interrupt-log.ts';
import { CommodoreKeyboard } from './commodore-keyboard.ts';
import { CommodoreLightPen } from './commodore-light-pen.ts';
import { CommodoreMedia } from './commodore-media.ts';
import { CommodoreMemory } from './commodore-memory.ts';
import { CommodoreMoments } from './commodore-moments.ts';
import { CommodorePaddles } from './commodore-paddles.ts';
import { CommodorePast } from './commodore-past.ts';
import { CommodoreProcessors, mainWires } from './commodore-processors.ts';
import { CommodoreProgram } from './commodore-program.ts';
import { CommodoreRoutines } from './commodore-routines.ts';
import type { CommodoreSetup } from './commodore-setup.ts';
import { CommodoreSnapshots } from './commodore-snapshots.ts';
import { CommodoreSymbolFiles } from './commodore-symbol-files.ts';
import { CommodoreVocabulary } from './commodore-vocabulary.ts';

/** A built-in Commodore with everything an agent can do to it, whatever board is in it. */
export class CommodoreMachine implements Machine {
  readonly kind: string;
  /** All that a boot depends on: two machines with the same come to the same prompt. */
  readonly recipe: string;
  readonly control: CommodoreEngine;
  readonly cpu: CommodoreCpu;
  readonly processors: CommodoreProcessors;
  readonly addresses: AddressCapability;
  readonly memory: CommodoreMemory;
  readonly breakpoints: KeptBreakpoints;
  readonly snapshots: CommodoreSnapshots;
  readonly screen: ScreenCapability;
  readonly keyboard: CommodoreKeyboard;
  readonly joystick: CommodoreKeyboard;
  readonly paddles?: CommodorePaddles;
  readonly lightPen?: CommodoreLightPen;
  readonly program: CommodoreProgram;
  readonly media: CommodoreMedia;
  readonly symbols: CommodoreSymbolFiles;
  readonly variables: CommodoreVariables;
  readonly annotations: AnnotationsCapability;
  readonly functions: FunctionsCapability;
  readonly graph: GraphCapability;
  readonly coverage: CoverageCapability;
  readonly callLog: KernalCallLog;
  readonly names: NameBook;
  readonly trace: CommodoreTrace;
  readonly routines: CommodoreRoutines;
  readonly past: CommodorePast;
  readonly film: CommodoreFilm;
  readonly cycles: CommodoreCycles;
  readonly chips: CommodoreChips;
  readonly audio: CommodoreAudio;
  readonly configuration: CommodoreConfiguration;
  readonly moments: CommodoreMoments;
  readonly frameTrace?: CommodoreFrameTrace;
  readonly profile?: ProfileCapability;
  readonly busTrace: CommodoreBusTrace;
  readonly episodes: CommodoreEpisodes;
  readonly #board: CommodoreBoard;
  readonly #describe: (address: bigint) => string | undefined;
  #introduction: readonly string[];

  constructor(
    setup: CommodoreSetup,
    host: Host,
    introduction: readonly string[],
    romNames: Readonly<Record<string, number>> = {},
    origin: CommodoreOrigin['options'] = {},
  ) {
    const { board, model, cartridges, boardOptions } = setup;
    const isRom = (address: number) => board.memory.isSystemRom(address);
    const symbols = new CommodoreSymbols(isRom, () => host.settings.maxAnnotations);
    const vocabulary = new CommodoreVocabulary(board, symbols, setup.rows);
    this.kind = model.kind;
    this.recipe = recipeOf(boardOptions);
    this.#board = board;
    this.#introduction = introduction;
    symbols.addRom(romNames);
    this.addresses = {
      format: (address) => hexWord(address),
      resolve: (text) => symbols.knownLineAddress(text),
      lineMeant: (text) => symbols.lineMeant(text),
      source: (address) => symbols.source(address),
      symbols,
    };
    const watch = new BoardWatch(board);
    const breakpoints = new CommodoreBreakpoints(board, {
      watch,
      vocabulary,
      model,
      interrupts: new InterruptEntries(board, (line) => setup.interruptSource(line)),
      cartridgeBank: () => cartridges.bank,
      save: (breakpoint, hit) => this.snapshots.saveAtHit(breakpoint, hit),
      nameOf: (address) => symbols.describe(BigInt(address), 0n),
      dataAt: (address) => dataAt(symbols, address),
      log: (text, data) => host.report({ type: 'breakpoint', text, data }),
    });
    this.control = new CommodoreEngine({
      board,
      breakpoints,
      vocabulary,
      addresses: this.addresses,
      interrupts: new CommodoreInterruptLog(board, (line) => setup.interruptSource(line)),
    });
    this.control.clock = host.settings.clock ?? this.control.clock;
    this.moments = new CommodoreMoments(this.control, watch);
    reportStops(this.control, host);
    this.control.onBug = (error) => host.log('error', error instanceof Error ? `${error.stack}` : String(error));
    this.screen = setup.newScreen(() => this.control.wholeFrame());
    this.keyboard = new CommodoreKeyboard(this.control, model);
    this.joystick = this.keyboard;
    if (model.hasAnalogueInputs) {
      this.paddles = new CommodorePaddles(this.control, model);
      this.lightPen = new CommodoreLightPen(this.control, model.screen);
    }
    this.media = new CommodoreMedia(this.control, cartridges, (text) => host.report({ type: 'media', text }));
    this.memory = new CommodoreMemory(this.control, model.banks, cartridges, watch);
    this.cpu = new CommodoreCpu(mainWires(model.processor, this.control), this.memory, symbols);
    this.processors = new CommodoreProcessors(this.control, this);
    this.variables = new CommodoreVariables(this.cpu, this.memory, symbols);
    this.snapshots = new CommodoreSnapshots({
      model,
      engine: this.control,
      media: this.media,
      memory: this.memory,
      cartridges,
      fittings: setup.fittings,
      symbols,
      origin: { options: origin, roms: { ...boardOptions.options.roms, ...dosOf(boardOptions.options.driveRoms) } },
      board: () => boardOptions,
    });
    const labels = new BreakpointLabels(symbols, breakpoints);
    this.symbols = new CommodoreSymbolFiles(symbols, labels, host, () => board.cycles);
    this.annotations = symbols.annotations;
    this.#describe = (address) => symbols.describeWithText(address);
    const understanding = new CommodoreUnderstanding(this.control, symbols);
    this.functions = understanding.functions;
    this.graph = understanding.graph;
    this.coverage = understanding.coverage;
    this.callLog = new KernalCallLog(this.control, model.kernalStart);
    this.trace = new CommodoreTrace(this.control, symbols, vocabulary);
    this.names = new NameBook(symbols, NameFiles.of(host));
    this.breakpoints = new KeptBreakpoints(breakpoints, this.names, (text) =>
      host.report({ type: 'breakpoint', text }),
    );
    this.routines = new CommodoreRoutines(this.control);
    this.past = new CommodorePast(this.control, symbols);
    this.film = new CommodoreFilm(this.control, (frame) => setup.newScreen(async () => frame).picture());
    this.cycles = new CommodoreCycles(this.control);
    this.chips = new CommodoreChips(this.control, () => [...setup.chips, ...(setup.pluggedChips?.() ?? [])]);
    this.audio = new CommodoreAudio(this.control, () => setup.newSoundOutput());
    this.configuration = new CommodoreConfiguration({
      engine: this.control,
      fittings: setup.fittings,
      media: this.media,
      refitted: (memoryChanged) => {
        this.audio.renew();
        if (memoryChanged) this.media.forgetRams();
      },
    });
    this.busTrace = new CommodoreBusTrace(this.control);
    this.episodes = new CommodoreEpisodes(this.control, vocabulary);
    if (setup.probe) {
      const trace = new CommodoreFrameTrace(this.control, setup.probe);
      this.frameTrace = trace;
      this.profile = { profile: (frames, signal) => trace.profile(frames, signal) };
    }
    const { control, keyboard, media, screen, cpu, names, symbols: symbolFiles } = this;
    const parts = { control, keyboard, media, screen, cpu, names, breakpoints, setup, labels, symbolFiles };
    this.program = new CommodoreProgram(parts, symbols);
  }

  status(): Status {
    const { state, stop } = this.control;
    const { frameCount, rasterLine, rasterCycle } = this.#board;
    const pc = BigInt(this.control.pc);
    const symbol = this.#describe(pc);
    const notes = [...(this.control.isInside ? ['within an instruction'] : []), ...this.media.notes];
    const place = `frame ${frameCount}, line ${rasterLine}, cycle ${rasterCycle}`;
    return {
      state,
      where: `${this.addresses.format(pc)}${symbol ? ` ${symbol}` : ''}`,
      ...(stop && { stop }),
      now: { time: this.#board.cycles, pc, beam: { frame: frameCount, line: rasterLine, cycle: rasterCycle } },
      time: `cycle ${this.#board.cycles.toLocaleString('en-US')} (${place})`,
      ...(notes.length > 0 && { notes }),
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

/** ROMs of drives under the names that snapshots know them by. */
function dosOf(roms: DriveRoms = {}): Readonly<Record<string, Uint8Array | undefined>> {
  return { dos1541: roms['1541'], dos1571: roms['1571'], dos1581: roms['1581'] };
}

function recipeOf({ kind, options: { roms, driveRoms, ...rest } }: TrialBoard): string {
  const hashes = modelOf({ options: {}, roms: { ...roms, ...dosOf(driveRoms) } });
  return JSON.stringify([kind, Object.entries(rest).sort(), Object.entries(hashes).sort()]);
}
