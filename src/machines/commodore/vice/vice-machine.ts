import { hexWord } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { AnnotationsCapability } from '../../../machine/annotations.ts';
import type { Host } from '../../../machine/host.ts';
import type { Capability, Machine } from '../../../machine/machine.ts';
import type { Status } from '../../../machine/state.ts';
import { MonitorCommands } from '../../shared/monitor-commands.ts';
import { NameBook } from '../../shared/name-book.ts';
import { NameFiles } from '../../shared/name-files.ts';
import { reportStops } from '../../shared/report-stops.ts';
import { BreakpointLabels } from '../machine/breakpoint-labels.ts';
import { CommodoreSymbolFiles } from '../machine/commodore-symbol-files.ts';
import { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import { CommodoreVariables } from '../symbols/commodore-variables.ts';
import type { ViceFolder } from './launch/vice-folder.ts';
import { hasTwin } from './twin/twin-parts.ts';
import { ViceTwin } from './twin/vice-twin.ts';
import { ViceAudio } from './vice-audio.ts';
import { ViceBreakpoints } from './vice-breakpoints.ts';
import { ViceChips } from './vice-chips.ts';
import { ViceVocabulary } from './vice-condition.ts';
import { ViceCpu } from './vice-cpu.ts';
import { ViceDatasette } from './vice-datasette.ts';
import { ViceEngine } from './vice-engine.ts';
import { ViceJoystick } from './vice-joystick.ts';
import { ViceKeyboard } from './vice-keyboard.ts';
import { ViceMedia } from './vice-media.ts';
import { ViceMemory } from './vice-memory.ts';
import type { ViceModel } from './vice-models.ts';
import { ViceMonitor } from './vice-monitor.ts';
import { ViceProgram } from './vice-program.ts';
import { ViceScreen } from './vice-screen.ts';
import type { ViceSession } from './vice-session.ts';
import { ViceSnapshots } from './vice-snapshots.ts';

/** What every built-in Commodore has and no monitor tells. */
const notOfMonitors = [
  'processors',
  'configuration',
  'cycles',
  'moments',
  'functions',
  'graph',
  'callLog',
  'trace',
  'coverage',
  'frameTrace',
  'profile',
  'busTrace',
  'routines',
  'past',
  'film',
] as const satisfies readonly Capability[];

/** What the text monitor alone does. */
const ofTextMonitor = ['media', 'chips', 'monitor', 'twin'] as const satisfies readonly Capability[];
/** They have no port for one. */
const withoutDatasette = ['x64dtv', 'xscpu64'];
const otherComputer = 'Only a VICE on this computer has it: it shares files with one.';

export interface ViceParts {
  readonly session: ViceSession;
  readonly model: ViceModel;
  readonly host: Host;
  readonly introduction: readonly string[];
  /** For files that VICE itself reads and writes; undefined where it has another file system than we. */
  readonly folder?: ViceFolder;
  /** Where VICE writes its sound, if it does. */
  readonly soundFile?: string;
  /** Ends VICE, or leaves one that was there before as it was; then nothing of ours is left. */
  powerOff(machine: ViceMachine): Promise<void>;
}

/** A real VICE with everything that its monitors let an agent do. */
export class ViceMachine implements Machine {
  readonly kind = 'vice';
  readonly control: ViceEngine;
  readonly cpu: ViceCpu;
  readonly memory: ViceMemory;
  readonly addresses: AddressCapability;
  readonly breakpoints: ViceBreakpoints;
  readonly screen: ViceScreen;
  readonly snapshots?: ViceSnapshots;
  readonly keyboard: ViceKeyboard;
  readonly joystick?: ViceJoystick;
  readonly media?: ViceMedia;
  readonly program?: ViceProgram;
  readonly chips?: ViceChips;
  readonly monitor?: ViceMonitor;
  readonly twin?: ViceTwin;
  readonly audio?: ViceAudio;
  readonly symbols: CommodoreSymbolFiles;
  readonly variables: CommodoreVariables;
  readonly annotations: AnnotationsCapability;
  readonly names: NameBook;
  readonly remedies: NonNullable<Machine['remedies']>;
  readonly builtIn?: { readonly kind: string; readonly has: readonly Capability[] };
  readonly #session: ViceSession;
  readonly #symbols: CommodoreSymbols;
  readonly #introduction: readonly string[];
  readonly #powerOff: () => Promise<void>;
  #isOff: Promise<void> | undefined;

  constructor({ session, model, host, introduction, folder, soundFile, powerOff }: ViceParts) {
    const symbols = new CommodoreSymbols(
      () => false,
      () => host.settings.maxAnnotations,
    );
    this.remedies = remediesOf(session, folder !== undefined);
    if (model.builtIn) this.builtIn = { kind: model.builtIn, has: notOfMonitors };
    this.#session = session;
    this.#symbols = symbols;
    this.#introduction = introduction;
    this.#powerOff = () => powerOff(this);
    this.addresses = {
      format: (address) => hexWord(address),
      resolve: (text) => symbols.knownLineAddress(text),
      lineMeant: (text) => symbols.lineMeant(text),
      source: (address) => symbols.source(address),
      symbols,
    };
    this.control = new ViceEngine(session, model);
    const vocabulary = new ViceVocabulary(session, symbols, () => this.control.frame);
    this.breakpoints = new ViceBreakpoints(session, this.control, model, vocabulary, this.addresses, host);
    this.control.judge = this.breakpoints;
    reportStops(this.control, host);
    this.control.onBug = (error) => host.log('error', error instanceof Error ? `${error.stack}` : String(error));
    this.memory = new ViceMemory(session);
    this.cpu = new ViceCpu(model.processor, session, this.memory, symbols, () => this.control.cured());
    this.variables = new CommodoreVariables(this.cpu, this.memory, symbols);
    this.screen = new ViceScreen(session, model);
    this.symbols = new CommodoreSymbolFiles(symbols, new BreakpointLabels(symbols, this.breakpoints), host);
    this.annotations = symbols.annotations;
    this.names = new NameBook(symbols, NameFiles.of(host));
    const hasDatasette = session.text !== undefined && !withoutDatasette.includes(model.program);
    const datasette = new ViceDatasette(session, this.control, () => this.#hasTape);
    this.keyboard = new ViceKeyboard(session, this.control, model, hasDatasette ? datasette : undefined);
    // Its monitor has a command for them since then.
    if (model.controlPorts.length > 0 && session.isSince(3, 6)) {
      this.joystick = new ViceJoystick(session, model.controlPorts);
    }
    if (folder && soundFile !== undefined) this.audio = new ViceAudio(folder, soundFile, this.control);
    if (session.text) {
      this.chips = new ViceChips(session, model);
      const { allowMonitor = false, monitorCommands } = host.settings;
      this.monitor = new ViceMonitor(session, this.control, allowMonitor, new MonitorCommands(monitorCommands));
      if (folder) this.media = new ViceMedia(session, this.control, folder);
    }
    const { basicStart } = model;
    if (basicStart !== undefined) {
      const { control: engine, keyboard, media, screen } = this;
      const parts = { session, engine, keyboard, media, screen, symbols };
      this.program = new ViceProgram({ ...parts, model: { ...model, basicStart } });
    }
    if (folder && !model.isLostBySnapshots) {
      const facts = { program: model.program, video: model.standard, version: (session.version ?? []).join('.') };
      const time = () => this.status().time ?? '';
      this.snapshots = new ViceSnapshots({ session, engine: this.control, folder, model: facts, time });
    }
    if (session.text && basicStart !== undefined && hasTwin(model.program)) {
      const { control: engine, screen, snapshots: kept, media } = this;
      const parts = { session, engine, screen, model: { ...model, basicStart, program: model.program } };
      this.twin = new ViceTwin({ ...parts, ...(kept && { kept }), ...(media && { media }) });
    }
  }

  /** What a VICE that takes no files from here has in it is not known. */
  get #hasTape(): boolean {
    return this.media?.slots.find(({ name }) => name === 'tape')?.medium !== undefined || !this.media;
  }

  status(): Status {
    const { state, stop, frame, endReason } = this.control;
    const { pc, cycles, line, cycle } = this.#session.now;
    if (state === 'OFF') return { state, ...(stop && { stop }), notes: [endReason ?? 'VICE has ended'] };
    const symbol = this.#symbols.describeWithText(BigInt(pc));
    const place = `frame ${frame}, line ${line}, cycle ${cycle}`;
    return {
      state,
      where: `${this.addresses.format(BigInt(pc))}${symbol ? ` ${symbol}` : ''}`,
      ...(stop && { stop }),
      ...(cycles !== undefined && { now: { time: cycles, pc: BigInt(pc), beam: { frame, line, cycle } } }),
      time: cycles === undefined ? place : `cycle ${cycles.toLocaleString('en-US')} (${place})`,
    };
  }

  heed(signal: AbortSignal): () => void {
    return this.#session.heed(signal);
  }

  introduction(): readonly string[] {
    return this.#introduction;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isOff ??= this.#powerOff();
    return this.#isOff;
  }
}

/** Why something is missing that others of its kind have. */
function remediesOf({ text }: ViceSession, hasFolder: boolean): NonNullable<Machine['remedies']> {
  const textMonitor = 'Start VICE with -remotemonitor as well, and give its address as "text_monitor".';
  return {
    audio: 'Have VICE started here with "options":{"sound":"file"}.',
    ...(!hasFolder && { snapshots: otherComputer, media: otherComputer }),
    ...(!text && Object.fromEntries(ofTextMonitor.map((name) => [name, textMonitor]))),
  };
}
