import { statSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { MediaCapability, MediaSlot, Medium, MediumFile } from '../../../machine/media.ts';
import { type BlockNode, directNode, overlayNode } from '../disk/block-node.ts';
import type { BlockNodes } from '../disk/block-nodes.ts';
import { type ImageFile, openImage, openOwnImage } from '../disk/image-file.ts';
import { type DriveMedium, isFloppySize, type PreparedDrive } from '../disk/prepare-drives.ts';
import type { Board } from '../launch/board.ts';
import type { RuntimePaths } from '../launch/runtime-paths.ts';
import type { OpenedFiles } from '../opened-files.ts';
import type { QemuSession } from '../qemu-session.ts';
import { HotPlug } from './hot-plug.ts';

export interface MediaOptions {
  readonly session: QemuSession;
  readonly paths: RuntimePaths;
  readonly board: Board;
  readonly hotplugSlots: number;
  readonly files: OpenedFiles;
  readonly nodes: BlockNodes;
}

interface Slot {
  readonly drive: Omit<PreparedDrive, 'medium'>;
  pluggedIn: boolean;
  medium: DriveMedium | undefined;
  /** Of the overlay when nothing had been written since the last look: it grows with the first write. */
  freshBytes: number;
  changed: boolean;
}

const newSlot = 'new';
const backupMs = 45_000;
const maxReadBytes = 256 * 1024 * 1024;
/** Firmware that looks for something to boot closes trays now and then. */
const trayAttempts = 20;

/** Discs that can be changed, and drives that can be added while the machine runs. */
export class QemuMedia implements MediaCapability {
  readonly #options: MediaOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #hotPlug: HotPlug;
  #nodes = 0;

  constructor(drives: readonly PreparedDrive[], options: MediaOptions) {
    this.#options = options;
    const { session, board, hotplugSlots } = options;
    this.#hotPlug = new HotPlug(session, board, hotplugSlots, (id) => this.#gone(id));
    for (const { medium, ...drive } of drives) {
      this.#slots.set(drive.id, { drive, pluggedIn: false, medium, freshBytes: sizeOf(medium), changed: false });
    }
  }

  get slots(): readonly MediaSlot[] {
    this.#lookForChanges();
    const slots: MediaSlot[] = [...this.#slots.values()].map(({ drive, medium, changed, pluggedIn }) => ({
      name: drive.id,
      description: `${drive.type} on ${drive.interface}${pluggedIn ? ', added while it ran' : ''}`,
      ...(medium && { medium: medium.source }),
      changed,
    }));
    if (this.#hotPlug.possible)
      slots.push({ name: newSlot, description: 'another disk, added while it runs', changed: false });
    return slots;
  }

  async attach(slot: string, { name, bytes, readOnly }: Medium): Promise<string> {
    const path = this.#options.paths.scratch('.img');
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
    try {
      const found = await openOwnImage(path, this.#options.files);
      return await this.#insert(slot, found, name, readOnly);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async attachFile(slot: string, path: string, readOnly: boolean): Promise<string> {
    return this.#insert(slot, await openImage(path, undefined, 'read', this.#options.files), path, readOnly);
  }

  /** A disc goes into a drive for discs, the empty one first; everything else is another disk. */
  slotFor({ name, size }: MediumFile): string | undefined {
    const type = /\.iso$/i.test(name) ? 'cdrom' : isFloppySize(size) ? 'floppy' : 'disk';
    const drives = [...this.#slots.values()].filter(({ drive }) => drive.type === type && type !== 'disk');
    const drive = drives.find(({ medium }) => !medium) ?? drives[0];
    if (drive) return drive.drive.id;
    return this.#hotPlug.possible ? newSlot : undefined;
  }

  async detach(name: string): Promise<void> {
    const slot = this.#find(name);
    if (slot.pluggedIn) {
      await this.#hotPlug.remove(name);
      return;
    }
    this.#requireRemovable(slot);
    await this.#withOpenTray(slot);
    if (slot.medium) await this.#discard(slot.medium);
    slot.medium = undefined;
  }

  async bytes(name: string): Promise<Uint8Array> {
    const { medium } = this.#find(name);
    if (!medium)
      throw new MachineError('NOT_FOUND', `${name} is empty.`, advice`Insert something with ${call('media_attach')}.`);
    const size = await this.#virtualSize(medium.node);
    if (size > maxReadBytes) {
      throw new MachineError(
        'LIMIT_REACHED',
        `${name} holds ${size} bytes, too many for one answer.`,
        'Read files of it inside the guest.',
      );
    }
    const { session, paths, nodes } = this.#options;
    const file = paths.scratch('.img');
    const target = `copy${++this.#nodes}`;
    await writeFile(file, '', { mode: 0o600 });
    try {
      await truncate(file, size);
      await nodes.add(directNode(target, { path: file, grantedPath: file, format: 'raw', sizeBytes: size }, false));
      try {
        const args = { device: medium.node['node-name'], target, sync: 'full', 'auto-dismiss': false };
        await session.job('blockdev-backup', args, backupMs);
      } finally {
        await nodes.remove(target);
      }
      return await readFile(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Nodes whose content is part of the machine's state. */
  get writableNodes(): readonly DriveMedium[] {
    return [...this.#slots.values()].flatMap(({ medium }) => (medium && !medium.node['read-only'] ? [medium] : []));
  }

  /** Drives that came later, which another machine would not have at its start. */
  get pluggedIn(): readonly string[] {
    return [...this.#slots.values()].filter(({ pluggedIn }) => pluggedIn).map(({ drive }) => drive.id);
  }

  /** For the next power-on: discs as they lie now, and what was added belongs to it from then on. */
  takeDrives(): readonly PreparedDrive[] {
    this.#hotPlug.forget();
    for (const slot of this.#slots.values()) slot.pluggedIn = false;
    return [...this.#slots.values()].map(({ drive, medium }) => ({ ...drive, medium }));
  }

  /** Does something by which overlays grow without the guest having written to them. */
  async withoutChanges<T>(action: () => Promise<T>): Promise<T> {
    this.#lookForChanges();
    try {
      return await action();
    } finally {
      for (const slot of this.#slots.values()) slot.freshBytes = sizeOf(slot.medium);
    }
  }

  /** What lies in each slot now. */
  get media(): ReadonlyMap<string, DriveMedium | undefined> {
    return new Map([...this.#slots].map(([id, { medium }]) => [id, medium]));
  }

  /** The guest has let go of a drive that was added while it ran. */
  async #gone(id: string): Promise<void> {
    const slot = this.#slots.get(id);
    if (!slot?.pluggedIn) return;
    this.#slots.delete(id);
    if (slot.medium) await this.#discard(slot.medium);
  }

  #lookForChanges(): void {
    for (const slot of this.#slots.values()) slot.changed ||= sizeOf(slot.medium) > slot.freshBytes;
  }

  async #insert(name: string, image: ImageFile, source: string, readOnly: boolean): Promise<string> {
    const { session, paths, nodes } = this.#options;
    if (name === newSlot) return this.#plugIn(image, source, readOnly);
    const slot = this.#find(name);
    this.#requireRemovable(slot);
    const protect = readOnly || slot.drive.type === 'cdrom';
    const nodeName = `${name}-image${++this.#nodes}`;
    const node = protect
      ? directNode(nodeName, image, true)
      : await overlayNode(nodeName, image, paths.scratch('.qcow2'));
    await nodes.add(node);
    const before = slot.medium;
    const insertion = { id: this.#device(slot), 'node-name': nodeName };
    await this.#withOpenTray(slot, () => session.execute('blockdev-insert-medium', insertion));
    if (slot.drive.type === 'cdrom') await session.execute('blockdev-close-tray', { id: this.#device(slot) });
    slot.medium = { node, source, overlay: !protect };
    slot.freshBytes = sizeOf(slot.medium);
    slot.changed = false;
    if (before) await this.#discard(before);
    return describe(source, image);
  }

  async #plugIn(image: ImageFile, source: string, readOnly: boolean): Promise<string> {
    const id = this.#freeId();
    const nodeName = `${id}-image`;
    const { paths, nodes } = this.#options;
    const node = readOnly
      ? directNode(nodeName, image, true)
      : await overlayNode(nodeName, image, paths.scratch('.qcow2'));
    const medium = { node, source, overlay: !readOnly };
    try {
      await nodes.add(node);
      await this.#hotPlug.add(id, nodeName);
    } catch (error) {
      await this.#discard(medium);
      throw error;
    }
    const drive = { id, type: 'disk', interface: 'virtio' } as const;
    this.#slots.set(id, { drive, pluggedIn: true, medium, freshBytes: sizeOf(medium), changed: false });
    return `${describe(source, image)}, added as ${id}`;
  }

  /** Empties the drive, also against the guest's will; a guest that closes the tray meanwhile is told again. */
  async #withOpenTray(slot: Slot, action: () => Promise<unknown> = async () => {}): Promise<void> {
    const { session } = this.#options;
    const id = this.#device(slot);
    for (let attempt = 1; ; attempt++) {
      try {
        if (slot.drive.type === 'cdrom') await session.execute('blockdev-open-tray', { id, force: true });
        if (slot.medium) await session.execute('blockdev-remove-medium', { id });
        await action();
        return;
      } catch (error) {
        if (attempt === trayAttempts || !(error instanceof MachineError) || !/not open/.test(error.message))
          throw error;
      }
    }
  }

  async #discard({ node, overlay }: DriveMedium): Promise<void> {
    await this.#options.nodes.remove(node['node-name']).catch(() => {});
    if (overlay) await rm(node.file.filename, { force: true });
  }

  async #virtualSize(node: BlockNode): Promise<number> {
    const nodes = await this.#options.session.query('query-named-block-nodes', { flat: true });
    const found = nodes.find((each) => each['node-name'] === node['node-name']);
    return found?.image['virtual-size'] ?? 0;
  }

  #device({ drive }: Slot): string {
    return drive.id;
  }

  #requireRemovable({ drive }: Slot): void {
    if (drive.type !== 'disk') return;
    const fix = this.#hotPlug.possible
      ? `Add another: "slot":"${newSlot}".`
      : 'Start another machine with it in "drives".';
    throw new MachineError(
      'WRONG_STATE',
      `${drive.id} is built in and cannot be changed while the machine is on.`,
      fix,
    );
  }

  #find(name: string): Slot {
    const slot = this.#slots.get(name);
    if (slot) return slot;
    const names = [...this.#slots.keys()].join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `There is no slot ${name}.`,
      names ? `Slots: ${names}.` : 'This machine has none.',
    );
  }

  #freeId(): string {
    let number = 0;
    while (this.#slots.has(`drive${number}`)) number++;
    return `drive${number}`;
  }
}

function describe(source: string, { format, sizeBytes }: ImageFile): string {
  return `${basename(source)}, ${format}, ${sizeBytes} bytes`;
}

function sizeOf(medium: DriveMedium | undefined): number {
  if (!medium?.overlay) return 0;
  return statSync(medium.node.file.filename, { throwIfNoEntry: false })?.size ?? 0;
}
