import { concatBytes, long } from '../../../formats/commodore/media/byte-fields.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotInfo } from '../../../machine/snapshots.ts';
import { NamedSnapshots } from '../../shared/named-snapshots.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import type { CartridgeSlot } from './cartridge-slot.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreMedia, MediaRecord } from './commodore-media.ts';
import type { CommodoreMemory } from './commodore-memory.ts';
import type { CommodoreModel } from './commodore-model.ts';
import type { Fitted, Fittings } from './fittings.ts';

/** Of one breakpoint. */
const mostAtHits = 10;

interface Saved {
  readonly state: Uint8Array;
  /** What was plugged in: the state speaks of it and does not hold it. */
  readonly media: MediaRecord;
  readonly fitted: Fitted;
}

interface SnapshotParts {
  readonly model: CommodoreModel;
  readonly engine: CommodoreEngine;
  readonly media: CommodoreMedia;
  readonly memory: CommodoreMemory;
  readonly cartridges: CartridgeSlot;
  readonly fittings: Fittings;
  readonly symbols: CommodoreSymbols;
}

/** Named copies of the whole state. */
export class CommodoreSnapshots implements SnapshotCapability {
  readonly #engine: CommodoreEngine;
  readonly #media: CommodoreMedia;
  readonly #memory: CommodoreMemory;
  readonly #cartridges: CartridgeSlot;
  readonly #fittings: Fittings;
  readonly #model: CommodoreModel;
  readonly #symbols: CommodoreSymbols;
  readonly #saved = new NamedSnapshots<Saved>();

  constructor({ model, engine, media, memory, cartridges, fittings, symbols }: SnapshotParts) {
    this.#model = model;
    this.#cartridges = cartridges;
    this.#fittings = fittings;
    this.#engine = engine;
    this.#media = media;
    this.#memory = memory;
    this.#symbols = symbols;
  }

  async save(name: string): Promise<SnapshotInfo> {
    return this.#save(name);
  }

  /** At a breakpoint, of which the newest few are kept. Answers the name, or why nothing was saved. */
  saveAtHit(breakpoint: number, hit: number): string {
    const nameOf = (number: number) => `breakpoint-${breakpoint}-hit-${number}`;
    const kept = this.#saved.list().map(({ name }) => name);
    const own = kept.filter((name) => name.startsWith(nameOf(0).slice(0, -1)));
    for (const old of own.slice(0, Math.max(0, own.length - mostAtHits + 1))) this.#saved.delete(old);
    try {
      return this.#save(nameOf(hit)).name;
    } catch (error) {
      if (error instanceof MachineError) return `(none: ${error.message})`;
      throw error;
    }
  }

  #save(name: string): SnapshotInfo {
    const { board } = this.#engine;
    const time = `cycle ${board.cycles.toLocaleString('en-US')}`;
    const info = { name, bytes: board.bytes.length, time };
    return this.#saved.save(info, () => ({
      state: board.snapshot(),
      media: this.#media.record(),
      fitted: this.#fittings.now,
    }));
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const { info, kept } = this.#saved.find(name);
    this.#fittings.fit(kept.fitted);
    await this.load(kept.state, kept.media);
    return info;
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return this.#saved.list();
  }

  async delete(name: string): Promise<void> {
    this.#saved.delete(name);
  }

  async fork(name: string): Promise<Fork> {
    const bytes = await this.bytes(name);
    const { media, fitted } = this.#saved.find(name).kept;
    const symbols = this.#symbols;
    const model = this.#model;
    return {
      options: this.#fittings.options(fitted),
      async enter({ snapshots }) {
        if (!(snapshots instanceof CommodoreSnapshots) || snapshots.#model !== model) return;
        snapshots.#fittings.fit(fitted);
        await snapshots.load(bytes, media);
        snapshots.#symbols.copyFrom(symbols);
      },
    };
  }

  /** The state, and behind it the disks it speaks of, each with its length before it. */
  async bytes(name: string): Promise<Uint8Array> {
    const { state } = this.#saved.find(name).kept;
    const flash = this.#cartridges.imageIn(state);
    const images = [...this.#engine.board.imagesIn(state), ...(flash ? [flash] : [])];
    return concatBytes([state, ...images.flatMap((image) => [lengthBytes(image.length), image])]);
  }

  /** Without a record what is plugged in stays. */
  async load(bytes: Uint8Array, media?: MediaRecord): Promise<void> {
    const { board } = this.#engine;
    const images = imagesBehind(bytes, board.bytes.length);
    if (images === undefined) {
      const message = `A snapshot of this ${this.#model.name} has ${board.bytes.length} bytes and whole disks behind them, not ${bytes.length}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Use one that this version saved.');
    }
    for (const image of images) if (!board.expansionRam?.remember(image)) board.drives.remember(image);
    if (media) this.#media.recall(media);
    board.restore(bytes.subarray(0, board.bytes.length));
    this.#engine.replaced();
  }

  /** In any space: the machine is what it was then for a moment in which no time passes. */
  async peek(name: string, space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { state, media } = this.#saved.find(name).kept;
    const [then, now] = [media.media, this.#media.record().media].map((each) => each.get('cartridge')?.bytes);
    if (then !== now && !['ram', 'color'].includes(space)) {
      const message = `With another cartridge in the machine ${name} can be read as ram or color, not as ${space}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Add "space":"ram", or restore it.');
    }
    const { board } = this.#engine;
    const present = board.snapshot();
    board.restore(state);
    try {
      return this.#memory.peek(space, address, length);
    } finally {
      board.restore(present);
    }
  }
}

function lengthBytes(length: number): Uint8Array {
  return Uint8Array.of(length & 255, (length >> 8) & 255, (length >> 16) & 255, length >> 24);
}

/** Undefined if it is too short, or does not end where a disk ends. */
function imagesBehind(bytes: Uint8Array, stateBytes: number): readonly Uint8Array[] | undefined {
  const images: Uint8Array[] = [];
  let at = stateBytes;
  while (at + 4 <= bytes.length) {
    const start = at + 4;
    at = start + long(bytes, at);
    images.push(bytes.slice(start, at));
  }
  return at === bytes.length ? images : undefined;
}
