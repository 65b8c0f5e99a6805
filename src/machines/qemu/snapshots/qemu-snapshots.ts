import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotInfo } from '../../../machine/snapshots.ts';
import { nodeOver } from '../disk/block-node.ts';
import { createQcow2 } from '../disk/qcow2.ts';
import { stateNode } from '../launch/command-line.ts';
import type { QemuMedia } from '../media/qemu-media.ts';
import type { QemuEngine } from '../qemu-engine.ts';
import { machineType, storedSnapshots, versionOf } from './query-snapshots.ts';
import {
  nameForm,
  removeSnapshotFolder,
  type SnapshotContent,
  type SnapshotRecord,
  statesFile,
  writeSnapshotFolder,
} from './snapshot-folder.ts';
import { stateJob } from './state-jobs.ts';

/** Large pieces: a state is loaded three times as fast as from the usual 64 KiB. */
const stateClusterBits = 19;
const stateDiskBytes = 1024 * 1024;

/** States of the whole machine, kept in an image that is added for them, and what overlays held at that moment. */
export class QemuSnapshots implements SnapshotCapability {
  readonly #engine: QemuEngine;
  readonly #media: QemuMedia;
  readonly #records = new Map<string, SnapshotRecord>();
  /** Drives that were there at the time. */
  readonly #nodesOf = new Map<string, readonly string[]>();
  readonly #exported = new Set<string>();
  #identity: Awaited<ReturnType<typeof machineType>> | undefined;
  #tags = 0;
  /** The monitor of the process that has the image of states. */
  #preparedFor: QmpClient | undefined;
  readonly #bytesOf = new Map<string, number>();

  constructor(engine: QemuEngine, media: QemuMedia, inherited: readonly SnapshotRecord[]) {
    this.#engine = engine;
    this.#media = media;
    for (const record of inherited) {
      this.#records.set(record.name, record);
      this.#nodesOf.set(record.name, this.#nodes());
      this.#tags = Math.max(this.#tags, Number(/~(\d+)$/.exec(record.tag)?.[1] ?? 0));
    }
  }

  async save(name: string): Promise<SnapshotInfo> {
    if (!nameForm.test(name)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${name} is not a valid snapshot name.`,
        'Begin with a letter or digit.',
      );
    }
    const running = this.#engine.debugger.status().state === 'RUNNING';
    this.#refuseRawDisks();
    const letGo = await this.#engine.debugger.control.hold();
    try {
      await this.#prepareStates();
      const nodes = this.#nodes();
      const tag = `${name}~${++this.#tags}`;
      const { session, plan } = this.#engine;
      const fix =
        plan.options.share_by === 'virtiofs'
          ? 'QEMU saves no machine with virtiofs: start it with a "share" by 9p (leave "share_by" out).'
          : 'A guest with a mounted "share" cannot be saved: unmount it there.';
      await this.#media.withoutChanges(() => stateJob(session, 'save', { tag, nodes, fix }));
      const before = this.#records.get(name);
      const boardTime = [...(await this.#engine.debugger.boardTime())];
      this.#records.set(name, { name, tag, running, virtualMs: this.#engine.clock.nowMs, boardTime });
      this.#nodesOf.set(name, nodes);
      this.#exported.delete(name);
      if (before) await stateJob(session, 'delete', { tag: before.tag, nodes });
      const { snapshot_dir: folder } = this.#engine.plan.granted;
      if (folder !== undefined) await this.#export(name, join(folder.grantedPath, name));
    } finally {
      letGo();
    }
    return this.#info(name);
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const record = this.#find(name);
    if (this.#engine.plan.replay?.mode === 'record') {
      throw new MachineError('UNAVAILABLE', 'A recording has one past only.', [
        advice`Go back in it: ${call('step', { back: true })}.`,
        advice`Or ${call('run', { back: true })}.`,
      ]);
    }
    const nodes = this.#nodes();
    const then = this.#nodesOf.get(name) ?? [];
    if (then.join() !== nodes.join()) {
      throw new MachineError(
        'WRONG_STATE',
        `Other drives are attached than when ${name} was saved (${then.join(', ')}; now ${nodes.join(', ')}).`,
        advice`Attach or detach them with ${call('media_attach')} and ${call('media_detach')} first.`,
      );
    }
    await this.load(record);
    return this.#info(name, this.#bytesOf.get(record.tag));
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return Promise.all([...this.#records.keys()].map((name) => this.#info(name)));
  }

  async delete(name: string): Promise<void> {
    const { tag } = this.#find(name);
    const nodes = this.#nodesOf.get(name) ?? [stateNode];
    await stateJob(this.#engine.session, 'delete', { tag, nodes });
    this.#records.delete(name);
    this.#nodesOf.delete(name);
    this.#exported.delete(name);
    const { snapshot_dir: folder } = this.#engine.plan.granted;
    if (folder !== undefined) await removeSnapshotFolder(join(folder.grantedPath, name));
  }

  /** Also of a machine that has ended: its files are still there. */
  async fork(name: string): Promise<Fork> {
    this.#find(name);
    const { snapshot_dir: kept } = this.#engine.plan.granted;
    const own = join(this.#engine.plan.paths.folder, `fork-${name}`);
    const folder = kept === undefined ? own : join(kept.grantedPath, name);
    if (!this.#exported.has(name) || !existsSync(folder)) {
      const letGo = this.#engine.end === undefined ? await this.#engine.debugger.control.hold() : () => {};
      try {
        await this.#export(name, folder);
      } finally {
        letGo();
      }
    }
    // A port of this computer leads into one guest only.
    return { options: { from_snapshot: kept === undefined ? own : join(kept.path, name), forward: [] } };
  }

  /** Puts the state in the place of the present one, also in a process that has just been started. */
  async load({ tag, virtualMs, boardTime }: SnapshotRecord, savedBy?: string): Promise<void> {
    await this.#prepareStates();
    const { session, clock, boot } = this.#engine;
    await this.#engine.breakTime();
    const fix = savedBy === undefined ? undefined : otherVersion(savedBy, versionOf(session));
    await this.#engine.debugger.load(async () => {
      await stateJob(session, 'load', { tag, nodes: this.#nodes(), fix });
      clock.set(virtualMs);
      boot.begin();
    }, boardTime);
  }

  async #export(name: string, folder: string): Promise<void> {
    const { plan, session } = this.#engine;
    if (plan.replay) {
      throw new MachineError(
        'UNAVAILABLE',
        'A machine that is recorded cannot be copied.',
        'Start it without "record".',
      );
    }
    if (this.#media.pluggedIn.length > 0 || this.#media.writableNodes.some(({ overlay }) => !overlay)) {
      throw new MachineError(
        'UNAVAILABLE',
        'A machine whose drives are written to their files, or were added later, cannot be copied.',
        'Leave "write" out of "drives" and give all drives at the start.',
      );
    }
    if (!session.isOver) this.#identity ??= await machineType(session, plan.options.machine);
    const media = this.#media.media;
    const drives = plan.options.drives.map((text, at) => this.#driveText(text, plan.drives[at]?.id ?? '', media));
    const content: SnapshotContent = {
      format: 'frontpanel qemu snapshot 1',
      qemu: this.#identity?.qemu ?? '',
      name,
      snapshots: [...this.#records.values()],
      options: { ...plan.options, machine: this.#identity?.machine ?? plan.options.machine, drives },
    };
    const files = new Map([[statesFile, this.#statesPath]]);
    for (const [id, medium] of media) if (medium?.overlay) files.set(`${id}.qcow2`, medium.node.file.filename);
    await writeSnapshotFolder(folder, content, files);
    this.#exported.add(name);
  }

  /** A disc may have been changed for another since the start. */
  #driveText(text: string, id: string, media: QemuMedia['media']): string {
    const medium = media.get(id);
    const atStart = this.#engine.plan.drives.find((drive) => drive.id === id)?.medium;
    return medium === undefined || medium.source === atStart?.source
      ? text
      : `${medium.source},${id.startsWith('cd') ? 'cdrom' : 'floppy'}`;
  }

  get #statesPath(): string {
    return join(this.#engine.plan.paths.workDir, statesFile);
  }

  async #prepareStates(): Promise<void> {
    const { session, plan } = this.#engine;
    if (plan.replay || this.#preparedFor === session.client) return;
    if ((await storedSnapshots(session, stateNode)) === undefined) await this.#addStates();
    this.#preparedFor = session.client;
  }

  async #addStates(): Promise<void> {
    const path = this.#statesPath;
    if (!existsSync(path)) await createStates(path);
    await this.#engine.blockNodes.add(nodeOver(stateNode, null, path));
  }

  #nodes(): string[] {
    return [stateNode, ...this.#media.writableNodes.map(({ node }) => node['node-name'])];
  }

  #refuseRawDisks(): void {
    const raw = this.#media.writableNodes.find(({ node }) => node.driver === 'raw');
    if (!raw) return;
    throw new MachineError(
      'UNAVAILABLE',
      `${raw.source} is a raw image that is written directly; it cannot hold snapshots.`,
      'Leave "write" out of its entry in "drives", or convert it to qcow2.',
    );
  }

  async #info(name: string, known?: number): Promise<SnapshotInfo> {
    const { tag, virtualMs } = this.#find(name);
    const bytes = known ?? (await this.#size(tag));
    return { name, bytes, time: `${(virtualMs / 1000).toFixed(1)} s` };
  }

  async #size(tag: string): Promise<number> {
    const { session } = this.#engine;
    const stored = session.isOver ? undefined : await storedSnapshots(session, stateNode);
    const bytes = stored?.get(tag) ?? 0;
    this.#bytesOf.set(tag, bytes);
    return bytes;
  }

  #find(name: string): SnapshotRecord {
    const record = this.#records.get(name);
    if (record) return record;
    const names = [...this.#records.keys()];
    throw new MachineError(
      'NOT_FOUND',
      `There is no snapshot ${JSON.stringify(name.slice(0, 60))}.`,
      names.length > 0 ? `There are: ${names.join(', ')}.` : advice`Save one with ${call('snapshot_save')}.`,
    );
  }
}

/** Boards without a version in their name may change from one QEMU to the next. */
function otherVersion(savedBy: string, present: string): string | undefined {
  if (savedBy === present || savedBy === '') return undefined;
  return `It was saved by QEMU ${savedBy}, and this is ${present}: let the server use that one, with --qemu-dir.`;
}

/** An empty image for states; nothing of it is ever a disk. */
export function createStates(path: string): Promise<void> {
  return createQcow2(path, { sizeBytes: stateDiskBytes, clusterBits: stateClusterBits });
}
