import { advice, call, MachineError } from '../../../../machine/errors.ts';
import type { LoadedProgram } from '../../../../machine/program.ts';
import { MediaError } from '../../media/byte-fields.ts';
import { CommodoreDisk } from '../../media/commodore-disk.ts';
import { DiskError } from '../../media/disk-error.ts';
import { isG64, readG64, sectorsOfG64 } from '../../media/g64.ts';
import { SectorImage } from '../../media/sector-image.ts';
import type { BasicPrompt } from './basic-prompt.ts';
import type { C64Keyboard } from './c64-keyboard.ts';
import type { C64Screen } from './c64-screen.ts';
import type { Engine } from './engine.ts';

const basicStart = 0x0801;
const command = 'LOAD"*",8,1';
/** The end of what LOAD has loaded. */
const endOfLoad = 0xae;
/** A long program from a drive takes its time: a quarter of an hour of it, and what a call may take of a person's. */
const loadFrames = 45_000;
const loadWallMs = 40_000;
const framesBetweenLooks = 10;

/** Starts what is on the disk in drive 8 as a person would: LOAD, and RUN once it is through, unless it starts on its own. */
export class DiskAutostart {
  readonly #engine: Engine;
  readonly #keyboard: C64Keyboard;
  readonly #screen: C64Screen;
  readonly #prompt: BasicPrompt;

  constructor(engine: Engine, keyboard: C64Keyboard, screen: C64Screen, prompt: BasicPrompt) {
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#screen = screen;
    this.#prompt = prompt;
  }

  /** The machine is at its prompt. */
  async start(image: Uint8Array, signal: AbortSignal): Promise<LoadedProgram> {
    const first = loadAddressOf(image) ?? basicStart;
    await this.#keyboard.type(`${command}\n`, signal);
    const end = performance.now() + loadWallMs;
    for (let left = loadFrames; left > 0 && performance.now() < end && !signal.aborted; left -= framesBetweenLooks) {
      if (this.#prompt.isProgramRunning()) return program(first, this.#end(), ['it has started on its own']);
      if (this.#prompt.isWaiting()) return this.#run(first, signal);
      const stop = await this.#engine.run({ frames: framesBetweenLooks, wallMs: loadWallMs }, signal);
      if (stop.cause !== 'limit') return program(first, first, [`stopped while loading: ${stop.reason}`]);
    }
    const note = 'it is still loading: wait for READY. on the screen, then type RUN and Return';
    return program(first, first, [note]);
  }

  /** BASIC programs are run, machine code is called where it begins. */
  async #run(first: number, signal: AbortSignal): Promise<LoadedProgram> {
    const failure = await this.#failure();
    if (failure !== undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        `${command} failed: ${failure}.`,
        advice`Look at the screen with ${call('screen_read')}.`,
      );
    }
    const isBasic = Math.abs(first - basicStart) <= 1;
    const loaded = program(first, this.#end(), []);
    await this.#keyboard.type(isBasic ? 'RUN\n' : `SYS ${first}\n`, signal);
    return isBasic ? loaded : { ...loaded, startAddress: BigInt(first) };
  }

  /** What BASIC has printed after the command, if that was an error. */
  async #failure(): Promise<string | undefined> {
    const lines = (await this.#screen.text())?.lines.map((line) => line.trimEnd()) ?? [];
    const after = lines.slice(lines.findLastIndex((line) => line.toUpperCase().includes(command)) + 1);
    return after.find((line) => /^\?.*ERROR/i.test(line));
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
