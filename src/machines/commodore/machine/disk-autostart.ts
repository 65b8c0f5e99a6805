import { MediaError } from '../../../formats/commodore/media/byte-fields.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import { isG64, readG64, sectorsOfG64 } from '../../../formats/commodore/media/g64.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { LoadedProgram } from '../../../machine/program.ts';
import type { BasicPrompt } from './basic-prompt.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreSetup } from './commodore-setup.ts';
import { placedProgram } from './placed-program.ts';
import { type ProgramStart, startedAndStopped } from './program-start.ts';
import { requireFitting, requireSeen } from './require-fitting.ts';
import type { UnwatchedCommands } from './unwatched-commands.ts';

/** A long program from a drive takes its time: a quarter of an hour of it, and what a call may take of a person's. */
const loadFrames = 45_000;
const loadWallMs = 40_000;
const framesBetweenLooks = 10;

interface AutostartParts {
  readonly engine: CommodoreEngine;
  readonly commands: UnwatchedCommands;
  readonly prompt: BasicPrompt;
  readonly starts: ProgramStart;
  readonly setup: CommodoreSetup;
}

/** Starts what is on the disk in drive 8 as a person would: LOAD, and RUN once it is through, unless it starts on its own. */
export class DiskAutostart {
  readonly #engine: CommodoreEngine;
  readonly #commands: UnwatchedCommands;
  readonly #starts: ProgramStart;
  readonly #prompt: BasicPrompt;
  readonly #setup: CommodoreSetup;

  constructor({ engine, commands, prompt, setup, starts }: AutostartParts) {
    this.#setup = setup;
    this.#engine = engine;
    this.#commands = commands;
    this.#starts = starts;
    this.#prompt = prompt;
  }

  /** The machine is at its prompt. `index`: which of the programs on it, in the order of the directory. */
  async start(image: Uint8Array, index: number | undefined, signal: AbortSignal): Promise<LoadedProgram> {
    const { basicStart, model } = this.#setup;
    const { name = 'it', bytes, pattern } = chosen(image, index);
    const ownStarts = model.basicStarts;
    const written = bytes ? (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) : basicStart;
    const isOwn = ownStarts.some((start) => Math.abs(written - start) <= 1);
    const placed = bytes && placedProgram(name, bytes, { basicStart, ownStarts, isOnlyLoaded: false });
    // With ",1" it goes where it was when it was saved; BASIC programs of other machines or another memory have to be moved.
    const isMoved = (isOwn && Math.abs(written - basicStart) > 1) || (placed !== undefined && placed.moved.length > 0);
    const isBasic = isOwn || isMoved;
    if (bytes && !isBasic) {
      const { memory } = this.#engine.board;
      requireFitting({ name, format: 'prg' }, { firstAddress: written, bytes: bytes.length - 2 }, memory);
      requireSeen(name, written, memory, model);
    }
    // A 1541 takes "*" alone for the file it was asked for last, whatever disk is in it by now.
    const command = isMoved ? 'LOAD":*",8' : 'LOAD":*",8,1';
    const first = isMoved ? basicStart : written;
    const typed = pattern === undefined ? command : command.replace(/"[^"]*"/, () => `"${pattern}"`);
    const arrived = await this.#commands.beforeProgram('ram', () => this.#load(typed, first, signal));
    return arrived ?? this.#run(first, isBasic, typed, signal);
  }

  /** What became of it, unless it waits for RUN. */
  async #load(typed: string, first: number, signal: AbortSignal): Promise<LoadedProgram | undefined> {
    await this.#commands.enter(typed, signal);
    const end = this.#engine.clock() + loadWallMs;
    for (let left = loadFrames; left > 0 && this.#engine.clock() < end && !signal.aborted; left -= framesBetweenLooks) {
      if (this.#prompt.isProgramRunning()) return program(first, this.#end(), true, ['it has started on its own']);
      if (this.#prompt.isWaiting()) return undefined;
      const stop = await this.#engine.run({ frames: framesBetweenLooks, wallMs: loadWallMs }, signal);
      if (stop.cause === 'breakpoint') return program(first, this.#end(), true, [startedAndStopped(stop)]);
      if (stop.cause !== 'limit') return program(first, first, false, [`stopped while loading: ${stop.reason}`]);
    }
    const note = 'it is still loading: wait for READY. on the screen, then type RUN and Return';
    return program(first, first, false, [note]);
  }

  /** BASIC programs are run, machine code is called where it begins. */
  async #run(first: number, isBasic: boolean, command: string, signal: AbortSignal): Promise<LoadedProgram> {
    const failure = this.#starts.failure(command);
    if (failure !== undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        `${command} failed: ${failure}.`,
        advice`Look at the screen with ${call('screen_read')}.`,
      );
    }
    const last = this.#end();
    const start = isBasic ? 'RUN' : `SYS ${first}`;
    const settling = await this.#commands.start(start, signal);
    const { note, ...outcome } = await this.#starts.outcome(start, settling, signal);
    const loaded = { ...program(first, last, outcome.started, [note]), ...outcome };
    return isBasic ? loaded : { ...loaded, startAddress: BigInt(first) };
  }

  #end(): number {
    const { ram } = this.#engine.board;
    const { endOfLoad } = this.#setup.model.cells;
    return (((ram[endOfLoad] ?? 0) | ((ram[endOfLoad + 1] ?? 0) << 8)) - 1) & 0xffff;
  }
}

interface Chosen {
  readonly name?: string;
  /** With its load address before it; undefined when the disk cannot be read without a drive. */
  readonly bytes?: Uint8Array | undefined;
  /** What LOAD finds it by, if that is not simply the first one. */
  readonly pattern?: string;
}

/** The first program on the disk, or another one. */
function chosen(image: Uint8Array, index: number | undefined): Chosen {
  try {
    const disk = isG64(image) ? CommodoreDisk.create('d64') : new CommodoreDisk(new SectorImage(image.slice()));
    if (isG64(image)) sectorsOfG64(readG64(image), disk.image);
    const programs = disk.directory().filter(({ type }) => type === 'PRG');
    const entry = programs[index ?? 0];
    if (entry === undefined && index !== undefined) throw noSuchProgram(index, programs.length);
    if (entry === undefined) return {};
    const bytes = disk.read(entry);
    const { name } = entry;
    return { name, ...(bytes.length >= 2 && { bytes }), ...(index !== undefined && { pattern: patternOf(name) }) };
  } catch (error) {
    if (error instanceof DiskError || error instanceof MediaError) return {};
    throw error;
  }
}

/** The name, with marks for any character where one cannot be typed. */
function patternOf(name: string): string {
  return name.replace(/[^A-Z0-9 !#$%&'()+,\-./;<=>@[\]]/g, '?');
}

function noSuchProgram(index: number, count: number): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `There is no program ${index}.`,
    count === 0 ? 'The medium holds no programs.' : `Use 0 to ${count - 1}.`,
  );
}

function program(first: number, last: number, started: boolean, notes: readonly string[]): LoadedProgram {
  return { firstAddress: BigInt(first), lastAddress: BigInt(Math.max(first, last)), started, notes };
}
