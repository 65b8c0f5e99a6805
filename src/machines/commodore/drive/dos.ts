import { type DirectoryEntry, matchesName, paddedName } from '../../../formats/commodore/media/directory-entry.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import type { DiskSlot } from './disk-slot.ts';
import { DosChannel } from './dos-channel.ts';
import { commandText, executeCommand } from './dos-commands.ts';
import {
  buffersOfDrive,
  bytesOfDrive,
  commandBytes,
  type DriveWords,
  driveFields as f,
  fileChannels,
  wordsOfChannel,
} from './drive-state.ts';
import { DriveStatus } from './drive-status.ts';
import { type FileRequest, hasWildcards, parseFileRequest, textOf } from './file-name.ts';
import { RelativeFile } from './relative-file.ts';

const commandChannel = 15;
const loadChannel = 0;
const saveChannel = 1;

/**
 * CBM DOS as programs see it: files by name, the directory, single blocks, commands and the error channel.
 * Failures never throw; they go to the error channel.
 */
export class Dos {
  readonly slot: DiskSlot;
  readonly status: DriveStatus;
  readonly askedToRun: () => void;
  readonly #words: DriveWords;
  readonly #line: Uint8Array;
  readonly #channels: readonly DosChannel[];

  constructor(words: DriveWords, slot: DiskSlot, askedToRun: () => void = () => {}) {
    this.slot = slot;
    this.askedToRun = askedToRun;
    this.status = new DriveStatus(words);
    this.#words = words;
    this.#line = bytesOfDrive(words, f.command, commandBytes);
    this.#channels = Array.from(
      { length: fileChannels },
      (_, channel) => new DosChannel(words, wordsOfChannel(words, channel), slot),
    );
  }

  /** Files that were being written stay unclosed on the disk, as when the power goes. */
  restart(): void {
    for (const channel of this.#channels) channel.drop();
    this.#words[f.commandLength] = 0;
    this.status.powerUp();
  }

  get isBusy(): boolean {
    return this.#channels.some(({ isOpen }) => isOpen);
  }

  // ---- bytes from and to the bus

  /** A byte of a name or of a command. */
  append(byte: number): void {
    const length = this.#words[f.commandLength];
    if (length < commandBytes) this.#line[length] = byte;
    this.#words[f.commandLength] = length + 1;
  }

  /** The name or the command is complete. */
  finishLine(channel: number): void {
    const length = this.#words[f.commandLength];
    this.#words[f.commandLength] = 0;
    if (length === 0) return;
    this.#attempt(() => {
      if (length > commandBytes) throw new DiskError(32);
      const line = this.#line.slice(0, length);
      if (channel === commandChannel) executeCommand(this, commandText(line));
      else this.#open(channel, textOf(line));
    });
  }

  acceptsData(channel: number): boolean {
    return channel === commandChannel || this.#channels[channel]?.isWritable === true;
  }

  /** False if the byte could not be stored. */
  write(channel: number, byte: number, isLast: boolean): boolean {
    const found = this.#channels[channel];
    // A record that is too short is reported, and the rest of it still taken off the bus.
    return this.#attempt(() => found?.write(byte, isLast), false) || found?.isRelative === true;
  }

  /** The byte to be sent next, plus $100 with the last one; -1 if there is none. */
  next(channel: number): number {
    if (channel === commandChannel) return this.status.next();
    let byte = -1;
    this.#attempt(() => {
      byte = this.#channels[channel]?.next() ?? -1;
    }, false);
    return byte;
  }

  taken(channel: number): void {
    if (channel === commandChannel) this.status.taken();
    else this.#channels[channel]?.taken();
  }

  /** Closing the command channel closes all files. */
  close(channel: number): void {
    if (channel === commandChannel) this.closeAll();
    else this.#attempt(() => this.#channels[channel]?.close(), false);
  }

  closeAll(): void {
    for (let channel = 0; channel < fileChannels; channel += 1) this.close(channel);
  }

  #attempt(action: () => void, isNew = true): boolean {
    if (isNew) this.status.set(0);
    try {
      action();
      return true;
    } catch (problem) {
      if (!(problem instanceof DiskError)) throw problem;
      // What was done before it failed is on the disk.
      this.slot.changed();
      this.status.set(problem.code, problem.track, problem.sector);
      return false;
    }
  }

  // ---- for commands

  report(code: number, track = 0, sector = 0): void {
    this.status.set(code, track, sector);
  }

  directChannel(channel: number): DosChannel {
    const found = this.#channels[channel];
    if (found?.isDirect !== true) throw new DiskError(70);
    return found;
  }

  relativeChannel(channel: number): DosChannel {
    const found = this.#channels[channel];
    if (found?.isRelative !== true) throw new DiskError(70);
    return found;
  }

  // ---- opening

  #open(number: number, text: string): void {
    const channel = this.#channels[number];
    if (!channel) throw new DiskError(70);
    channel.close();
    const buffer = this.#freeBuffer();
    if (text.startsWith('#')) channel.openDirect(wantedBuffer(text, this.#isFree) ?? buffer);
    else if (text.startsWith('$')) this.#openDirectory(number, channel, buffer, text);
    else this.#openFile(number, channel, buffer, parseFileRequest(text));
  }

  /** Channel 0 gets the directory as a BASIC program, the others the blocks it is made of. */
  #openDirectory(number: number, channel: DosChannel, buffer: number, pattern: string): void {
    if (number === loadChannel) channel.openListing(buffer, pattern);
    else channel.openForReading(buffer, { track: this.slot.disk.image.geometry.directoryTrack, sector: 0 });
  }

  #openFile(number: number, channel: DosChannel, buffer: number, request: FileRequest): void {
    if (request.recordLength !== undefined) {
      this.#openRelative(channel, buffer, request.name, request.recordLength);
      return;
    }
    const mode = number === saveChannel ? 'W' : number === loadChannel ? 'R' : (request.mode ?? 'R');
    const type = request.type ?? (number <= saveChannel ? 'PRG' : undefined);
    if (mode === 'W') {
      this.#openForWriting(channel, buffer, request, type ?? 'SEQ');
      return;
    }
    const entry = this.#find(request.name, type);
    if (!entry.closed && mode !== 'M') throw new DiskError(60);
    if (entry.type === 'REL') {
      if (number <= saveChannel || mode === 'A') throw new DiskError(64);
      channel.openRelative(buffer, entry);
    } else if (mode === 'A') channel.openForAppending(buffer, entry);
    else channel.openForReading(buffer, entry);
  }

  /** A file that does not exist is made, if the length of its records is known. */
  #openRelative(channel: DosChannel, buffer: number, name: Uint8Array, recordLength: number): void {
    const existing = this.slot.disk.directory().find(({ rawName }) => matchesName(name, rawName));
    if (existing && existing.type !== 'REL') throw new DiskError(64);
    if (existing && recordLength !== 0 && recordLength !== existing.recordLength) throw new DiskError(50);
    if (existing) {
      channel.openRelative(buffer, existing);
      return;
    }
    if (recordLength === 0 || recordLength === 255) throw new DiskError(62);
    if (hasWildcards(name)) throw new DiskError(33);
    const made = RelativeFile.create(this.slot.writable, name, recordLength);
    this.slot.changed();
    channel.openRelative(buffer, made);
  }

  #openForWriting(channel: DosChannel, buffer: number, request: FileRequest, type: 'SEQ' | 'PRG' | 'USR'): void {
    if (hasWildcards(request.name)) throw new DiskError(33);
    const { writable } = this.slot;
    const existing = writable.directory().find(({ rawName }) => isSameName(request.name, rawName));
    if (existing && !request.replace) throw new DiskError(63);
    if (existing && !existing.closed) throw new DiskError(60);
    channel.openForWriting(buffer, request.name, type, existing);
  }

  #find(name: Uint8Array, type: DirectoryEntry['type'] | undefined): DirectoryEntry {
    const matching = this.slot.disk.directory().filter(({ rawName }) => matchesName(name, rawName));
    if (matching.length === 0) throw new DiskError(62);
    const entry = matching.find((each) => type === undefined || each.type === type);
    if (!entry || entry.track === 0) throw new DiskError(64);
    return entry;
  }

  #freeBuffer(): number {
    for (let buffer = 0; buffer < buffersOfDrive; buffer += 1) if (this.#isFree(buffer)) return buffer;
    throw new DiskError(70);
  }

  readonly #isFree = (buffer: number): boolean => this.#channels.every((channel) => channel.buffer !== buffer);
}

/** `#2` asks for a buffer by its number. */
function wantedBuffer(text: string, isFree: (buffer: number) => boolean): number | undefined {
  const wanted = /^#(\d+)/.exec(text)?.[1];
  if (wanted === undefined) return undefined;
  const buffer = Number(wanted);
  if (buffer >= buffersOfDrive || !isFree(buffer)) throw new DiskError(70);
  return buffer;
}

function isSameName(name: Uint8Array, rawName: Uint8Array): boolean {
  return textOf(paddedName(name)) === textOf(paddedName(rawName));
}
