import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { detectMedia, type MediaKind } from '../../../formats/commodore/media/detect-media.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import { isG64, readG64, sectorsOfG64 } from '../../../formats/commodore/media/g64.ts';
import { g64OfP64 } from '../../../formats/commodore/media/p64.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { readTap, tapCycles } from '../../../formats/commodore/media/tap.ts';
import { advice, call, type Fix, MachineError } from '../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium, MediumFile } from '../../../machine/media.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { expansionNames } from '../expansions/expansion-rams.ts';
import type { CartridgeFile, CartridgeSlot } from './cartridge-slot.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import { readable } from './readable-media.ts';

const units = [8, 9, 10, 11] as const;
const disks = ['d64', 'd71', 'd81', 'g64', 'p64'];
/** What RECORD puts into an empty datasette. */
const blankTape = 'blank tape';

const needsProcessor =
  'a fast loader wants to run a program in the drive, which only "drives":"1541" can; it may wait for ever';

/** What is in which slot, and what was on it when it came in. */
export interface MediaRecord {
  readonly media: ReadonlyMap<string, Medium>;
  readonly before: ReadonlyMap<string, string>;
}

/** The drives on the serial bus, the cartridge port and the datasette. */
export class CommodoreMedia implements MediaCapability {
  readonly #engine: CommodoreEngine;
  readonly #media = new Map<string, Medium>();
  /** What was in each when it was put in. */
  readonly #before = new Map<string, string>();
  /** Drives that were asked for what they cannot do, since the disk is in. */
  readonly #overtaxed = new Set<string>();
  readonly #cartridges: CartridgeSlot;

  /** `tell`: something happened that whoever waits for the machine should know. */
  constructor(engine: CommodoreEngine, cartridges: CartridgeSlot, tell: (text: string) => void) {
    this.#engine = engine;
    this.#cartridges = cartridges;
    engine.board.drives.onProgram = (unit) => {
      const slot = `drive${unit}`;
      if (engine.isRewinding || this.#overtaxed.has(slot)) return;
      this.#overtaxed.add(slot);
      tell(`${slot}: ${needsProcessor}`);
    };
  }

  /** What has to be known beside the slots. */
  get notes(): readonly string[] {
    return [...this.#overtaxed].map((slot) => `${slot}: ${needsProcessor}`);
  }

  get slotNames(): readonly string[] {
    return [...units.map((unit) => `drive${unit}`), 'cartridge', 'tape', ...this.#rams.map(({ name }) => name)];
  }

  get slots(): readonly MediaSlot[] {
    return [
      ...units.map((unit) => this.#slot(`drive${unit}`, 'D64, D71, D81, G64, P64')),
      this.#slot('cartridge', this.#cartridges.description),
      this.#slot('tape', 'TAP'),
      ...this.#rams.map(({ name, bytes }) => this.#slot(name, `its contents, up to ${bytes / 1024} KiB`)),
    ];
  }

  async attach(slot: string, file: Medium): Promise<string> {
    const ram = this.#rams.find(({ name }) => name === slot);
    if (ram) return this.#fill(ram, file);
    const kind = this.#requireFit(slot, file);
    const medium = kind === 'p64' ? { ...file, bytes: await asG64(file) } : file;
    const found = await this.#insertInto(slot, medium).catch((error: unknown) => {
      if (!(error instanceof DiskError)) throw error;
      const fix = 'The file is damaged, or not what its name says; use another one.';
      throw new MachineError('INVALID_ARGUMENT', `${medium.name}: ${error.message}.`, fix);
    });
    this.#overtaxed.delete(slot);
    this.#media.set(slot, medium);
    this.#before.set(slot, this.#contents(slot));
    return found;
  }

  /** The disk or tape in a slot as it was put in. */
  inserted(slot: string): Uint8Array | undefined {
    return this.#media.get(slot)?.bytes;
  }

  slotFor({ name, bytes = new Uint8Array() }: MediumFile): string | undefined {
    const kind = this.kindOf({ name, bytes });
    if (kind === 'crt') return 'cartridge';
    if (kind === 'tap') return 'tape';
    if (kind === undefined && /\.reu$/i.test(name)) return this.#rams.find((ram) => ram.name === 'reu')?.name;
    return kind !== undefined && disks.includes(kind) ? 'drive8' : undefined;
  }

  /** What a file is here: a cartridge may be of another machine. */
  kindOf(file: CartridgeFile): MediaKind | undefined {
    return this.#cartridges.isCartridge(file) ? 'crt' : detectMedia(file.bytes, file.name);
  }

  checkCartridge(file: CartridgeFile): void {
    this.#requireFit('cartridge', file);
    readable(file.name, () => this.#cartridges.check(file.bytes));
  }

  async detach(slot: string): Promise<void> {
    const ram = this.#rams.find(({ name }) => name === slot);
    if (ram) this.#engine.input({ type: 'expansionRam', name: slot, address: 0, bytes: new Uint8Array(ram.bytes) });
    else if (slot === 'cartridge') {
      // Taking nothing out is no reason for a reset.
      if (!this.#media.has(slot) && this.#cartridges.space === undefined) return;
      this.#cartridges.remove();
      await this.#plugged();
    } else if (slot === 'tape') this.#engine.input({ type: 'tape', image: undefined });
    else this.#engine.input({ type: 'detach', unit: unitOf(slot) });
    this.#overtaxed.delete(slot);
    this.#media.delete(slot);
    this.#before.delete(slot);
  }

  async reset(slot: string): Promise<void> {
    this.#engine.input({ type: 'driveReset', unit: unitOf(slot) });
  }

  async bytes(slot: string): Promise<Uint8Array> {
    const bytes = this.#now(slot) ?? this.#media.get(slot)?.bytes;
    if (!bytes)
      throw new MachineError(
        'NOT_FOUND',
        `${slot} is empty.`,
        advice`Call ${call('media_attach')} without a path to list the slots.`,
      );
    return bytes;
  }

  /** What is plugged in now, for a snapshot. */
  record(): MediaRecord {
    return { media: new Map(this.#media), before: new Map(this.#before) };
  }

  /** Plugs in what was there; the state that belongs to it has to follow. */
  recall({ media, before }: MediaRecord): void {
    const wanted = media.get('cartridge');
    if (wanted?.bytes !== this.#media.get('cartridge')?.bytes) {
      if (wanted) this.#cartridges.insert(wanted.bytes);
      else this.#cartridges.remove();
    }
    replace(this.#media, media);
    replace(this.#before, before);
  }

  /** While drives become others. What was as it was put in still is, however the new drive keeps it. */
  async whileRefitted(refit: () => Promise<void>): Promise<void> {
    const drives = units.map((unit) => `drive${unit}`);
    const same = drives.filter((name) => this.#media.has(name) && this.#contents(name) === this.#before.get(name));
    await refit();
    for (const name of same) this.#before.set(name, this.#contents(name));
  }

  /** Other memories are in the expansion port now, with nothing in them. */
  forgetRams(): void {
    for (const name of Object.keys(expansionNames)) {
      this.#media.delete(name);
      this.#before.delete(name);
    }
  }

  /** Memories in the expansion port, which files can be loaded into and saved from. */
  get #rams() {
    return this.#engine.board.expansionRam?.present ?? [];
  }

  #fill({ name, bytes: size }: { readonly name: string; readonly bytes: number }, medium: Medium): string {
    if (medium.bytes.length > size) {
      const message = `${medium.name} has ${medium.bytes.length} bytes, more than the ${size} of this ${name}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Start a machine with a larger one.');
    }
    this.#engine.input({ type: 'expansionRam', name, address: 0, bytes: medium.bytes });
    this.#media.set(name, medium);
    this.#before.set(name, this.#contents(name));
    return `${medium.bytes.length} bytes loaded at its start`;
  }

  #requireFit(slot: string, file: CartridgeFile): MediaKind | undefined {
    const kind = this.kindOf(file);
    const wanted = { cartridge: [this.#cartridges.description], tape: ['tap'] }[slot] ?? disks;
    const fits = slot === 'cartridge' ? this.#cartridges.accepts(file) : kind !== undefined && wanted.includes(kind);
    if (fits) return kind;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${file.name} is ${whatIs(slot, kind)}; ${slot} takes ${wanted.join(', ')}.`,
      slotHint(slot, kind),
    );
  }

  async #insertInto(slot: string, medium: Medium): Promise<string> {
    if (slot === 'cartridge') return this.#insertCartridge(medium);
    if (slot !== 'tape') return this.#insert(slot, medium);
    const tape = readable(medium.name, () => readTap(medium.bytes));
    this.#engine.input({ type: 'tape', image: medium.bytes, readOnly: medium.readOnly });
    const seconds = tapCycles(tape) / this.#engine.board.clockHz;
    return `tape of ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s; the key tape_play presses PLAY, tape_record RECORD`;
  }

  async #insert(slot: string, { name, bytes, readOnly }: Medium): Promise<string> {
    const { drives } = this.#engine.board;
    const slice = new TimeSlice();
    for (const steps = drives.preparing(unitOf(slot), bytes); !steps.next().done; ) {
      if (slice.isOver) await slice.next();
    }
    const isReal = drives.takesAsReal(unitOf(slot), bytes);
    const standard = isG64(bytes) ? readable(name, () => sectorsOf(bytes)) : undefined;
    const image = standard && !isReal ? standard.disk.image.bytes : bytes;
    this.#engine.input({ type: 'attach', unit: unitOf(slot), image, readOnly });
    const disk = standard?.disk ?? new CommodoreDisk(new SectorImage(bytes.slice()));
    if (standard && standard.missing > 0) {
      const way = isReal ? '' : '; protected disks need a 1541 with its ROM';
      return `G64 with ${standard.missing} blocks that are not as the DOS writes them${way}`;
    }
    return directoryText(disk);
  }

  async #insertCartridge({ name, bytes }: Medium): Promise<string> {
    const found = readable(name, () => this.#cartridges.insert(bytes));
    await this.#plugged();
    return `${found}; the machine was reset`;
  }

  async #plugged(): Promise<void> {
    await this.#engine.reset('soft');
    // Its chips are no part of the state: there is no way back to before it was plugged in.
    this.#engine.history.restart();
  }

  /** What is in the slot as it is at this moment, where it can have changed. */
  #now(slot: string): Uint8Array | undefined {
    if (slot === 'cartridge') return this.#cartridges.file();
    const { tape, drives, expansionRam } = this.#engine.board;
    const ram = expansionRam?.of(slot);
    if (ram) return ram.bytes.slice();
    return slot === 'tape' ? tape.bytes() : drives.image(unitOf(slot));
  }

  /** Two of these are equal if what is in the slot is. */
  #contents(slot: string): string {
    if (slot === 'cartridge') return this.#cartridges.contents;
    const { tape, drives, expansionRam } = this.#engine.board;
    const ram = expansionRam?.of(slot)?.name();
    if (ram) return `${ram.low},${ram.high}`;
    return slot === 'tape' ? tape.contents : drives.contentsOf(unitOf(slot));
  }

  #slot(name: string, description: string): MediaSlot {
    const isBlank = name === 'tape' && this.#engine.board.tape.hasTape;
    const medium = this.#media.get(name)?.name ?? (isBlank ? blankTape : undefined);
    if (medium === undefined) return { name, description, changed: false };
    const changed = this.#contents(name) !== this.#before.get(name);
    return { name, description, medium, changed };
  }
}

function replace<Value>(target: Map<string, Value>, source: ReadonlyMap<string, Value>): void {
  target.clear();
  for (const [key, value] of source) target.set(key, value);
}

/** Disks with a protection have directories that are not meant to be read. */
function directoryText(disk: CommodoreDisk): string {
  try {
    const files = disk.directory().slice(0, 20);
    const list = files.map(({ blocks, name, type }) => `  ${blocks} "${name}" ${type}`);
    return [`disk "${disk.name}", ${disk.freeBlocks} blocks free`, ...list].join('\n');
  } catch (error) {
    if (error instanceof DiskError) return `disk whose directory cannot be read: ${error.message}`;
    throw error;
  }
}

/** A disk of pulses, as the bits that the drive's electronics make of them. */
async function asG64({ name, bytes }: Medium): Promise<Uint8Array> {
  const steps = g64OfP64(bytes);
  const slice = new TimeSlice();
  for (;;) {
    const step = readable(name, () => steps.next());
    if (step.done) return step.value;
    if (slice.isOver) await slice.next();
  }
}

/** What the DOS could read of a G64. */
function sectorsOf(file: Uint8Array): { readonly disk: CommodoreDisk; readonly missing: number } {
  const disk = CommodoreDisk.create('d64');
  const missing = sectorsOfG64(readG64(file), disk.image).length;
  return { disk, missing };
}

function whatIs(slot: string, kind: MediaKind | undefined): string {
  if (kind === 'crt' && slot === 'cartridge') return 'a cartridge of another machine';
  return kind ? `a ${kind.toUpperCase()} file` : 'not a known type of file';
}

function slotHint(slot: string, kind: MediaKind | undefined): Fix {
  if (kind === 'crt' && slot === 'cartridge') return 'Insert one that was made for this machine.';
  const wanted =
    kind === 'crt' ? 'cartridge' : kind === 'tap' ? 'tape' : disks.some((disk) => disk === kind) ? 'drive8' : undefined;
  if (wanted !== undefined) return advice`Insert it with ${call('media_attach', { slot: wanted })}.`;
  return advice`Programs (PRG, P00, T64) are started with ${call('program_run')}.`;
}

function unitOf(slot: string): (typeof units)[number] {
  const unit = units.find((each) => slot === `drive${each}`);
  if (unit === undefined) throw new RangeError(slot);
  return unit;
}
