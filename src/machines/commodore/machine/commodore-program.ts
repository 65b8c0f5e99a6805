import { dirname, resolve } from 'node:path';
import { fields } from '../../../chips/mos6510/registers.ts';
import type { LoadedProgram, ProgramCapability, ProgramSource } from '../../../machine/program.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import type { NameBook } from '../../shared/name-book.ts';
import { namedProgram } from '../../shared/name-files.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import type { NextProgram } from './basic-leftovers.ts';
import { BasicPrompt } from './basic-prompt.ts';
import type { BreakpointLabels } from './breakpoint-labels.ts';
import type { CommodoreBreakpoints } from './breakpoints/commodore-breakpoints.ts';
import type { CommodoreCpu } from './commodore-cpu.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreKeyboard } from './commodore-keyboard.ts';
import type { CommodoreMedia } from './commodore-media.ts';
import type { CommodoreModel } from './commodore-model.ts';
import type { CommodoreSetup } from './commodore-setup.ts';
import { annotationNotes, type CommodoreSymbolFiles } from './commodore-symbol-files.ts';
import { DiskAutostart } from './disk-autostart.ts';
import { placedProgram } from './placed-program.ts';
import { isText, type ProgramImage, programImage } from './program-image.ts';
import { ProgramStart } from './program-start.ts';
import { requireBasicRoom, requireFitting, requireSeen } from './require-fitting.ts';
import { TapeAutostart } from './tape-autostart.ts';
import { UnwatchedCommands } from './unwatched-commands.ts';

/** Where BASIC keeps the end of the program; variables, arrays and their end follow it. */
const endOfArrays = 0x31;
const endPointers = [0x2d, 0x2f, endOfArrays];
const startOfStrings = 0x33;
const cartridgeFrames = 100;
/** How many loaded programs are remembered. */
const mostLoads = 16;

/** The parts of a machine that loading a program needs. */
interface ProgramParts {
  readonly control: CommodoreEngine;
  readonly keyboard: CommodoreKeyboard;
  readonly media: CommodoreMedia;
  readonly screen: ScreenCapability;
  readonly cpu: CommodoreCpu;
  readonly setup: CommodoreSetup;
  readonly labels: BreakpointLabels;
  readonly names: NameBook;
  readonly breakpoints: CommodoreBreakpoints;
  readonly symbolFiles: Pick<CommodoreSymbolFiles, 'loadedAt'>;
}

/** Puts programs into memory and starts them as a person would with RUN or SYS. */
export class CommodoreProgram implements ProgramCapability {
  readonly formats = ['prg', 'p00', 't64', 'd64', 'd71', 'd81', 'g64', 'p64', 'crt', 'tap', 'asm', 'basic'];
  readonly #engine: CommodoreEngine;
  readonly #commands: UnwatchedCommands;
  readonly #media: CommodoreMedia;
  readonly #prompt: BasicPrompt;
  readonly #starts: ProgramStart;
  readonly #tape: TapeAutostart;
  readonly #disk: DiskAutostart;
  readonly #symbols: CommodoreSymbols;
  readonly #symbolFiles: ProgramParts['symbolFiles'];
  readonly #labels: BreakpointLabels;
  readonly #names: NameBook;
  readonly #model: CommodoreModel;
  readonly #setup: CommodoreSetup;
  #loads: readonly { readonly first: number; readonly bytes: Uint8Array }[] = [];
  /** The machine's time when a program was last put into memory. */
  #loadedAt: number | undefined;

  constructor(
    { control, keyboard, media, screen, cpu, setup, labels, names, breakpoints, symbolFiles }: ProgramParts,
    symbols: CommodoreSymbols,
  ) {
    this.#engine = control;
    this.#model = setup.model;
    this.#setup = setup;
    this.#commands = new UnwatchedCommands(keyboard, breakpoints);
    this.#media = media;
    this.#prompt = new BasicPrompt(control, keyboard, setup.model, () => cpu.recentCalls());
    this.#starts = new ProgramStart(control, this.#prompt);
    this.#tape = new TapeAutostart(control, keyboard, this.#commands, screen, this.#starts, setup);
    this.#disk = new DiskAutostart({
      engine: control,
      commands: this.#commands,
      prompt: this.#prompt,
      setup,
      starts: this.#starts,
    });
    this.#symbols = symbols;
    this.#symbolFiles = symbolFiles;
    this.#labels = labels;
    this.#names = names;
  }

  get #basicStart(): number {
    return this.#setup.basicStart;
  }

  load(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    return this.#load(source, start, signal);
  }

  autostart(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    return this.#load(source, start, signal, () =>
      this.#commands.unwatched(async () => {
        await this.#engine.reset('hard');
        await this.#prompt.reach(signal);
      }),
    );
  }

  #reached(next: NextProgram, signal: AbortSignal): Promise<readonly string[]> {
    return this.#commands.unwatched(() => this.#prompt.reach(signal, next));
  }

  /** `restart`: to the prompt first, as soon as it is known that there is a program. */
  async #load(
    source: ProgramSource,
    start: boolean,
    signal: AbortSignal,
    restart?: () => Promise<void>,
  ): Promise<LoadedProgram> {
    const kind = isText(source.format) ? undefined : this.#media.kindOf(source);
    if (kind === 'crt') return this.#fromCartridge(source, start, signal);
    if (kind === 'tap') return this.#fromMedium('tape', source, start, signal, restart);
    if (isDisk(kind)) return this.#fromMedium('drive8', source, start, signal, restart);
    const image = await this.#image(kind === undefined ? source : { ...source, format: kind }, signal);
    const { warnings = [] } = image;
    const { firstAddress, body, moved } = placedProgram(source.name, image.bytes, {
      basicStart: this.#basicStart,
      ownStarts: this.#model.basicStarts,
      isOnlyLoaded: !start,
    });
    requireFitting(source, { firstAddress, bytes: body.length }, this.#engine.board.memory);
    const isOwn = this.#namesOf(source.name);
    await restart?.();
    const isBasic = firstAddress === this.#basicStart;
    // On a machine that has never run there is no BASIC to come from or return to, and none is asked for.
    const isBare = this.#engine.board.cycles === 0 && !isBasic;
    const lastAddress = firstAddress + body.length - 1;
    const next = { first: firstAddress, last: lastAddress, ...(isBasic && { basicStart: this.#basicStart }) };
    const done = start && !isBare ? await this.#reached(next, signal) : [];
    if (start && !isBasic) requireSeen(source.name, firstAddress, this.#engine.board.memory, this.#model);
    if (start && isBasic && isText(source.format)) {
      requireBasicRoom(source.name, lastAddress, this.#engine.board.ram);
    }
    if (start && !isBare && !isBasic) await this.#commands.unwatched(() => this.#prompt.leaveInterrupt(signal));
    this.#engine.input({ type: 'poke', bank: 'ram', address: firstAddress, bytes: body });
    const told = await this.#told(source.name, firstAddress, body, image, isOwn);
    this.#loadedAt = this.#engine.board.cycles;
    // A source that is being worked on is another program each time; its names are in it.
    if (!isText(source.format)) {
      await this.#names.open(namedProgram(source.name, body, firstAddress, lastAddress));
    }
    const notes = [...done, ...moved, ...told, ...warnings];
    const loaded = {
      firstAddress: BigInt(firstAddress),
      lastAddress: BigInt(lastAddress),
      notes,
    };
    if (isBasic) {
      this.#setBasicEnd(firstAddress + body.length);
      if (!start) return loaded;
      const settling = await this.#commands.start('RUN', signal);
      const { note, ...outcome } = await this.#starts.outcome('RUN', settling, signal);
      return { ...loaded, ...outcome, notes: [...notes, note] };
    }
    const startAddress = BigInt(firstAddress);
    if (!start) return { ...loaded, startAddress };
    this.#call(firstAddress);
    return { ...loaded, startAddress, started: true };
  }

  #image(source: ProgramSource, signal: AbortSignal): Promise<ProgramImage> {
    const { name } = this.#model;
    return programImage(source, { name, basicStart: this.#basicStart, formats: this.formats }, signal);
  }

  /** What changes in names, annotations and breakpoints. */
  async #told(
    name: string,
    first: number,
    body: Uint8Array,
    image: ProgramImage,
    isOwn: (file: string) => boolean,
  ): Promise<readonly string[]> {
    let [dropped, defined]: (readonly string[])[] = [];
    const followed = await this.#labels.following(() => {
      dropped = this.#dropNames(first, body, isOwn);
      defined = this.#define(name, image);
    });
    const stated = image.breakpoints ? await this.#labels.take(name, image.breakpoints) : [];
    return [...(defined ?? []), ...(dropped ?? []), ...followed, ...stated];
  }

  /**
   * Which files with names are those of a program that is about to come: that of its name beside it (`game.dbg` of `game.prg`), and those
   * loaded since the machine last ran, unless the program that was put there before has not run either.
   */
  #namesOf(program: string): (file: string) => boolean {
    const now = this.#engine.board.cycles;
    const isWaited = this.#loadedAt !== now;
    return (file) => {
      const at = this.#symbolFiles.loadedAt(file);
      return at !== undefined && ((isWaited && at === now) || isBeside(file, program));
    };
  }

  /** Names of what this program overwrites go, unless they are its own, it is that very program again, or the first there. */
  #dropNames(first: number, bytes: Uint8Array, isOwn: (file: string) => boolean): readonly string[] {
    const last = first + bytes.length - 1;
    const below = this.#loads.filter((load) => load.first <= last && load.first + load.bytes.length > first);
    const isNew = below.some((load) => load.first !== first || Buffer.compare(load.bytes, bytes) !== 0);
    this.#loads = [...this.#loads.filter((load) => !below.includes(load)), { first, bytes }].slice(-mostLoads);
    const dropped = isNew ? this.#symbols.drop(first, last, isOwn) : 0;
    if (dropped === 0) return [];
    return [`${dropped} ${dropped === 1 ? 'name' : 'names'} of what was there before dropped`];
  }

  #define(name: string, { symbols = [], lines = [], annotations = [], text = '' }: ProgramImage): readonly string[] {
    if (symbols.length + annotations.length + lines.length === 0) return [];
    const left = this.#symbols.load(name, symbols, lines, { annotations, texts: new Map([[name, text]]) });
    const defined = `${symbols.length} ${symbols.length === 1 ? 'symbol' : 'symbols'} defined`;
    return [...(symbols.length > 0 ? [defined] : []), ...annotationNotes(annotations, left)];
  }

  /** It starts with the reset that plugging it in brings. */
  async #fromCartridge(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    const found = await this.#insert('cartridge', source);
    if (!start) return { notes: [found] };
    const run = () => this.#engine.run({ frames: cartridgeFrames, wallMs: 20_000 }, signal);
    const stop = await this.#commands.beforeProgram('cartridge', run);
    if (stop.cause !== 'limit') {
      return { started: stop.cause !== 'fault', notes: [found, `stopped: ${stop.reason}`] };
    }
    const isAtPrompt = this.#prompt.isWaiting();
    const note = isAtPrompt ? 'it has not started: the machine is at the BASIC prompt' : 'it runs';
    return { started: !isAtPrompt, notes: [found, note] };
  }

  /** Puts a disk or a tape in and starts what is on it as a person would. */
  async #fromMedium(
    slot: 'drive8' | 'tape',
    source: ProgramSource,
    start: boolean,
    signal: AbortSignal,
    restart?: () => Promise<void>,
  ): Promise<LoadedProgram> {
    const inserted = start && !restart ? undefined : await this.#insert(slot, source);
    await restart?.();
    if (!start) return { notes: inserted === undefined ? [] : [inserted] };
    const all = { first: 0, last: this.#engine.board.addressSpace - 1, basicStart: this.#basicStart };
    const done = await this.#reached(all, signal);
    this.#makeRoom();
    const found = inserted ?? (await this.#insert(slot, source));
    const loaded =
      slot === 'tape'
        ? await this.#tape.start(signal)
        : await this.#disk.start(this.#media.inserted(slot) ?? source.bytes, source.index, signal);
    return { ...loaded, notes: [...done, found, ...loaded.notes] };
  }

  #insert(slot: string, { name, bytes }: ProgramSource): Promise<string> {
    return this.#media.attach(slot, { name, bytes, readOnly: false });
  }

  #setBasicEnd(end: number): void {
    for (const address of endPointers) {
      this.#engine.input({ type: 'poke', bank: 'ram', address, bytes: Uint8Array.of(end & 255, end >> 8) });
    }
  }

  /** A program that LOAD put above BASIC's memory has left no room for the strings of the next LOAD; NEW does the same. */
  #makeRoom(): void {
    const { ram } = this.#engine.board;
    const word = (at: number) => (ram[at] ?? 0) | ((ram[at + 1] ?? 0) << 8);
    if (word(endOfArrays) <= word(startOfStrings)) return;
    const start = this.#basicStart;
    this.#engine.input({ type: 'poke', bank: 'ram', address: start, bytes: Uint8Array.of(0, 0) });
    this.#setBasicEnd(start + 2);
  }

  /** As SYS does: a return from the program arrives at BASIC's warm start. */
  #call(address: number): void {
    const { board } = this.#engine;
    const { warmStartVector } = this.#model;
    const back = (board.peek('rom', warmStartVector) | (board.peek('rom', warmStartVector + 1) << 8)) - 1;
    const top = board.cpu.state[fields.s];
    const pushed = Uint8Array.of(back & 255, (back >> 8) & 255);
    this.#engine.input({ type: 'poke', bank: 'ram', address: 0x100 + ((top - 1) & 255), bytes: pushed });
    this.#engine.input({ type: 'register', name: 'SP', value: (top - 2) & 255 });
    this.#engine.input({ type: 'register', name: 'PC', value: address });
  }
}

/** Of one name in one folder: another folder's `main.dbg` is of another program. */
function isBeside(file: string, program: string): boolean {
  return stemOf(file) === stemOf(program) && dirname(resolve(file)) === dirname(resolve(program));
}

/** `game` of `build/game.dbg`. */
function stemOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return name.replace(/(?<=.)\.[^.]*$/, '').toLowerCase();
}

function isDisk(kind: string | undefined): boolean {
  return kind !== undefined && ['d64', 'd71', 'd81', 'g64', 'p64'].includes(kind);
}
