import { detectMedia, type MediaKind } from '../../../formats/commodore/media/detect-media.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium, MediumFile } from '../../../machine/media.ts';
import { driveFor } from './drive-for.ts';
import type { ViceFolder } from './launch/vice-folder.ts';
import type { ViceEngine } from './vice-engine.ts';
import type { ViceSession } from './vice-session.ts';

interface Slot {
  readonly name: string;
  readonly takes: readonly MediaKind[];
  /** VICE's number for it, which its monitor reads as hexadecimal. */
  readonly device: string;
  /** Of drives. */
  readonly unit?: number;
}

const disks: readonly MediaKind[] = ['d64', 'd71', 'd81', 'g64'];
const slots: readonly Slot[] = [
  { name: 'drive8', takes: disks, device: '8', unit: 8 },
  { name: 'drive9', takes: disks, device: '9', unit: 9 },
  { name: 'drive10', takes: disks, device: 'a', unit: 10 },
  { name: 'drive11', takes: disks, device: 'b', unit: 11 },
  { name: 'tape', takes: ['tap', 't64'], device: '1' },
  { name: 'cartridge', takes: ['crt'], device: '20' },
];
/** VICE switches the machine off and on when this one changes, but only once time passes: its clock would begin anew in the midst of a run. */
const cartridge = 'cartridge';
const mostBytes = 16 * 1024 * 1024;

interface Inserted {
  readonly medium: Medium;
  readonly path: string;
}

/** Disks, tapes and cartridges: copies in the machine's folder, which VICE reads and writes. */
export class ViceMedia implements MediaCapability {
  readonly #session: ViceSession;
  readonly #engine: ViceEngine;
  readonly #folder: ViceFolder;
  readonly #inserted = new Map<string, Inserted>();

  constructor(session: ViceSession, engine: ViceEngine, folder: ViceFolder) {
    this.#session = session;
    this.#engine = engine;
    this.#folder = folder;
  }

  get slots(): readonly MediaSlot[] {
    return slots.map(({ name, takes }) => {
      const medium = this.#inserted.get(name)?.medium.name;
      const description = takes.map((kind) => kind.toUpperCase()).join(', ');
      return { name, description, changed: false, ...(medium !== undefined && { medium }) };
    });
  }

  slotFor({ name, bytes = new Uint8Array() }: MediumFile): string | undefined {
    const kind = detectMedia(bytes, name);
    return slots.find(({ takes }) => kind !== undefined && takes.includes(kind))?.name;
  }

  /** `isLeft`: who calls switches the machine on. */
  async attach(slot: string, medium: Medium, isLeft = false): Promise<string> {
    const { takes, device, unit } = slotOf(slot);
    const kind = detectMedia(medium.bytes, medium.name);
    if (kind === undefined || !takes.includes(kind)) {
      const what = kind ? `a ${kind.toUpperCase()} file` : 'not a known type of file';
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${medium.name} is ${what}; ${slot} takes ${takes.join(', ')}.`,
        'Use another file or another slot.',
      );
    }
    const path = this.#folder.fresh(`.${kind}`);
    await this.#folder.writeTo(path, medium.bytes, medium.readOnly);
    const [drive, answer] = await this.#engine.exclusively(async () => [
      unit === undefined ? undefined : await driveFor(this.#session, unit, kind),
      await this.#session.command(`attach "${path}" ${device}`),
      unit === undefined ? undefined : await this.#session.learnDrive(unit),
    ]);
    if (/fail|error|unknown/i.test(answer)) {
      await this.#folder.remove(path);
      throw new MachineError('INVALID_ARGUMENT', `VICE does not take ${medium.name}.`, 'Use another file.');
    }
    await this.#forget(slot);
    this.#inserted.set(slot, { medium, path });
    const isReset = slot === cartridge && !isLeft;
    if (isReset) await this.#engine.reset('hard');
    const reset = isReset ? '; the machine was switched off and on' : '';
    const facts = `${kind.toUpperCase()}, ${medium.bytes.length} bytes${medium.readOnly ? ', read only' : ''}${reset}`;
    return drive ? `${facts}; ${drive}` : facts;
  }

  async detach(slot: string, isLeft = false): Promise<void> {
    const { device } = slotOf(slot);
    await this.#engine.exclusively(() => this.#session.command(`detach ${device}`));
    await this.#forget(slot);
    if (slot === cartridge && !isLeft) await this.#engine.reset('hard');
  }

  /** What VICE has written to its file; a real drive's last track follows when it moves on or its motor stops. */
  async bytes(slot: string): Promise<Uint8Array> {
    const { path } = this.#found(slot);
    return this.#folder.read(path, mostBytes);
  }

  /** Where VICE finds it. */
  pathOf(slot: string): string {
    return this.#found(slot).path;
  }

  #found(slot: string): Inserted {
    const inserted = this.#inserted.get(slotOf(slot).name);
    if (inserted) return inserted;
    const fix = advice`Call ${call('media_attach')} without a path to list the slots.`;
    throw new MachineError('NOT_FOUND', `${slot} is empty.`, fix);
  }

  async #forget(slot: string): Promise<void> {
    const before = this.#inserted.get(slot);
    this.#inserted.delete(slot);
    if (before) await this.#folder.remove(before.path);
  }
}

function slotOf(name: string): Slot {
  const found = slots.find((slot) => slot.name === name);
  if (found) return found;
  const names = slots.map((slot) => slot.name).join(', ');
  throw new MachineError('INVALID_ARGUMENT', `No slot ${name.slice(0, 20)}.`, `Slots: ${names}.`);
}
