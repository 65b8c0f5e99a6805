import { geometryOf } from '../../../formats/commodore/media/disk-geometry.ts';
import { isG64 } from '../../../formats/commodore/media/g64.ts';
import { allLines } from './bus-lines.ts';
import { DiskShelf } from './disk-shelf.ts';
import { Drive1541 } from './drive-1541.ts';
import { Drive1571 } from './drive-1571.ts';
import { Drive1581 } from './drive-1581.ts';
import { type DriveUnit, type DriveWords, drivesPart, driveFields as f, wordsOfDrive } from './drive-state.ts';
import { processorWords } from './processor-state.ts';
import { type DriveModel, type DriveRoms, driveModels, type RealDrive } from './real-drive.ts';

const makers = { 1541: Drive1541, 1571: Drive1571, 1581: Drive1581 } as const;

/** So many ticks of a drive that wakes up are run at once. */
const wakingStretch = 100_000;

/** What a drive can be with a processor of its own, by its number in the words: 0 is none. */
export class DriveChoice {
  readonly #unit: DriveUnit;
  readonly #words: DriveWords;
  readonly #roms: DriveRoms;
  readonly #models: readonly (RealDrive | undefined)[];
  /** Words of those that have woken up. */
  readonly #awake = new Map<DriveModel, Int32Array>();

  constructor(unit: DriveUnit, words: DriveWords, roms: DriveRoms, shelf: DiskShelf, linesChanged: () => void) {
    this.#unit = unit;
    this.#words = words;
    this.#roms = roms;
    this.#models = driveModels.map((model) => {
      const rom = roms[model];
      return rom && new makers[model](unit, words, rom, shelf, linesChanged);
    });
  }

  at(number: number): RealDrive | undefined {
    return this.#models[number - 1];
  }

  /** What it is now, switched on or not. */
  get real(): RealDrive | undefined {
    return this.at(this.#words[f.real]);
  }

  /**
   * For a disk: the one that is wanted if it reads it, be it at the level of the protocol for want of a ROM, else the usual one of
   * those that do.
   */
  numberFor(image: Uint8Array): number {
    const wanted = this.#words[f.wanted];
    if (wanted > driveModels.length) return 0;
    const numbers = modelsFor(image).map((model) => driveModels.indexOf(model) + 1);
    if (numbers.includes(wanted)) {
      if (this.at(wanted)) return wanted;
      // What is on the tracks of a G64 takes a processor to read.
      if (!isG64(image)) return 0;
    }
    return numbers.find((number) => this.at(number)) ?? 0;
  }

  /** Without one: the one that is wanted, else the first that there is. */
  get numberWithoutDisk(): number {
    const wanted = this.#words[f.wanted];
    if (wanted > 0) return this.at(wanted) ? wanted : 0;
    return this.#models.findIndex((real) => real !== undefined) + 1;
  }

  /** Runs through the self-test of one with nothing on the bus, to where it waits for commands; only once. */
  *waking(number: number): Generator<void> {
    const model = driveModels[number - 1];
    const rom = model && this.#roms[model];
    if (!rom || this.#awake.has(model)) return;
    const words = wordsOfDrive(new Int32Array(drivesPart.words), this.#unit);
    const drive = new makers[model](this.#unit, words, rom, new DiskShelf(), () => {});
    drive.powerUp(0);
    drive.setLines(allLines);
    for (let left = drive.wakingTicks; left > 0; left -= wakingStretch) {
      drive.run(Math.min(left, wakingStretch));
      yield;
    }
    drive.catchUp();
    this.#awake.set(model, words.slice(f.processor, f.processor + processorWords));
  }

  /** It becomes one that has done so, while no time has passed for the computer. */
  wake(real: RealDrive): void {
    const steps = this.waking(driveModels.indexOf(real.model) + 1);
    while (!steps.next().done);
    const words = this.#awake.get(real.model);
    if (words) real.wake(words);
  }
}

/** What `wanted` is in the words. */
export function wantedNumber(model: DriveModel | 'fast' | undefined): number {
  if (model === undefined) return 0;
  return model === 'fast' ? driveModels.length + 1 : driveModels.indexOf(model) + 1;
}

/** The models that read such a disk, the usual one first. */
function modelsFor(image: Uint8Array): readonly DriveModel[] {
  if (isG64(image)) return ['1541', '1571'];
  const kind = geometryOf(image.length)?.geometry.kind;
  if (kind === 'd64') return ['1541', '1571'];
  if (kind === 'd71') return ['1571'];
  return kind === 'd81' ? ['1581'] : [];
}
