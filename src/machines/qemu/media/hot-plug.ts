import { MachineError } from '../../../machine/errors.ts';
import { type Board, virtioDevice } from '../launch/board.ts';
import type { QemuSession } from '../qemu-session.ts';

/** Linux waits five seconds for a change of mind. */
const unplugMs = 15_000;

/** Disks that come and go while the machine is on. */
export class HotPlug {
  readonly #session: QemuSession;
  readonly #board: Board;
  /** PCI Express takes devices only in slots that were there at the start. */
  readonly #slots: number;
  readonly #taken = new Map<string, number>();

  constructor(session: QemuSession, board: Board, slots: number) {
    this.#session = session;
    this.#board = board;
    this.#slots = slots;
  }

  get possible(): boolean {
    const { bus } = this.#board;
    return bus === 'pci' || bus === 'ccw' || (bus === 'pcie' && this.#taken.size < this.#slots);
  }

  async add(id: string, nodeName: string): Promise<void> {
    const driver = virtioDevice(this.#board, 'blk');
    if (!this.possible || driver === undefined) {
      const pcie = this.#board.bus === 'pcie';
      const fix = pcie
        ? 'Detach one, or start the machine with more "hotplug_slots".'
        : 'Start another with it in "drives".';
      throw new MachineError(
        'UNAVAILABLE',
        pcie ? 'All slots are taken.' : 'This board takes no drives while it is on.',
        fix,
      );
    }
    const slot = this.#board.bus === 'pcie' ? this.#freeSlot() : undefined;
    await this.#session.execute('device_add', {
      driver,
      id,
      drive: nodeName,
      ...(slot !== undefined && { bus: `slot${slot}` }),
    });
    this.#taken.set(id, slot ?? -1);
  }

  /** Asks the guest to let go of it, and waits until it has. */
  async remove(id: string): Promise<void> {
    let off = () => {};
    let timer: NodeJS.Timeout | undefined;
    const gone = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), unplugMs);
      off = this.#session.onEvent(({ name, data }) => {
        if (name === 'DEVICE_DELETED' && data.device === id) resolve(true);
      });
    });
    try {
      await this.#session.execute('device_del', { id });
      if (await gone) {
        this.#taken.delete(id);
        return;
      }
      throw new MachineError(
        'BUSY',
        `The guest has not let go of ${id} within ${unplugMs / 1000} s.`,
        'Its operating system must be running and able to remove PCI devices; unmount the disk there and call again.',
      );
    } finally {
      clearTimeout(timer);
      off();
    }
  }

  /** After a power cycle everything is where the command line puts it. */
  forget(): void {
    this.#taken.clear();
  }

  #freeSlot(): number {
    const taken = new Set(this.#taken.values());
    let slot = 0;
    while (taken.has(slot)) slot++;
    return slot;
  }
}
