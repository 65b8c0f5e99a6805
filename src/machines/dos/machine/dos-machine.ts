import { setImmediate } from 'node:timers/promises';
import type { OpenPort } from '../../../console/open-console-port.ts';
import type { CallLogCapability } from '../../../machine/call-log.ts';
import type { ConsoleCapability } from '../../../machine/console.ts';
import type { CoverageCapability } from '../../../machine/coverage.ts';
import type { Host } from '../../../machine/host.ts';
import type { Machine } from '../../../machine/machine.ts';
import type { NamedProgram } from '../../../machine/names.ts';
import type { Status } from '../../../machine/state.ts';
import { KeptBreakpoints } from '../../shared/kept-breakpoints.ts';
import { NameBook } from '../../shared/name-book.ts';
import { type NameFiles, namedProgram } from '../../shared/name-files.ts';
import type { DosSystem } from '../board/dos-system.ts';
import { DosAddresses } from '../debug/dos-addresses.ts';
import { DosBreakpoints } from '../debug/dos-breakpoints.ts';
import type { DosCallLog } from '../debug/dos-call-log.ts';
import { DosChips } from '../debug/dos-chips.ts';
import { dosCoverage } from '../debug/dos-coverage.ts';
import { DosCpu } from '../debug/dos-cpu.ts';
import { DosFreeze } from '../debug/dos-freeze.ts';
import { DosFunctions } from '../debug/dos-functions.ts';
import { DosGraph } from '../debug/dos-graph.ts';
import { DosMemory } from '../debug/dos-memory.ts';
import { DosTrace } from '../debug/dos-trace.ts';
import { DosVocabulary } from '../debug/dos-vocabulary.ts';
import { extraSpaces } from '../debug/extra-spaces.ts';
import { FormerCode } from '../debug/former-code.ts';
import { InstructionHooks } from '../debug/instruction-hooks.ts';
import { MemoryWatches } from '../debug/memory-watches.ts';
import { compileForProcessor } from '../debug/processor-condition.ts';
import { KnownSignatures } from '../signatures/known-signatures.ts';
import { ownSignatures } from '../signatures/signature-files.ts';
import { DosAudio } from './dos-audio.ts';
import { DosEngine } from './dos-engine.ts';
import { DosEpisodes } from './dos-episodes.ts';
import { DosFilm } from './dos-film.ts';
import { DosJoystick } from './dos-joystick.ts';
import { DosKeyboard } from './dos-keyboard.ts';
import { DosMedia } from './dos-media.ts';
import { DosMouse } from './dos-mouse.ts';
import { DosProgram } from './dos-program.ts';
import { DosScreen } from './dos-screen.ts';
import { type DosOrigin, DosSnapshots } from './dos-snapshots.ts';
import type { SoundMixer } from './sound-mixer.ts';
import { unsavedOnDrives } from './unsaved-files.ts';

export interface DosMachineParts {
  readonly system: DosSystem;
  readonly callLog: DosCallLog;
  readonly names: NameFiles;
  readonly mixer: SoundMixer;
  readonly host: Host;
  readonly origin: DosOrigin;
}

/** When a program has made more code than a graph can hold. */
const graphText =
  'the control-flow graph had grown too large and begins anew; counts and coverage runs before it are gone';

/** The prefix that DOS puts before a program. */
const prefixBytes = 0x100;

/** A built-in DOS PC with everything an agent can do to it. */
export class DosMachine implements Machine {
  readonly kind = 'dos';
  readonly control: DosEngine;
  readonly cpu: DosCpu;
  readonly addresses: DosAddresses;
  readonly memory: DosMemory;
  readonly breakpoints: KeptBreakpoints;
  readonly snapshots: DosSnapshots;
  readonly screen: DosScreen;
  readonly keyboard: DosKeyboard;
  readonly mouse: DosMouse;
  readonly joystick: DosJoystick;
  readonly audio: DosAudio;
  readonly chips: DosChips;
  readonly program: DosProgram;
  readonly media: DosMedia;
  readonly functions: DosFunctions;
  readonly graph: DosGraph;
  readonly names: NameBook;
  readonly callLog: CallLogCapability;
  readonly trace: DosTrace;
  readonly coverage: CoverageCapability;
  readonly episodes: DosEpisodes;
  readonly film: DosFilm;
  console: ConsoleCapability = { ports: [] };
  readonly #system: DosSystem;
  readonly #ports: OpenPort[] = [];
  readonly #introduction: string[] = [];

  constructor({ system, callLog, names, mixer, host, origin }: DosMachineParts) {
    this.#system = system;
    const { board } = system;
    const { cpu } = board;
    this.addresses = new DosAddresses(cpu);
    const { symbols } = this.addresses;
    const vocabulary = new DosVocabulary(cpu, symbols);
    const watches = new MemoryWatches(cpu);
    const breakpoints = new DosBreakpoints({
      cpu,
      vocabulary,
      watches,
      ports: board.ports,
      stop: () => board.stop(),
      act: (event) => this.control.input(event),
      save: (breakpoint, hit) => this.snapshots.saveAtHit(breakpoint, hit),
      log: (text, data) => host.report({ type: 'breakpoint', text, data }),
    });
    const compile = (condition: string) => compileForProcessor(condition, vocabulary, cpu);
    this.control = new DosEngine(system, breakpoints, compile, this.addresses, () => {
      callLog.cutBehind(board.instructions);
      this.trace.cutBehind(board.instructions);
      breakpoints.moved();
    });
    this.control.clock = host.settings.clock ?? this.control.clock;
    const poke = (address: number, bytes: Uint8Array) => this.control.input({ type: 'poke', address, bytes });
    this.cpu = new DosCpu(cpu, this.addresses, (name, value) => this.control.input({ type: 'register', name, value }));
    this.memory = new DosMemory({
      cpu,
      freeze: new DosFreeze(cpu, watches, poke),
      poke,
      extra: () => extraSpaces(system),
    });
    this.episodes = new DosEpisodes(this.control, vocabulary);
    this.screen = new DosScreen(board);
    this.film = new DosFilm(this.control);
    this.keyboard = new DosKeyboard(this.control);
    this.mouse = new DosMouse(this.control);
    this.joystick = new DosJoystick(this.control);
    this.audio = new DosAudio(this.control, mixer);
    this.chips = new DosChips(system, (event) => this.control.input(event));
    this.media = new DosMedia(this.control, host, system.traits.cdLetters);
    this.snapshots = new DosSnapshots(this.control, this.media, origin);
    this.program = new DosProgram(this.control, this.keyboard, this.addresses);
    const hold = () => this.control.hold();
    this.names = new NameBook(symbols, names);
    const tell = (text: string) => {
      if (!this.control.isRewinding) host.report({ type: 'breakpoint', text });
    };
    this.breakpoints = new KeptBreakpoints(breakpoints, this.names, tell);
    const former = new FormerCode(cpu);
    /** By their processes: who was loaded there last. */
    const programs = new Map<number, NamedProgram>();
    const openNames = (named: NamedProgram) => {
      // Without its names a program runs as well.
      this.names.open(named).catch((error: unknown) => {
        host.log('error', `names of ${named.name}: ${error instanceof Error ? error.message : String(error)}`);
      });
    };
    system.kernel.dos.programLoaded = (program) => {
      const { name, file, process, paragraphs, imageSegment, imageBytes } = program;
      this.program.loaded(program);
      const first = process * 16;
      const last = first + paragraphs * 16 - 1;
      const imageLast = Math.min(last, imageSegment * 16 + Math.max(1, imageBytes) - 1);
      if (former.programLoaded(program)) callLog.replaced(first, last);
      breakpoints.programLoaded(program.cs * 16 + program.ip);
      this.control.programLoaded(program.cs * 16 + program.ip);
      const named = namedProgram(name, file, first, last, first + prefixBytes, imageLast);
      programs.set(process, named);
      openNames(named);
      this.program.showLabels(program);
    };
    // What a program has started has names of its own; then it has its names again.
    system.kernel.dos.programEnded = (goesOn) => {
      const named = programs.get(goesOn);
      if (named && named !== this.names.program) openNames(named);
    };
    this.callLog = callLog;
    this.trace = new DosTrace({ cpu, hooks: new InstructionHooks(cpu), vocabulary, symbols });
    this.graph = new DosGraph(cpu, symbols, this.trace, hold, former);
    this.functions = new DosFunctions(
      ...([cpu, symbols, this.graph, hold] as const),
      new KnownSignatures(() => ownSignatures(host)),
      former,
    );
    const coverage = dosCoverage(cpu, hold);
    this.coverage = coverage;
    cpu.onGraphFull = () => {
      coverage.forget();
      if (!this.control.isRewinding) host.report({ type: 'graph', text: graphText });
    };
  }

  introduce(...lines: readonly string[]): void {
    this.#introduction.push(...lines);
  }

  /** Serial ports that people and agents can talk to. */
  addPorts(ports: readonly OpenPort[]): void {
    this.#ports.push(...ports);
    this.console = { ports: this.#ports };
  }

  status(): Status {
    const { state, stop } = this.control;
    const { instructions } = this.#system.board;
    const symbol = this.addresses.symbols.describe(this.cpu.pc);
    return {
      state,
      where: `${this.addresses.format(this.cpu.pc)}${symbol ? ` ${symbol}` : ''}`,
      ...(stop && { stop }),
      time: `instruction ${instructions.toLocaleString('en-US')}`,
      now: { time: instructions, pc: this.cpu.pc },
    };
  }

  introduction(): readonly string[] {
    return this.#introduction;
  }

  unsaved(): readonly string[] {
    return unsavedOnDrives(this.#system);
  }

  inUse(): boolean {
    return this.#ports.some((port) => port.humans.watching > 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.control.end();
    await setImmediate();
    for (const port of this.#ports) await port.close();
  }
}
