import { setTimeout } from 'node:timers/promises';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { type Board, virtioDevice } from '../launch/board.ts';
import type { QemuSession } from '../qemu-session.ts';

/** Linux waits five seconds for a change of mind. */
const unplugMs = 15_000;
/** A guest that is still looking at what was plugged in overhears it. PCI Express would take it for a change of mind. */
const askAgainMs = 4000;

/** Disks that come and go while the machine is on. */
export class HotPlug {
  readonly #session: QemuSession;
  readonly #board: Board;
  /** PCI Express takes devices only in slots that were there at the start. */
  readonly #slots: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, AbortController>();

  /** `gone` is called when the guest has let go of one, also long after it was asked to. */
  constructor(session: QemuSession, board: Board, slots: number, gone: (id: string) => Promise<void>) {
    this.#session = session;
    this.#board = board;
    this.#slots = slots;
    session.onEvent(({ name, data: { device } }) => {
      if (name !== 'DEVICE_DELETED' || typeof device !== 'string' || !this.#taken.delete(device)) return;
      void gone(device).finally(() => this.#waiting.get(device)?.abort());
    });
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
    if (!(await this.#isRunning())) {
      const message = `The guest is stopped and cannot release ${id}.`;
      throw new MachineError('WRONG_STATE', message, advice`Call ${call('run')} first.`);
    }
    const gone = new AbortController();
    this.#waiting.set(id, gone);
    const end = performance.now() + unplugMs;
    const pauseMs = this.#board.bus === 'pcie' ? unplugMs : askAgainMs;
    try {
      while (performance.now() < end) {
        await this.#ask(id);
        // The signal says that there is nothing to wait for any more.
        await setTimeout(pauseMs, undefined, { signal: gone.signal }).catch(() => undefined);
        if (!this.#taken.has(id)) return;
      }
    } finally {
      this.#waiting.delete(id);
    }
    throw new MachineError(
      'BUSY',
      `The guest has not released ${id} within ${unplugMs / 1000} s.`,
      'Its operating system must be running and able to remove PCI devices; unmount the disk there and call again. If it does so later, the drive is removed then.',
    );
  }

  /** After a power cycle everything is where the command line puts it. */
  forget(): void {
    this.#taken.clear();
  }

  async #ask(id: string): Promise<void> {
    await this.#session.execute('device_del', { id }).catch((error: unknown) => {
      // It was asked before, or is gone this very moment.
      if (error instanceof MachineError && /in the process of unplug|not found/.test(error.message)) return;
      throw error;
    });
  }

  async #isRunning(): Promise<boolean> {
    return (await this.#session.query('query-status')).running;
  }

  #freeSlot(): number {
    const taken = new Set(this.#taken.values());
    let slot = 0;
    while (taken.has(slot)) slot++;
    return slot;
  }
}
