import { MachineError } from '../../../machine/errors.ts';
import type { QemuSession } from '../qemu-session.ts';
import { type BlockNode, filesOf } from './block-node.ts';

const knownDrivers: ReadonlySet<string> = new Set(['raw', 'qcow2', 'file']);

/**
 * The images that QEMU has open. After each that is opened it is asked whether it really opened those files and no
 * others: while it has them open nobody can change their headers, as somebody could after they were looked at.
 */
export class BlockNodes {
  readonly #session: QemuSession;
  readonly #files = new Set<string>();
  readonly #isChecked: boolean;

  /** Without `isChecked` the user has allowed arguments that open others. */
  constructor(session: QemuSession, isChecked: boolean) {
    this.#session = session;
    this.#isChecked = isChecked;
  }

  async add(node: BlockNode): Promise<void> {
    for (const file of filesOf(node)) this.#files.add(file);
    await this.#session.execute('blockdev-add', { ...node });
    try {
      await this.check([]);
    } catch (error) {
      await this.remove(node['node-name']);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#session.execute('blockdev-del', { 'node-name': name });
  }

  /** Of nodes that QEMU got with its command line. */
  async check(nodes: readonly BlockNode[]): Promise<void> {
    for (const file of nodes.flatMap(filesOf)) this.#files.add(file);
    if (!this.#isChecked) return;
    for (const { drv, file } of await this.#session.query('query-named-block-nodes', { flat: true })) {
      const isKnown = knownDrivers.has(drv) && (drv !== 'file' || this.#files.has(file));
      if (isKnown) continue;
      throw new MachineError(
        'DENIED',
        `QEMU has opened ${file.slice(0, 200)} (${drv}), which no image named when it was checked.`,
        'An image was changed meanwhile. Nothing of it has reached the guest; start again when nobody writes to it.',
      );
    }
  }
}
