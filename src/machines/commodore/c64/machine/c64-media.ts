import { MachineError } from '../../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium } from '../../../../machine/media.ts';
import { cartridgeOf } from '../../media/cartridge-types.ts';
import { CommodoreDisk } from '../../media/commodore-disk.ts';
import { readCrt } from '../../media/crt.ts';
import { detectMedia } from '../../media/detect-media.ts';
import { SectorImage } from '../../media/sector-image.ts';
import type { Engine } from './engine.ts';

const units = [8, 9, 10, 11] as const;
const disks = ['d64', 'd71', 'd81'];

/** The drives on the serial bus and the cartridge port. */
export class C64Media implements MediaCapability {
  readonly #engine: Engine;
  readonly #media = new Map<string, Medium>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get slots(): readonly MediaSlot[] {
    return [...units.map((unit) => this.#slot(`drive${unit}`, 'D64, D71, D81')), this.#slot('cartridge', 'CRT')];
  }

  async attach(slot: string, medium: Medium): Promise<string> {
    const kind = detectMedia(medium.bytes, medium.name);
    const wanted = slot === 'cartridge' ? ['crt'] : disks;
    if (kind === undefined || !wanted.includes(kind)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${medium.name} is ${kind ? `a ${kind.toUpperCase()} file` : 'no file known here'}; ${slot} takes ${wanted.join(', ')}.`,
        kind === 'crt' ? 'Use "slot":"cartridge".' : 'Programs (PRG, P00, T64) are started with program_run.',
      );
    }
    const found = slot === 'cartridge' ? await this.#plug(medium) : this.#insert(slot, medium);
    this.#media.set(slot, medium);
    // What is plugged in is no part of the remembered past.
    this.#engine.history.restart();
    return found;
  }

  async detach(slot: string): Promise<void> {
    const { board } = this.#engine;
    if (slot !== 'cartridge') board.drives.detach(unitOf(slot));
    else {
      board.insertCartridge(undefined);
      await this.#engine.reset('soft');
    }
    this.#media.delete(slot);
    this.#engine.history.restart();
  }

  async bytes(slot: string): Promise<Uint8Array> {
    const medium = this.#media.get(slot);
    if (!medium) throw new MachineError('NOT_FOUND', `${slot} is empty.`, 'media_attach shows what is where.');
    return slot === 'cartridge' ? medium.bytes : (this.#engine.board.drives.image(unitOf(slot)) ?? medium.bytes);
  }

  #insert(slot: string, { bytes, readOnly }: Medium): string {
    this.#engine.board.drives.attach(unitOf(slot), bytes, { readOnly });
    const disk = new CommodoreDisk(new SectorImage(bytes.slice()));
    const files = disk.directory().slice(0, 20);
    const list = files.map(({ blocks, name, type }) => `  ${blocks} "${name}" ${type}`);
    return [`disk "${disk.name}", ${disk.freeBlocks} blocks free`, ...list].join('\n');
  }

  async #plug({ bytes }: Medium): Promise<string> {
    const { board } = this.#engine;
    const crt = readCrt(bytes);
    board.insertCartridge(cartridgeOf(crt, board.cartridgeState));
    await this.#engine.reset('soft');
    return `cartridge "${crt.name}"; the machine was reset`;
  }

  #slot(name: string, description: string): MediaSlot {
    const medium = this.#media.get(name);
    if (!medium) return { name, description, changed: false };
    const now = name === 'cartridge' ? undefined : this.#engine.board.drives.image(unitOf(name));
    const changed = now?.some((byte, index) => byte !== medium.bytes[index]) ?? false;
    return { name, description, medium: medium.name, changed };
  }
}

function unitOf(slot: string): (typeof units)[number] {
  const unit = units.find((each) => slot === `drive${each}`);
  if (unit === undefined) throw new RangeError(slot);
  return unit;
}
