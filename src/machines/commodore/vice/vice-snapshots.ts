import { commands, pathText } from '../../../links/vice/wire.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotImage, SnapshotInfo } from '../../../machine/snapshots.ts';
import { NamedSnapshots } from '../../shared/named-snapshots.ts';
import type { ViceFolder } from './launch/vice-folder.ts';
import type { ViceEngine } from './vice-engine.ts';
import { off, type ViceSession } from './vice-session.ts';

/** A machine with 16 MiB of expansion, and what is on its disks. */
const mostBytes = 64 * 1024 * 1024;
/** VICE takes three seconds for the first. */
const dumpMs = 30_000;
const vsfPart = 'vsf';

interface Kept {
  readonly bytes: Uint8Array;
  readonly frame: number;
}

interface SnapshotParts {
  readonly session: ViceSession;
  readonly engine: ViceEngine;
  readonly folder: ViceFolder;
  /** What runs must be the same where it goes on. */
  readonly model: Readonly<Record<string, string>>;
  /** In the machine's words. */
  time(): string;
}

/** VICE's own snapshot files (VSF), kept in memory under names. */
export class ViceSnapshots implements SnapshotCapability {
  readonly #parts: SnapshotParts;
  readonly #kept = new NamedSnapshots<Kept>();

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { engine, time } = this.#parts;
    const bytes = await engine.exclusively(() => this.dump());
    const { frame } = engine;
    return this.#kept.save({ name, bytes: bytes.length, time: time() }, () => ({ bytes, frame }));
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const { info, kept } = this.#kept.find(name);
    await this.become(kept.bytes, kept.frame);
    return info;
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return this.#kept.list();
  }

  async delete(name: string): Promise<void> {
    this.#kept.delete(name);
  }

  async fork(name: string): Promise<Fork> {
    const { info, kept } = this.#kept.find(name);
    const { model } = this.#parts;
    return { image: { options: {}, model, time: info.time, facts: {}, parts: new Map([[vsfPart, kept.bytes]]) } };
  }

  async unpack({ model, parts }: SnapshotImage, from: 'here' | 'elsewhere'): Promise<void> {
    const bytes = parts.get(vsfPart);
    if (from === 'elsewhere' || bytes === undefined) {
      const message =
        'VICE does not validate snapshot files, so only snapshots taken by this server are loaded into it.';
      throw new MachineError('DENIED', message, advice`Take one here with ${call('snapshot_save')}.`);
    }
    for (const [name, value] of Object.entries(this.#parts.model)) {
      if (model[name] === value) continue;
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The snapshot is of a machine with a different ${name}: ${model[name]}, but this one has ${value}.`,
        'Start a machine with the same settings.',
      );
    }
    await this.become(bytes);
  }

  /** As VICE writes it; whoever calls has the turn. */
  async dump(): Promise<Uint8Array> {
    const { session, folder } = this.#parts;
    const path = folder.fresh('.vsf');
    try {
      // Without ROMs, with what is on the disks.
      await session.ask(commands.dump, [0, 1, ...pathText(path)], dumpMs);
      if ((await folder.size(path)) === 0) throw wroteElsewhere();
      return await folder.read(path, mostBytes);
    } finally {
      await folder.remove(path);
    }
  }

  async become(bytes: Uint8Array, frame?: number): Promise<void> {
    const { engine, session, folder } = this.#parts;
    await engine.interrupted(async () => {
      const path = folder.fresh('.vsf');
      try {
        await folder.writeTo(path, bytes);
        await session.ask(commands.undump, pathText(path), dumpMs).catch((error: unknown) => {
          // With some cartridges it never comes back, and nothing else is answered.
          if (!(error instanceof MachineError) || error.type !== 'UNAVAILABLE') throw error;
          const reason = 'VICE hung while it read one of its own snapshots';
          session.abandon(reason);
          throw off(reason);
        });
      } finally {
        await folder.remove(path);
      }
      await session.look();
      if (frame !== undefined) engine.frame = frame;
    });
  }
}

/** VICE says that it has written a file, and there is none where it was told to. */
function wroteElsewhere(): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    'VICE wrote its snapshot where this server cannot read it: it runs on another computer, or as another user.',
    advice`Start VICE here with ${call('machine_start', { kind: 'vice' })}; without a snapshot everything else works as before.`,
  );
}
