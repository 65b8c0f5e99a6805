import { basename } from 'node:path';
import type { Model } from '../../../chips/x86/models.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { LoadedProgram, ProgramCapability, ProgramSource } from '../../../machine/program.ts';
import type { DosAddresses } from '../debug/dos-addresses.ts';
import { attributes, type Drive } from '../drives/drive.ts';
import { formatName } from '../drives/names.ts';
import { shortNames } from '../drives/short-names.ts';
import type { LoadedProgram as ProgramInMemory } from '../services/dos/program-loader.ts';
import { endings } from '../services/dos/termination.ts';
import { assembleSafely } from '../workshop/assemble-safely.ts';
import type { DosEngine } from './dos-engine.ts';
import type { DosKeyboard } from './dos-keyboard.ts';

/** Where programs are put, as a drive letter's number: C:. */
const programDrive = 2;
/** A program is given this long after it was started, as people would before they look. */
const runFrames = 140;
const settleFrames = 5;
const startFrames = 700;
const promptFrames = 350;
const shownErrors = 10;
/** Sources whose labels are remembered. */
const mostSources = 16;
/** In real time, for each of the three waits: together they end before a call is given up. */
const waitMs = 15_000;

interface AssembledProgram {
  readonly name: string;
  readonly file: Uint8Array;
  /** Offsets in the program's segment. */
  readonly labels: ReadonlyMap<string, number>;
}

/** Puts programs onto drive C: and starts them as a person would. */
export class DosProgram implements ProgramCapability {
  readonly formats = ['com', 'exe', 'bat', 'asm'] as const;
  readonly #engine: DosEngine;
  readonly #keyboard: DosKeyboard;
  readonly #addresses: DosAddresses;
  /** Files that were put there, by the name they came with. */
  readonly #put = new Map<string, string>();
  /** Labels of the programs in memory, with their addresses. */
  readonly #labels = new Map<string, number>();
  /** Programs that were assembled here, the last one first. */
  #assembled: readonly AssembledProgram[] = [];
  #loaded: ProgramInMemory | undefined;

  constructor(engine: DosEngine, keyboard: DosKeyboard, addresses: DosAddresses) {
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#addresses = addresses;
  }

  /** A program is in memory now: what an assembler called places there means nothing any more. Resident programs and parents lie elsewhere. */
  loaded(program: ProgramInMemory): void {
    this.#loaded = program;
    const first = program.process * 16;
    const end = first + program.paragraphs * 16;
    for (const [name, address] of this.#labels) {
      if (address < first || address >= end) continue;
      this.#addresses.symbols.remove(name);
      this.#labels.delete(name);
    }
  }

  /** A program that was assembled here has its labels whenever it is loaded: by a command, or on the way back. */
  showLabels({ name, file, process }: ProgramInMemory): void {
    const known = this.#assembled.find((each) => isSame(each, { name, file }));
    if (!known) return;
    const labels = [...known.labels].map(([label, offset]) => [label, process * 16 + offset] as const);
    this.#addresses.symbols.add(labels.map(([label, address]) => [label, BigInt(address)]));
    for (const [label, address] of labels) this.#labels.set(label, address);
  }

  async load(source: ProgramSource, start: boolean, signal: AbortSignal, isWaitedFor = false): Promise<LoadedProgram> {
    if (!this.formats.some((format) => format === source.format)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `DOS cannot run ${source.format} files.`,
        `It runs: ${this.formats.join(', ')}. Start the machine with the program's folder as drive C: for the files beside it.`,
      );
    }
    const { model } = this.#engine.system.board.options;
    const { bytes, name, labels } =
      source.format === 'asm' ? await assembled(source, model, signal) : { ...source, labels: undefined };
    if (start) await this.#waitForPrompt(signal);
    const path = this.#store(basename(name.replaceAll('\\', '/')), bytes);
    const note = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'} as ${path}`;
    if (!start) return { notes: [`${note}; not started`] };
    if (labels) this.#remember({ name: path.slice(path.lastIndexOf('\\') + 1), file: bytes, labels });
    const program = await this.#enter(path, isWaitedFor, signal);
    const frames = isWaitedFor ? undefined : await this.#settle(signal);
    const { text, ...outcome } = this.#outcome(frames, program !== undefined);
    const told = { started: true, ...outcome, notes: [note, text] };
    if (!program) return told;
    const first = BigInt(program.imageSegment * 16);
    return {
      firstAddress: first,
      lastAddress: first + BigInt(Math.max(1, program.imageBytes) - 1),
      // Also once it has ended, it is spoken of as it was loaded.
      startAddress: this.#addresses.segmented(BigInt(program.cs), BigInt(program.ip)),
      ...told,
    };
  }

  #remember(program: AssembledProgram): void {
    const others = this.#assembled.filter((each) => !isSame(each, program));
    this.#assembled = [program, ...others.slice(0, mostSources - 1)];
  }

  /** Lets a program run until it has ended, something stops it, or people would look. Answers with how many frames that took. */
  async #settle(signal: AbortSignal): Promise<number> {
    const { shell } = this.#engine.system;
    const wait = new Wait(this.#engine.clock);
    let frames = 0;
    while (frames < runFrames && !shell.isAtPrompt && !wait.isOver) {
      // A breakpoint may have stopped it on the way.
      if (this.#engine.stop?.cause !== 'limit' || signal.aborted) break;
      await this.#engine.run({ frames: settleFrames, wallMs: wait.leftMs }, signal);
      frames += settleFrames;
    }
    return frames;
  }

  /** What has become of what was started. */
  #outcome(frames: number | undefined, isProgram: boolean): { readonly failure?: string; readonly text: string } {
    const { stop, system } = this.#engine;
    if (stop?.cause === 'fault') return { failure: stop.reason, text: `it crashed: ${stop.reason}` };
    if (stop?.cause === 'breakpoint') return { text: `it started and was stopped by ${stop.reason}` };
    if (!system.shell.isAtPrompt) return { text: stillRunning(frames) };
    const { dos } = system.kernel;
    // After a batch file it says how a program ended that may have been run long ago.
    const ending = isProgram ? endingNames[dos.area.returnCode >> 8] : undefined;
    const { errorLevel } = system.shell;
    const how = ending ?? `ended with ${isProgram ? 'exit code' : 'ERRORLEVEL'} ${errorLevel}`;
    return { text: `it ${how}: DOS is at its prompt` };
  }

  /** Nobody but the command interpreter reads a command. */
  async #waitForPrompt(signal: AbortSignal): Promise<void> {
    const { system } = this.#engine;
    const isReady = () => system.isOwnDos && system.shell.isAtPrompt;
    const wait = new Wait(this.#engine.clock);
    for (let frames = 0; !isReady() && frames < promptFrames && !this.#runningProgram() && !wait.isOver; frames += 10) {
      await this.#engine.run({ frames: 10, wallMs: wait.leftMs }, signal);
    }
    if (isReady()) {
      // What somebody has begun to type would become part of the command.
      if (system.kernel.dos.console.isEditing) await this.#keyboard.press(['escape'], 3, signal);
      return;
    }
    throw this.#inUse();
  }

  /** Why nobody reads a command. */
  #inUse(): MachineError {
    const { system, state, stop } = this.#engine;
    const running = this.#runningProgram();
    const data = running === undefined ? {} : { running };
    const who = running ?? (system.isOwnDos ? 'A command' : 'A system from a disk');
    const reset = advice`Reset the machine: ${call('machine_reset')}.`;
    if (state === 'ERROR') {
      const why = stop?.cause === 'fault' ? ` (${stop.reason})` : '';
      return new MachineError('WRONG_STATE', `${who} has crashed${why}, so no command can be typed.`, reset, data);
    }
    const fixes = system.isOwnDos
      ? [
          advice`Quit it first (its own key, or ${call('input_send', { keys: ['ctrl', 'c'] })}).`,
          reset,
          advice`Start another machine: ${call('machine_start', { kind: 'dos', options: { program: '…' } })}.`,
        ]
      : [advice`Type the command with ${call('input_send')}.`, advice`Start a machine with the built-in DOS.`];
    return new MachineError('WRONG_STATE', `${who} is using the machine, so no command can be typed.`, fixes, data);
  }

  #runningProgram(): string | undefined {
    const { system } = this.#engine;
    if (!system.isOwnDos || !system.kernel.dos.installed) return undefined;
    const [current] = system.kernel.view().processes;
    return current === undefined || current.program === 'COMMAND' ? undefined : current.program;
  }

  /** Under a name of its own: what is on the drive already stays. */
  #store(long: string, bytes: Uint8Array): string {
    const { dos } = this.#engine.system.kernel;
    const drive = dos.drives.find(programDrive);
    if (!drive) throw new MachineError('UNAVAILABLE', 'There is no drive C:.', 'Start the machine with one.');
    const known = this.#put.get(long);
    const { name, isThere } = known === undefined ? nameFor(drive, long, bytes) : { name: known, isThere: false };
    if (!isThere) {
      this.#engine.input({ type: 'file', drive: programDrive, name, bytes });
      if (!holds(drive, name, bytes)) {
        throw new MachineError(
          'UNAVAILABLE',
          `Drive C: does not take ${long}.`,
          'Start the machine with another drive C:.',
        );
      }
      this.#put.set(long, name);
    }
    return `C:\\${formatName(name)}`;
  }

  /**
   * Types the command and runs until it has started the program, or failed to; with `toStart` to its first instruction
   * and no further. Undefined for a batch file.
   */
  async #enter(path: string, toStart: boolean, signal: AbortSignal): Promise<ProgramInMemory | undefined> {
    const { shell } = this.#engine.system;
    let ended = false;
    let problem: string | undefined;
    const before = this.#loaded;
    shell.onCommand = (command, why) => {
      if (command.toUpperCase() !== path.toUpperCase()) return;
      ended = true;
      problem = why;
    };
    try {
      await this.#keyboard.type(toStart ? path : `${path}\n`, signal);
      // No time passes with a key that is held; the program finds it released.
      if (toStart) await this.#keyboard.hold(['enter']);
      const wait = new Wait(this.#engine.clock);
      for (let frames = 0; !ended && frames < startFrames && !wait.isOver; frames += 5) {
        if (!toStart) await this.#engine.run({ frames: 5, wallMs: Math.min(wait.leftMs, 5000) }, signal);
        else if (await this.#engine.runToProgram(5, signal)) ended = true;
        if (this.#engine.stop?.cause !== 'limit') break;
      }
      if (!ended && this.#engine.stop?.cause === 'limit') problem = 'the command interpreter does not answer';
    } finally {
      shell.onCommand = undefined;
      if (toStart) await this.#keyboard.hold([]);
    }
    if (problem !== undefined) throw notStarted(path, problem);
    return this.#loaded === before ? undefined : this.#loaded;
  }
}

/** Of programs that did not end on their own. */
const endingNames: Readonly<Record<number, string>> = {
  [endings.controlBreak]: 'was ended by DOS (Ctrl-C, or a division overflow)',
  [endings.criticalError]: 'was ended by DOS after a critical error',
};

type NamedFile = Pick<AssembledProgram, 'name' | 'file'>;

function isSame(one: NamedFile, other: NamedFile): boolean {
  return one.name === other.name && Buffer.compare(one.file, other.file) === 0;
}

function stillRunning(frames: number | undefined): string {
  if (frames === undefined) return 'it has started';
  if (frames >= runFrames) return 'it runs';
  const seconds = Math.round(waitMs / 1000);
  return `it runs, slowly on this computer: after ${seconds} s it is in its first ${frames} frames`;
}

/** Real time that is waited at most, however slowly the machine runs. */
class Wait {
  readonly #clock: () => number;
  readonly #end: number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#end = clock() + waitMs;
  }

  get leftMs(): number {
    return Math.max(1, this.#end - this.#clock());
  }

  get isOver(): boolean {
    return this.#clock() >= this.#end;
  }
}

/** A program that DOS refused to start. */
export function notStarted(path: string, problem: string): MachineError {
  return new MachineError(
    'EXECUTION_ERROR',
    `${path} did not start: ${problem}.`,
    'Give a COM, EXE or BAT file that DOS can load.',
  );
}

/** The name that a file gets on the drive, numbered until no other file has it. */
function nameFor(drive: Drive, long: string, bytes: Uint8Array): { readonly name: string; readonly isThere: boolean } {
  for (let count = 1; ; count++) {
    const name = shortNames(new Array<string>(count).fill(long)).at(-1) ?? '';
    if (!drive.lookup([name])) return { name, isThere: false };
    if (holds(drive, name, bytes)) return { name, isThere: true };
  }
}

function holds(drive: Drive, name: string, bytes: Uint8Array): boolean {
  const entry = drive.lookup([name]);
  if (entry?.size !== bytes.length || entry.attributes & attributes.directory) return false;
  return drive.read(entry.id, 0, entry.size).every((byte, at) => byte === bytes[at]);
}

async function assembled({ bytes, name }: ProgramSource, model: Model, signal: AbortSignal) {
  const text = new TextDecoder().decode(bytes);
  const { bytes: image, errors, symbols, origin } = await assembleSafely(text, name, signal, model);
  if (errors.length > 0) {
    const lines = errors.slice(0, shownErrors).map(({ line, message }) => `line ${line}: ${message}`);
    throw new MachineError(
      'INVALID_ARGUMENT',
      `The source does not assemble.\n${lines.join('\n')}`,
      'Fix these lines.',
      {
        errors,
      },
    );
  }
  // As DOS sees it: what begins so is an EXE file, whatever it is called.
  if (image[0] === 0x4d && image[1] === 0x5a) {
    return { bytes: image, name: name.replace(/\.\w+$/, '.exe'), labels: undefined };
  }
  if (origin !== 0x100) {
    throw new MachineError('INVALID_ARGUMENT', 'A COM file begins at 100h.', 'Write org 100h, or leave org out.');
  }
  return { bytes: image, name: name.replace(/\.\w+$/, '.com'), labels: symbols };
}
