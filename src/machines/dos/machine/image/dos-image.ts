import { z } from 'zod';
import { MachineError } from '../../../../machine/errors.ts';
import type { SnapshotImage } from '../../../../machine/snapshots.ts';
import type { TimeSlice } from '../../../shared/time-slice.ts';
import type { ServicesState } from '../../board/dos-system.ts';
import type { Drive } from '../../drives/drive.ts';
import { Disk } from '../../drives/fat/disk.ts';
import { FatDrive } from '../../drives/fat/fat-drive.ts';
import type { SavedDrive, SavedImage } from '../../drives/saved-drive.ts';
import { TreeDrive } from '../../drives/tree-drive.ts';
import { emptySource } from '../../drives/tree-source.ts';
import type { SavedLetter } from '../../services/dos/drive-table.ts';
import { guestDiskShape, layoutShape, plainJson, servicesShape } from './services-shape.ts';
import { packTree, unpackTree } from './tree-part.ts';

/** What the machine does when it is started anew. */
export interface DosSession {
  /** What the command interpreter runs first. */
  readonly commands: readonly string[];
  readonly bootFrom: number | undefined;
}

/** What is in a slot of the machine. */
export interface DosMediaRecord {
  readonly name: string;
  readonly changed: boolean;
}

/** A snapshot of a DOS machine as it is kept. */
export interface DosContent {
  readonly state: Uint8Array;
  readonly services: ServicesState;
  readonly session: DosSession;
  readonly media: Readonly<Record<string, DosMediaRecord>>;
  /** Names of the services that programs reach by callbacks, in their order. */
  readonly stubs: readonly string[];
}

/** The same as it was read, with the drives and disks that hold what it says. */
export interface UnpackedDos extends DosContent {
  readonly drives: ReadonlyMap<number, Drive>;
  readonly disks: ReadonlyMap<number, Disk>;
}

const drivesMost = 26;
const copiedAtOnce = 1024 * 1024;
/** Read at once; a machine at work has some thousand. */
const longestServices = 256 * 1024;
const letter = z
  .number()
  .int()
  .min(0)
  .max(drivesMost - 1);
const diskNumber = z.number().int().min(0).max(255);
const name = z.string().max(1000);

const letterShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tree'), letter, kind: z.enum(['folder', 'zip']), label: z.string().max(11) }),
  z.strictObject({ type: z.literal('image'), letter, disk: diskNumber, layout: layoutShape }),
  z.strictObject({ type: z.literal('driver'), letter, state: guestDiskShape }),
]);

/** Letters of drives whose media can be changed. */
const slots = Array.from({ length: 22 }, (_, index) => String.fromCharCode(0x61 + index));

const factsShape = z.strictObject({
  letters: z.array(letterShape).max(drivesMost),
  disks: z.array(z.strictObject({ number: diskNumber, readOnly: z.boolean() })).max(16),
  media: z.partialRecord(z.enum(slots), z.strictObject({ name, changed: z.boolean() })),
  commands: z.array(z.string().max(256)).max(100),
  bootFrom: diskNumber.nullable(),
  stubs: z.array(z.string().max(64)).max(256),
});

type Facts = z.input<typeof factsShape>;
type Letter = Facts['letters'][number];

/** Everything but `options` and `model`. Disks are whole in it; of trees what was not changed stays with their source. */
export async function packDos(
  { state, services, session, media, stubs }: DosContent,
  slice: TimeSlice,
): Promise<Pick<SnapshotImage, 'facts' | 'parts'>> {
  const { dos, disks, ...others } = services;
  const { drives, ...kernel } = dos;
  const parts = new Map([
    ['state', state],
    ['services', new TextEncoder().encode(plainJson({ ...others, dos: kernel }))],
  ]);
  const letters: Letter[] = [];
  for (const [index, saved] of drives.entries()) {
    if (saved === undefined) continue;
    const { kind, state: drive, layout } = saved;
    if (drive.type === 'tree' && (kind === 'folder' || kind === 'zip')) {
      const { nodes, files } = await packTree(drive.tree, slice);
      parts.set(`nodes.${index}`, nodes).set(`files.${index}`, files);
      letters.push({ type: 'tree', letter: index, kind, label: drive.label });
    } else if (drive.type === 'image' && layout) {
      const disk = disks.find(([, content]) => content === drive)?.[0];
      if (disk === undefined) throw new Error(`drive ${index} is on no disk`);
      letters.push({ type: 'image', letter: index, disk, layout });
    } else if (drive.type === 'driver') {
      letters.push({ type: 'driver', letter: index, state: JSON.parse(plainJson(drive)) as never });
    }
  }
  const facts: Facts = {
    letters,
    disks: disks.map(([number, content]) => ({ number, readOnly: imageOf(content).readOnly })),
    media: { ...media },
    commands: [...session.commands],
    bootFrom: session.bootFrom ?? null,
    stubs: [...stubs],
  };
  for (const [number, content] of disks) parts.set(`disk.${number}`, await wholeOf(imageOf(content), slice));
  return { facts, parts };
}

/** Refuses what no machine here has written. `treeAt`: a drive that has the source of what the snapshot has not. */
export async function unpackDos(
  { facts, parts }: SnapshotImage,
  treeAt: (letter: number) => Drive | undefined,
  slice: TimeSlice,
): Promise<UnpackedDos> {
  const said = checked('facts', factsShape, facts);
  const part = (wanted: string) => {
    const bytes = parts.get(wanted);
    if (!bytes) throw damagedDos(`${wanted} is missing`);
    return bytes;
  };
  const text = part('services');
  if (text.length > longestServices) throw damagedDos('services are too long');
  const { dos, ...others } = checked('services', servicesShape, parsed('services', text));
  await slice.next();
  const disks = new Map(
    said.disks.map(({ number, readOnly }) => [
      number,
      attempt(`disk ${number}`, () => new Disk(part(`disk.${number}`), { readOnly })),
    ]),
  );
  const drives = new Map<number, Drive>();
  const letters: SavedLetter[] = Array.from({ length: drivesMost }, () => undefined);
  for (const each of said.letters) {
    if (letters[each.letter]) throw damagedDos(`drive ${each.letter} is there twice`);
    letters[each.letter] = await unpackLetter(each, disks, drives, part, treeAt, slice);
  }
  return {
    state: part('state'),
    services: {
      ...others,
      dos: { ...dos, drives: letters },
      disks: [...disks].map(([number, disk]) => [number, disk.save()]),
    },
    session: { commands: said.commands, bootFrom: said.bootFrom ?? undefined },
    media: Object.fromEntries(Object.entries(said.media).flatMap(([slot, medium]) => (medium ? [[slot, medium]] : []))),
    stubs: said.stubs,
    drives,
    disks,
  };
}

async function unpackLetter(
  said: z.output<typeof letterShape>,
  disks: ReadonlyMap<number, Disk>,
  drives: Map<number, Drive>,
  part: (name: string) => Uint8Array,
  treeAt: (letter: number) => Drive | undefined,
  slice: TimeSlice,
): Promise<SavedLetter> {
  switch (said.type) {
    case 'driver':
      return { kind: 'driver', state: said.state };
    case 'image': {
      const disk = disks.get(said.disk);
      if (!disk) throw damagedDos(`there is no disk ${said.disk}`);
      const { layout } = said;
      if (layout.firstSector < 0 || layout.firstSector >= disk.sectors) throw damagedDos('a volume is not on its disk');
      drives.set(
        said.letter,
        attempt('a volume', () => new FatDrive(disk, layout)),
      );
      return { kind: 'image', state: disk.save(), layout };
    }
    case 'tree': {
      const { kind, label } = said;
      const own = treeAt(said.letter);
      const drive = own instanceof TreeDrive && own.kind === kind ? own : new TreeDrive(emptySource(kind), label);
      const packed = { nodes: part(`nodes.${said.letter}`), files: part(`files.${said.letter}`) };
      const tree = await unpackTree(packed, slice).catch((error: unknown) => {
        throw damagedDos(`drive ${said.letter}: ${reasonOf(error)}`);
      });
      drives.set(said.letter, drive);
      return { kind, state: { type: 'tree', tree, label } };
    }
  }
}

function imageOf(saved: SavedDrive): SavedImage {
  if (saved.type === 'image') return saved;
  throw new Error(`a disk is not a ${saved.type}`);
}

async function wholeOf({ content, length }: SavedImage, slice: TimeSlice): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += copiedAtOnce) {
    bytes.set(content.read(at, Math.min(copiedAtOnce, length - at)), at);
    if (slice.isOver) await slice.next();
  }
  return bytes;
}

function checked<T>(what: string, shape: z.ZodType<T>, value: unknown): T {
  const { data, error } = shape.safeParse(value);
  if (error) throw damagedDos(`${what}.${reasonOf(error)}`);
  return data;
}

function parsed(what: string, bytes: Uint8Array): unknown {
  return attempt(what, () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
}

function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw damagedDos(`${what}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`;
  return error instanceof Error ? error.message : String(error);
}

export function damagedDos(why: string): MachineError {
  const message = `The snapshot is damaged: ${why.slice(0, 300)}.`;
  return new MachineError('INVALID_ARGUMENT', message, 'Save it again on the machine it came from.');
}
