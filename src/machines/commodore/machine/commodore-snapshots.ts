import { MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotImage, SnapshotInfo } from '../../../machine/snapshots.ts';
import { NamedSnapshots } from '../../shared/named-snapshots.ts';
import { rememberImages } from '../expansions/remember-images.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import type { TrialBoard } from '../workshop/trial.ts';
import { trySafely } from '../workshop/try-safely.ts';
import type { CartridgeSlot } from './cartridge-slot.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import {
  type CommodoreContent,
  type CommodoreOrigin,
  damaged,
  modelOf,
  readImage,
  writeImage,
} from './commodore-image.ts';
import type { CommodoreMedia } from './commodore-media.ts';
import type { CommodoreMemory } from './commodore-memory.ts';
import type { CommodoreModel } from './commodore-model.ts';
import { canFit, type Fittings } from './fittings.ts';

/** What was plugged in is kept beside the state, which speaks of it and does not hold it. */
type Saved = Omit<CommodoreContent, 'images'>;

interface SnapshotParts {
  readonly model: CommodoreModel;
  readonly engine: CommodoreEngine;
  readonly media: CommodoreMedia;
  readonly memory: CommodoreMemory;
  readonly cartridges: CartridgeSlot;
  readonly fittings: Fittings;
  readonly symbols: CommodoreSymbols;
  readonly origin: CommodoreOrigin;
  /** How to make another board like this one. */
  board(): TrialBoard;
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
  readonly #origin: CommodoreOrigin;
  /** Options that say what it was fitted with at first. */
  readonly #started: Readonly<Record<string, unknown>>;
  readonly #board: () => TrialBoard;
  readonly #saved = new NamedSnapshots<Saved>();

  constructor({ model, engine, media, memory, cartridges, fittings, symbols, origin, board }: SnapshotParts) {
    this.#origin = origin;
    this.#started = fittings.options(fittings.now);
    this.#board = board;
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

  async saveAt(name: string, time: number, signal: AbortSignal): Promise<SnapshotInfo> {
    const { seen } = await this.#engine.asOf(time, () => this.#save(name), signal);
    return seen;
  }

  /** At a breakpoint, of which the newest few are kept. Answers the name, or why nothing was saved. */
  saveAtHit(breakpoint: number, hit: number): string {
    return this.#saved.saveAtHit(breakpoint, hit, (name) => this.#save(name));
  }

  #save(name: string): SnapshotInfo {
    const { board } = this.#engine;
    const time = `cycle ${board.cycles.toLocaleString('en-US')}`;
    const info = { name, bytes: board.bytes.length, time, at: board.cycles };
    return this.#saved.save(info, () => ({
      state: board.snapshot(),
      media: this.#media.record(),
      fitted: this.#fittings.now,
      symbols: this.#symbols.save(),
    }));
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const { info, kept } = this.#saved.find(name);
    this.#load({ ...kept, images: [] });
    return info;
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return this.#saved.list();
  }

  async delete(name: string): Promise<void> {
    this.#saved.delete(name);
  }

  async fork(name: string): Promise<Fork> {
    return { options: { ...this.#options(this.#saved.find(name).kept), boot: false }, image: await this.pack(name) };
  }

  async pack(name: string): Promise<SnapshotImage> {
    const { info, kept } = this.#saved.find(name);
    const origin = { ...this.#origin, options: { ...this.#origin.options, ...this.#options(kept) } };
    return writeImage({ ...kept, images: this.#imagesIn(kept.state) }, origin, info.time);
  }

  /** Of a machine that is started with what was fitted then, as far as that is not what this one was started with. */
  #options({ fitted }: Saved): Readonly<Record<string, unknown>> {
    const options = Object.entries(this.#fittings.options(fitted));
    return Object.fromEntries(options.filter(([name, value]) => value !== this.#started[name]));
  }

  async unpack(image: SnapshotImage, from: 'here' | 'elsewhere', signal: AbortSignal): Promise<void> {
    this.#refuseOtherModel(image);
    const content = await readImage(image, this.#media.slotNames, signal);
    this.#refuseOtherLayout(content.state.length);
    if (!canFit(this.#fittings, content.fitted)) throw damaged('it has chips that fit no socket here');
    if (from === 'elsewhere') await this.#try(content, signal);
    this.#load(content);
    this.#symbols.restore(content.symbols);
  }

  #load({ state, images, media, fitted }: Omit<CommodoreContent, 'symbols'>): void {
    const { board } = this.#engine;
    this.#fittings.fit(fitted);
    rememberImages(board, images);
    this.#media.recall(media);
    board.restore(state);
    this.#engine.replaced();
  }

  #imagesIn(state: Uint8Array): readonly Uint8Array[] {
    const flash = this.#cartridges.imageIn(state);
    return [...this.#engine.board.imagesIn(state), ...(flash ? [flash] : [])];
  }

  #refuseOtherModel({ model }: SnapshotImage): void {
    const own = modelOf(this.#origin);
    const names = new Set([...Object.keys(own), ...Object.keys(model)]);
    const others = [...names].filter((name) => own[name] !== model[name]);
    if (others.length === 0) return;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `The snapshot is of a ${this.#model.name} with other ROMs (${others.join(', ').slice(0, 200)}).`,
      'Start one with the same ROMs: options "roms" and "drives".',
      { wanted: model, found: own },
    );
  }

  #refuseOtherLayout(bytes: number): void {
    const own = this.#engine.board.bytes.length;
    if (bytes === own) return;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `The snapshot has ${bytes} bytes of state where this version of the program has ${own}: another version made it.`,
      'Use it in the version that made it, or bring a machine to the same moment here and save that.',
    );
  }

  /** Nobody knows what a state from elsewhere does: it may keep a machine busy for ever. */
  async #try({ state, images, media, fitted }: CommodoreContent, signal: AbortSignal): Promise<void> {
    const cartridge = media.media.get('cartridge')?.bytes;
    const trial = { ...this.#board(), state, images, fitted, cartridge };
    const problem = await trySafely(trial, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return error instanceof Error ? error.message : String(error);
    });
    if (problem !== undefined) throw damaged(problem.replace(/\.$/, ''));
  }

  /** In any space: the machine is what it was then for a moment in which no time passes. */
  async peek(name: string, space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { state, media } = this.#saved.find(name).kept;
    const [then, now] = [media.media, this.#media.record().media].map((each) => each.get('cartridge')?.bytes);
    if (then !== now && !['ram', 'color'].includes(space)) {
      const message = `${name} was saved with another cartridge, so it can only be read as ram or color, not as ${space}.`;
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
