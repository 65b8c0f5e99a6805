import { MediaError } from '../../../formats/commodore/media/byte-fields.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import { isG64, readG64, sectorsOfG64 } from '../../../formats/commodore/media/g64.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { LoadedProgram } from '../../../machine/program.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import type { BasicPrompt } from './basic-prompt.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreKeyboard } from './commodore-keyboard.ts';
import type { CommodoreSetup } from './commodore-setup.ts';

/** The end of what LOAD has loaded. */
const endOfLoad = 0xae;
/** A long program from a drive takes its time: a quarter of an hour of it, and what a call may take of a person's. */
const loadFrames = 45_000;
const loadWallMs = 40_000;
const framesBetweenLooks = 10;

interface AutostartParts {
  readonly engine: CommodoreEngine;
  readonly keyboard: CommodoreKeyboard;
  readonly screen: ScreenCapability;
  readonly prompt: BasicPrompt;
  readonly setup: CommodoreSetup;
}

/** Starts what is on the disk in drive 8 as a person would: LOAD, and RUN once it is through, unless it starts on its own. */
export class DiskAutostart {
  readonly #engine: CommodoreEngine;
  readonly #keyboard: CommodoreKeyboard;
  readonly #screen: ScreenCapability;
  readonly #prompt: BasicPrompt;
  readonly #setup: CommodoreSetup;

  constructor({ engine, keyboard, screen, prompt, setup }: AutostartParts) {
    this.#setup = setup;
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#screen = screen;
    this.#prompt = prompt;
  }

  /** The machine is at its prompt. */
  async start(image: Uint8Array, signal: AbortSignal): Promise<LoadedProgram> {
    const { basicStart, model } = this.#setup;
    const written = loadAddressOf(image) ?? basicStart;
    const isBasic = model.basicStarts.some((start) => Math.abs(written - start) <= 1);
    // With ",1" it goes where it was when it was saved; BASIC programs of another memory have to be moved.
    const isMoved = isBasic && Math.abs(written - basicStart) > 1;
    // A 1541 takes "*" alone for the file it was asked for last, whatever disk is in it by now.
    const command = isMoved ? 'LOAD":*",8' : 'LOAD":*",8,1';
    const first = isMoved ? basicStart : written;
    await this.#keyboard.type(`${command}\n`, signal);
    const end = performance.now() + loadWallMs;
    for (let left = loadFrames; left > 0 && performance.now() < end && !signal.aborted; left -= framesBetweenLooks) {
      if (this.#prompt.isProgramRunning()) return program(first, this.#end(), ['it has started on its own']);
      if (this.#prompt.isWaiting()) return this.#run(first, isBasic, command, signal);
      const stop = await this.#engine.run({ frames: framesBetweenLooks, wallMs: loadWallMs }, signal);
      if (stop.cause !== 'limit') return program(first, first, [`stopped while loading: ${stop.reason}`]);
    }
    const note = 'it is still loading: wait for READY. on the screen, then type RUN and Return';
    return program(first, first, [note]);
  }

  /** BASIC programs are run, machine code is called where it begins. */
  async #run(first: number, isBasic: boolean, command: string, signal: AbortSignal): Promise<LoadedProgram> {
    const failure = await this.#failure(command);
    if (failure !== undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        `${command} failed: ${failure}.`,
        advice`Look at the screen with ${call('screen_read')}.`,
      );
    }
    const loaded = program(first, this.#end(), []);
    await this.#keyboard.type(isBasic ? 'RUN\n' : `SYS ${first}\n`, signal);
    return isBasic ? loaded : { ...loaded, startAddress: BigInt(first) };
  }

  /** What BASIC has printed after the command, if that was an error. */
  async #failure(command: string): Promise<string | undefined> {
    const lines = (await this.#screen.text())?.lines.map((line) => line.trimEnd()) ?? [];
    const after = lines.slice(lines.findLastIndex((line) => line.toUpperCase().includes(command)) + 1);
    // On a narrow screen it takes two lines.
    return /^\?[^?]*?ERROR/im.exec(after.join('\n'))?.[0].replace(/\s*\n\s*/g, ' ');
  }

  #end(): number {
    const { ram } = this.#engine.board;
    return (((ram[endOfLoad] ?? 0) | ((ram[endOfLoad + 1] ?? 0) << 8)) - 1) & 0xffff;
  }
}

/** Where the first program on the disk belongs; undefined when the disk cannot be read without a drive. */
function loadAddressOf(image: Uint8Array): number | undefined {
  try {
    const disk = isG64(image) ? CommodoreDisk.create('d64') : new CommodoreDisk(new SectorImage(image.slice()));
    if (isG64(image)) sectorsOfG64(readG64(image), disk.image);
    const entry = disk.directory().find(({ type }) => type === 'PRG');
    const [low, high] = entry === undefined ? [] : disk.read(entry);
    return low === undefined || high === undefined ? undefined : low | (high << 8);
  } catch (error) {
    if (error instanceof DiskError || error instanceof MediaError) return undefined;
    throw error;
  }
}

function program(first: number, last: number, notes: readonly string[]): LoadedProgram {
  return { firstAddress: BigInt(first), lastAddress: BigInt(Math.max(first, last)), notes };
}
