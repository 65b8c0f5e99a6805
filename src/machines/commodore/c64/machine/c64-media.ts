import { MachineError } from '../../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium } from '../../../../machine/media.ts';
import type { Cartridge } from '../../media/cartridge.ts';
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
    const found = slot === 'cartridge' ? await this.#insertCartridge(medium) : this.#insert(slot, medium);
    this.#media.set(slot, medium);
    return found;
  }

  async detach(slot: string): Promise<void> {
    if (slot !== 'cartridge') this.#engine.input({ type: 'detach', unit: unitOf(slot) });
    else await this.#plug(undefined);
    this.#media.delete(slot);
  }

  async bytes(slot: string): Promise<Uint8Array> {
    const medium = this.#media.get(slot);
    if (!medium) throw new MachineError('NOT_FOUND', `${slot} is empty.`, 'media_attach shows what is where.');
    return slot === 'cartridge' ? medium.bytes : (this.#engine.board.drives.image(unitOf(slot)) ?? medium.bytes);
  }

  #insert(slot: string, { bytes, readOnly }: Medium): string {
    this.#engine.input({ type: 'attach', unit: unitOf(slot), image: bytes, readOnly });
    const disk = new CommodoreDisk(new SectorImage(bytes.slice()));
    const files = disk.directory().slice(0, 20);
    const list = files.map(({ blocks, name, type }) => `  ${blocks} "${name}" ${type}`);
    return [`disk "${disk.name}", ${disk.freeBlocks} blocks free`, ...list].join('\n');
  }

  async #insertCartridge({ bytes }: Medium): Promise<string> {
    const crt = readCrt(bytes);
    await this.#plug(cartridgeOf(crt, this.#engine.board.cartridgeState));
    return `cartridge "${crt.name}"; the machine was reset`;
  }

  async #plug(cartridge: Cartridge | undefined): Promise<void> {
    this.#engine.board.insertCartridge(cartridge);
    await this.#engine.reset('soft');
    // Its chips are no part of the state: there is no way back to before it was plugged in.
    this.#engine.history.restart();
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
