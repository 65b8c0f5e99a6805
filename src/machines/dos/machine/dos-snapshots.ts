import { createHash } from 'node:crypto';
import { momentOfNothing } from '../../../chips/x86/graph/moment.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Fork, SnapshotCapability, SnapshotImage, SnapshotInfo } from '../../../machine/snapshots.ts';
import { NamedSnapshots } from '../../shared/named-snapshots.ts';
import { nextTurn, TimeSlice, unlessAborted } from '../../shared/time-slice.ts';
import { pcLayout } from '../board/pc-layout.ts';
import { DosError } from '../drives/dos-error.ts';
import type { SavedTree } from '../drives/saved-drive.ts';
import { TreeDrive } from '../drives/tree-drive.ts';
import { buildBiosRom } from '../services/bios/rom.ts';
import { tryDosSafely } from '../workshop/try-dos-safely.ts';
import type { DosEngine } from './dos-engine.ts';
import type { DosMedia } from './dos-media.ts';
import type { DosMoment } from './dos-timeline.ts';
import { type DosContent, damagedDos, packDos, unpackDos } from './image/dos-image.ts';
import { refuseUnfit } from './image/refuse-unfit.ts';

/** How a machine was started, for snapshots that leave it. */
export interface DosOrigin {
  /** Options that make another of its sort, with no drives and nothing to run. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The same for one in this process, put over the options of this machine: folders and zip files stay with it. */
  readonly fork: Readonly<Record<string, unknown>>;
  /** Options that were given and that a snapshot from elsewhere would make void. */
  readonly ownContent: readonly string[];
}

interface Saved extends Omit<DosContent, 'state' | 'services'> {
  readonly moment: DosMoment;
}

/** Of all drives together in a file. */
const mostDriveBytes = 96 * 1024 * 1024;
/** Rises when services keep their state in another form. */
const servicesVersion = '3';

/** Named copies of the whole state, drives included. */
export class DosSnapshots implements SnapshotCapability {
  readonly #engine: DosEngine;
  readonly #media: DosMedia;
  readonly #origin: DosOrigin;
  readonly #saved = new NamedSnapshots<Saved>();

  constructor(engine: DosEngine, media: DosMedia, origin: DosOrigin) {
    this.#engine = engine;
    this.#media = media;
    this.#origin = origin;
  }

  async save(name: string): Promise<SnapshotInfo> {
    const { timeline, now } = this.#engine;
    return this.#save(name, now, () => timeline.save());
  }

  async saveAt(name: string, time: number, signal: AbortSignal): Promise<SnapshotInfo> {
    unlessAborted(signal)();
    const { time: at, moment } = this.#engine.keyframeAt(time);
    return this.#save(name, at, () => moment);
  }

  /** At a breakpoint, of which the newest few are kept. Answers the name, or why nothing was saved. */
  saveAtHit(breakpoint: number, hit: number): string {
    const { timeline, now } = this.#engine;
    return this.#saved.saveAtHit(breakpoint, hit, (name) => this.#save(name, now, () => timeline.save()));
  }

  #save(name: string, now: number, moment: () => DosMoment): SnapshotInfo {
    const { system } = this.#engine;
    const kept = this.#saved.all;
    // What was written to drives since the last one is there twice.
    const written = kept.reduce((most, { moment }) => Math.max(most, moment.copiedBytes), 0);
    const bytes = system.board.bytes.length + Math.max(0, kept.length > 0 ? system.copiedBytes - written : 0);
    const time = `instruction ${now.toLocaleString('en-US')}`;
    return this.#saved.save({ name, bytes, time, at: now }, () => ({
      moment: moment(),
      session: system.session,
      media: this.#media.record(),
      stubs: system.isOwnDos ? system.stubNames : [],
    }));
  }

  async restore(name: string): Promise<SnapshotInfo> {
    const { info, kept } = this.#saved.find(name);
    await this.#enter(kept.moment);
    return info;
  }

  async list(): Promise<readonly SnapshotInfo[]> {
    return this.#saved.list();
  }

  async delete(name: string): Promise<void> {
    this.#saved.delete(name);
  }

  async fork(name: string): Promise<Fork> {
    const { info, kept } = this.#saved.find(name);
    return {
      options: { ...this.#origin.fork, ...this.#media.discsOf(kept.media) },
      image: await this.#pack(kept, info.time),
    };
  }

  async pack(name: string): Promise<SnapshotImage> {
    const { info, kept } = this.#saved.find(name);
    return this.#pack({ ...kept, moment: await this.#whole(kept.moment) }, info.time);
  }

  async unpack(image: SnapshotImage, from: 'here' | 'elsewhere', signal: AbortSignal): Promise<void> {
    const { system } = this.#engine;
    const slice = new TimeSlice(unlessAborted(signal));
    if (from === 'elsewhere') {
      this.#refuseOther(image);
      const problem = await tryDosSafely({ options: system.traits, image }, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return error instanceof Error ? error.message : String(error);
      });
      if (problem !== undefined) throw damagedDos(problem.replace(/^The snapshot is damaged: |\.$/g, ''));
    }
    const drives = system.kernel.dos.drives;
    const content = await unpackDos(image, (letter) => (from === 'here' ? drives.find(letter) : undefined), slice);
    refuseUnfit(system, content);
    const { state, services, media } = content;
    const letGo = await this.#engine.hold();
    try {
      system.equip(content.session, content.drives, content.disks);
      await this.#enter({ state, services, graph: momentOfNothing(), copiedBytes: system.copiedBytes });
      this.#media.recall(media);
    } finally {
      letGo();
    }
  }

  async peek(name: string, space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { state } = this.#saved.find(name).kept.moment;
    if (space !== 'cpu') {
      const message = `A snapshot can only be read as cpu, not as ${space}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Leave space out.');
    }
    const first = this.#engine.system.board.layout.offsets.ram + Number(address);
    return state.slice(first, first + length);
  }

  async #pack({ moment, ...rest }: Saved, time: string): Promise<SnapshotImage> {
    const { state, services } = moment;
    const { options } = this.#origin;
    return { options, model, time, ...(await packDos({ state, services, ...rest }, new TimeSlice())) };
  }

  /** With everything that folders and zip files still have to give: on another computer there is no such folder. */
  async #whole(moment: DosMoment): Promise<DosMoment> {
    const { services } = moment;
    const table = this.#engine.system.kernel.dos.drives;
    const slice = new TimeSlice();
    let left = mostDriveBytes - services.disks.reduce((sum, [, disk]) => sum + lengthOf(disk), 0);
    const room = (size: number) => {
      left -= size;
      if (left < 0) throw tooLarge();
    };
    room(0);
    const drives = [];
    for (const [letter, saved] of services.dos.drives.entries()) {
      const drive = table.find(letter);
      const isTree = saved?.state.type === 'tree' && drive instanceof TreeDrive;
      drives.push(isTree ? { ...saved, state: await wholeTree(drive, letter, saved.state as SavedTree) } : saved);
    }
    return { ...moment, services: { ...services, dos: { ...services.dos, drives } } };

    async function wholeTree(drive: TreeDrive, letter: number, saved: SavedTree): Promise<SavedTree> {
      try {
        return await drive.whole(saved, slice, room);
      } catch (error) {
        if (!(error instanceof DosError)) throw error;
        const message = `Drive ${letterOf(letter)}: cannot be read completely: ${error.message}.`;
        throw new MachineError('WRONG_STATE', message, 'Make all of its files readable, or leave "path" out.');
      }
    }
  }

  #refuseOther({ options, model: wanted }: SnapshotImage): void {
    const { ownContent, options: own } = this.#origin;
    if (ownContent.length > 0) {
      const message = `A snapshot brings its own drives and programs, so ${ownContent.join(', ')} would have no effect.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Leave out ${ownContent.join(', ')}.`);
    }
    const others = Object.keys(own).filter((name) => JSON.stringify(options[name]) !== JSON.stringify(own[name]));
    if (others.length > 0) {
      const message = `The snapshot is of a machine with a different ${others.join(', ')}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Leave out ${others.join(', ')}.`);
    }
    if (Object.entries(model).every(([name, value]) => wanted[name] === value)) return;
    throw new MachineError(
      'INVALID_ARGUMENT',
      'The snapshot was saved by another version of this program, whose BIOS, DOS or chips differ.',
      'Start it with the version that saved it.',
      { wanted, found: model },
    );
  }

  async #enter(moment: DosMoment): Promise<void> {
    const { system, timeline } = this.#engine;
    if (moment.state.length !== system.board.bytes.length) {
      const message = 'The snapshot is of a machine with a different amount of memory.';
      throw new MachineError('INVALID_ARGUMENT', message, 'Start one with the same options.');
    }
    const letGo = await this.#engine.hold();
    try {
      timeline.restore(moment);
      // Each of the two goes through all memory and the whole graph.
      await nextTurn();
      this.#engine.replaced();
    } finally {
      letGo();
    }
  }
}

const hashOf = (content: Uint8Array | string) => createHash('sha1').update(content).digest('hex');

/** What must be the same for a state to mean the same: programs in it call into our ROM, and chips find their words in it. */
const model = {
  rom: hashOf(buildBiosRom()),
  services: servicesVersion,
  layout: hashOf(JSON.stringify(pcLayout(0).fields)),
} as const;

const lengthOf = (saved: { readonly type: string; readonly length?: number }) => saved.length ?? 0;
const letterOf = (number: number) => String.fromCharCode(65 + number);

function tooLarge(): MachineError {
  const message = `Its drives hold more than ${mostDriveBytes >> 20} MiB, which is the limit for a snapshot in a file.`;
  return new MachineError('LIMIT_REACHED', message, 'Start it with a smaller folder, or leave path out.');
}
