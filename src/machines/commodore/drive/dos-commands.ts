import { concatBytes } from '../../../formats/commodore/media/byte-fields.ts';
import type { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { type DirectoryEntry, type FileType, matchesName } from '../../../formats/commodore/media/directory-entry.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import type { DiskSlot } from './disk-slot.ts';
import type { DosChannel } from './dos-channel.ts';
import { readBlock } from './file-chain.ts';
import { bareName, bytesOf, hasWildcards, textOf } from './file-name.ts';

/** What a command can reach. */
export interface CommandTarget {
  readonly slot: DiskSlot;
  directChannel(channel: number): DosChannel;
  relativeChannel(channel: number): DosChannel;
  closeAll(): void;
  report(code: number, track?: number, sector?: number): void;
  restart(): void;
  /** It was asked to run a program of its own, for which it would need a processor. */
  askedToRun(): void;
}

type Command = (target: CommandTarget, rest: string) => void;

/** By how they begin; the first that fits is taken. */
const commands: readonly (readonly [RegExp, Command])[] = [
  [/^I/, initialize],
  [/^N[^:]*:/, format],
  [/^S[^:]*:/, scratch],
  [/^R[^:]*:/, rename],
  [/^C[^:]*:/, copy],
  [/^V/, validate],
  [/^P/, (target, rest) => position(target, bytesOf(rest))],
  [/^U[1A]/, (target, rest) => readSector(target, numbers(rest))],
  [/^U[2B]/, (target, rest) => writeSector(target, numbers(rest))],
  [/^UI[+-]/, () => {}],
  [/^U[9IJ:]/, (target) => target.restart()],
  [/^B[^-]*-P/, (target, rest) => bufferPointer(target, numbers(rest))],
  [/^B[^-]*-R/, (target, rest) => blockRead(target, numbers(rest))],
  [/^B[^-]*-W/, (target, rest) => blockWrite(target, numbers(rest))],
  [/^B[^-]*-A/, (target, rest) => blockAllocate(target, numbers(rest))],
  [/^B[^-]*-F/, (target, rest) => blockFree(target, numbers(rest))],
];

/** M-E, B-E, U3 to U8 and the utility loader: code for the drive's processor. */
const programs = /^(M-E|B[^-]*-E|U[3-8C-H]|&)/;

/** Executes a line that was sent to the command channel. */
export function executeCommand(target: CommandTarget, text: string): void {
  for (const [beginning, command] of commands) {
    const match = beginning.exec(text);
    if (!match) continue;
    command(target, text.slice(match[0].length));
    return;
  }
  if (programs.test(text)) target.askedToRun();
  throw new DiskError(31);
}

/** `U1:2,0,18,1` and `B-P 2 128`: any other character separates. */
function numbers(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function newName(text: string): Uint8Array {
  const name = bareName(text);
  if (hasWildcards(name)) throw new DiskError(33);
  return name;
}

function initialize(target: CommandTarget): void {
  void target.slot.disk;
  target.closeAll();
}

function format(target: CommandTarget, rest: string): void {
  const disk = target.slot.writable;
  const [name = '', id] = rest.split(',');
  target.closeAll();
  formatDisk(disk, bytesOf(name), id === undefined ? undefined : bytesOf(id));
  target.slot.changed();
}

/** Without an id the old one stays. */
function formatDisk(disk: CommodoreDisk, name: Uint8Array, id: Uint8Array | undefined): void {
  const { directoryTrack, nameOffset, idOffset } = disk.image.geometry;
  const header = disk.image.sector(directoryTrack, 0);
  const newId = id?.slice(0, 2) ?? header.slice(idOffset, idOffset + 2);
  disk.format('', '');
  header.set(name.subarray(0, 16), nameOffset);
  header.set(newId, idOffset);
}

function scratch(target: CommandTarget, rest: string): void {
  const disk = target.slot.writable;
  let count = 0;
  for (const pattern of rest.split(',')) count += disk.scratch(bareName(pattern));
  target.slot.changed();
  target.report(1, Math.min(count, 99));
}

function splitAssignment(rest: string): readonly [string, string] {
  const at = rest.indexOf('=');
  if (at < 0) throw new DiskError(30);
  return [rest.slice(0, at), rest.slice(at + 1)];
}

function rename(target: CommandTarget, rest: string): void {
  const [to, from] = splitAssignment(rest);
  target.slot.writable.rename(bareName(from), newName(to));
  target.slot.changed();
}

function copy(target: CommandTarget, rest: string): void {
  const [to, from] = splitAssignment(rest);
  const disk = target.slot.writable;
  const name = newName(to);
  const sources = from.split(',').map((source) => fileNamed(disk, bareName(source)));
  const type = sources[0]?.type ?? 'PRG';
  if (!isPlain(type)) throw new DiskError(64);
  const parts = sources.map((source) => disk.read(source));
  disk.write(name, concatBytes(parts), type);
  target.slot.changed();
}

function fileNamed(disk: CommodoreDisk, pattern: Uint8Array): DirectoryEntry {
  const entry = disk.directory().find(({ rawName }) => matchesName(pattern, rawName));
  if (!entry) throw new DiskError(62);
  return entry;
}

const isPlain = (type: FileType): type is 'SEQ' | 'PRG' | 'USR' => ['SEQ', 'PRG', 'USR'].includes(type);

function validate(target: CommandTarget): void {
  const disk = target.slot.writable;
  target.closeAll();
  disk.validate();
  target.slot.changed();
}

function readSector(target: CommandTarget, [channel = 0, , track = 0, sector = 0]: readonly number[]): void {
  target.directChannel(channel).load(readBlock(target.slot.disk, track, sector), 0, 255);
}

function writeSector(target: CommandTarget, [channel = 0, , track = 0, sector = 0]: readonly number[]): void {
  const { bytes } = target.directChannel(channel);
  target.slot.writable.image.sector(track, sector).set(bytes);
  target.slot.changed();
}

function bufferPointer(target: CommandTarget, [channel = 0, position = 0]: readonly number[]): void {
  target.directChannel(channel).setPointer(position);
}

/** As U1, but the block's first byte says how many of the others can be read. */
function blockRead(target: CommandTarget, [channel = 0, , track = 0, sector = 0]: readonly number[]): void {
  const block = readBlock(target.slot.disk, track, sector);
  target.directChannel(channel).load(block, 1, block[0] || 255);
}

/** As U2, but the pointer is left in the block's first byte. */
function blockWrite(target: CommandTarget, [channel = 0, , track = 0, sector = 0]: readonly number[]): void {
  const direct = target.directChannel(channel);
  const place = target.slot.writable.image.sector(track, sector);
  direct.bytes[0] = (direct.pointer - 1) & 255;
  place.set(direct.bytes);
  target.slot.changed();
}

function blockAllocate(target: CommandTarget, [, track = 0, sector = 0]: readonly number[]): void {
  const { map, image } = target.slot.writable;
  image.sector(track, sector);
  if (!map.isFree(track, sector)) {
    for (let at = track; at <= image.geometry.mappedTracks; at += 1) {
      for (let each = at === track ? sector : 0; each < image.geometry.sectorsIn(at); each += 1) {
        if (at !== image.geometry.directoryTrack && map.isFree(at, each)) throw new DiskError(65, at, each);
      }
    }
    throw new DiskError(65);
  }
  map.allocate(track, sector);
  target.slot.changed();
}

function blockFree(target: CommandTarget, [, track = 0, sector = 0]: readonly number[]): void {
  const { map, image } = target.slot.writable;
  image.sector(track, sector);
  map.release(track, sector);
  target.slot.changed();
}

/** `P`, channel, record (low, high), position: bytes, the last two counted from 1 and left out for the first. */
function position(target: CommandTarget, [channel = 0, low = 1, high = 0, place = 1]: Uint8Array): void {
  const record = Math.max(1, low | (high << 8));
  target.relativeChannel(channel & 15).position(record - 1, Math.max(1, place) - 1);
}

/** Channel, record and position of P are bytes; any of them may look like a carriage return. */
const positionBytes = 5;

/** A command as it arrives, without the carriage return of PRINT#. */
export function commandText(bytes: Uint8Array): string {
  const text = textOf(bytes);
  return text.startsWith('P') ? text.slice(0, positionBytes) : text.replace(/\r+$/, '');
}
