import { DosError } from '../../drives/dos-error.ts';
import type { DeviceLine } from './config-sys.ts';
import { deviceAttributes } from './devices.ts';
import type { Dos } from './dos.ts';
import { writeDriveParameters } from './drive-parameters.ts';
import { driverCommands, ownBufferBytes, putWord, request, requestAt, wordOf } from './driver-request.ts';
import { type FarPointer, linear, packFar } from './far-pointer.ts';
import { readParameterBlock } from './guest-disk.ts';
import { writeText } from './guest-text.ts';
import { at, dosSegment, drivesMax } from './layout.ts';
import { parseProgram, relocated } from './program-image.ts';

const systemOwner = 8;
const highFirst = 0x80;
const endOfChain = 0xffff;
const breakAt = 0x0e;
const lineAt = 0x12;
/** In the header of a block driver, where others have their name. */
const unitsAt = 0x0a;
/** The text of a line, and CR LF after it. */
const longestLine = 120;
/** List of lists: the console and the clock. */
const consolePointer = 0x0c;
const clockPointer = 0x08;
/** What this DOS has without them. */
const builtIn = new Set(['HIMEM.SYS', 'EMM386.EXE', 'EMM386.SYS', 'ANSI.SYS', 'MOUSE.SYS', 'SETVER.EXE']);

/** A file whose drivers are being asked to make themselves ready. Plain, so that a snapshot is a copy. */
interface Loading {
  readonly line: DeviceLine;
  readonly segment: number;
  readonly paragraphs: number;
  /** Of the header whose turn it is. */
  offset: number;
  /** The header after it, read before it is linked elsewhere. */
  next: number;
  /** Where the drivers end, so far, as a linear address. */
  end: number;
}

export interface StartupState {
  messages: string[];
  lines: DeviceLine[];
  loading: Loading | undefined;
  reopen: boolean;
}

/** What happens between the start of DOS and the command interpreter: drivers of CONFIG.SYS are loaded. */
export class Startup {
  readonly #dos: Dos;
  state: StartupState = emptyState();

  constructor(dos: Dos) {
    this.#dos = dos;
  }

  begin(lines: readonly DeviceLine[], unknown: readonly number[]): void {
    const messages = unknown.map(
      (line) => `Unrecognized command in CONFIG.SYS\r\nError in CONFIG.SYS line ${line}\r\n`,
    );
    this.state = { messages, lines: [...lines], loading: undefined, reopen: false };
  }

  /** Shown before anything else. */
  warn(message: string): void {
    this.state.messages.push(`${message}\r\n`);
  }

  reset(): void {
    this.state = emptyState();
  }

  /** Runs again after each call of a driver, until nothing is left. */
  run(): void {
    const { state } = this;
    for (const message of state.messages.splice(0)) this.#print(message);
    for (;;) {
      if (state.loading === undefined) {
        const line = state.lines.shift();
        if (line === undefined) break;
        state.loading = this.#load(line);
      }
      if (state.loading !== undefined) this.#initialize(state.loading);
    }
    if (state.reopen) this.#reopenStandardHandles();
    state.reopen = false;
  }

  #load(line: DeviceLine): Loading | undefined {
    const { blocks, memory, paths, loader, area } = this.#dos;
    const name = line.path.slice(line.path.lastIndexOf('\\') + 1).toUpperCase();
    if (builtIn.has(name)) return undefined;
    const linked = blocks.linked;
    const high = line.high && blocks.upperHead !== undefined;
    const strategy = high ? highFirst : area.allocationStrategy;
    try {
      const image = parseProgram(loader.readFile(paths.resolve(line.path)));
      if (high) blocks.linked = true;
      const needed = (image.bytes.length + 15) >> 4;
      const paragraphs = blocks.largest(strategy, needed);
      const segment = blocks.allocate(Math.max(needed, paragraphs), systemOwner, strategy);
      blocks.setOwner(segment, systemOwner, name.replace(/\..*$/, ''));
      memory.write(linear(segment, 0), image.type === 'com' ? image.bytes : relocated(image, segment));
      const next = memory.read16(linear(segment, 0));
      return { line, segment, paragraphs: Math.max(needed, paragraphs), offset: 0, next, end: linear(segment, 0) };
    } catch (error) {
      if (!(error instanceof DosError)) throw error;
      const why = error.code === 8 ? 'Not enough memory for' : 'Bad or missing';
      this.#print(`${why} ${line.path}\r\nError in CONFIG.SYS line ${line.line}\r\n`);
      return undefined;
    } finally {
      if (high) blocks.linked = linked;
    }
  }

  /** Asks the driver whose turn it is, and links it once it has answered. */
  #initialize(loading: Loading): void {
    const { memory, devices, drivers } = this.#dos;
    const header = { segment: loading.segment, offset: loading.offset };
    const start = linear(header.segment, header.offset);
    const answer = this.#ask(loading);
    const kept = answer && linear(wordOf(answer, breakAt + 2), wordOf(answer, breakAt));
    if (answer !== undefined && kept !== undefined) {
      loading.end = Math.max(loading.end, kept);
      const isCharacter = (memory.read16(start + 4) & deviceAttributes.character) !== 0;
      const stays = isCharacter || this.#addDrives(header, answer, loading.line);
      if (stays && kept > linear(loading.segment, 0)) this.#link(header);
    }
    drivers.commit();
    if (kept !== undefined && loading.next !== endOfChain && loading.next !== 0) {
      loading.offset = loading.next;
      loading.next = memory.read16(linear(loading.segment, loading.offset));
      return;
    }
    this.state.loading = undefined;
    const used = Math.min(loading.paragraphs, (loading.end - linear(loading.segment, 0) + 15) >> 4);
    if (used > 0) this.#dos.blocks.resize(loading.segment, used);
    else this.#dos.blocks.free(loading.segment);
    this.state.reopen ||= devices.find('CON')?.at.segment !== dosSegment;
  }

  /** Letters for the units of a block driver, which has left words that lead to their parameter blocks. */
  #addDrives(header: FarPointer, answer: readonly number[], { path }: DeviceLine): boolean {
    const { memory, drives, directories } = this.#dos;
    const units = answer[requestAt.units] ?? 0;
    const table = linear(wordOf(answer, requestAt.parameters + 2), wordOf(answer, requestAt.parameters));
    memory.write8(linear(header.segment, header.offset + unitsAt), units);
    for (let unit = 0; unit < units; unit++) {
      const drive = drives.nextFree();
      if (drive >= drivesMax) break;
      const place = linear(wordOf(answer, requestAt.parameters + 2), memory.read16(table + unit * 2));
      const layout = readParameterBlock(memory, place);
      if (layout === undefined || layout.bytesPerSector > ownBufferBytes) {
        this.#print(
          `${layout === undefined ? 'Bad parameters of a drive' : 'Sector size too large'} in file ${path}\r\n`,
        );
        return false;
      }
      drives.set(drive, this.#dos.guestDrive({ drive, driver: packFar(header), unit }, layout));
      directories.reset(drive, true);
      writeDriveParameters(this.#dos, drive);
    }
    return units > 0;
  }

  /** The request of its initialization; undefined where it failed. */
  #ask({ segment, paragraphs, offset, line }: Loading): readonly number[] | undefined {
    const { drivers, drives, memory } = this.#dos;
    const text = linear(dosSegment, at.driverBuffer);
    writeText(memory, text, `${line.text.slice(0, longestLine)}\r\n`);
    const packet = request(driverCommands.initialize, { segment: segment + paragraphs, offset: 0 }, at.driverBuffer);
    putWord(packet, lineAt + 2, dosSegment);
    packet[requestAt.firstDrive] = drives.nextFree();
    try {
      return drivers.ask(packFar({ segment, offset }), packet);
    } catch (error) {
      if (!(error instanceof DosError)) throw error;
      this.#print(`Error in CONFIG.SYS line ${line.line}\r\n`);
      return undefined;
    }
  }

  #link(header: { readonly segment: number; readonly offset: number }): void {
    const { devices, memory } = this.#dos;
    const { attributes } = devices.read(header);
    devices.link(header);
    const list = linear(dosSegment, at.listOfLists);
    if (attributes & deviceAttributes.standardInput) memory.write32(list + consolePointer, packFar(header));
    if (attributes & deviceAttributes.clock) memory.write32(list + clockPointer, packFar(header));
  }

  /** A console of the guest takes the place of ours. */
  #reopenStandardHandles(): void {
    const { handles, devices } = this.#dos;
    ['CON', 'CON', 'CON', 'AUX', 'PRN'].forEach((name, handle) => {
      const device = devices.find(name);
      if (device === undefined) return;
      handles.close(handle);
      handles.attach(handles.openDevice(device, 2));
    });
  }

  #print(text: string): void {
    for (let i = 0; i < text.length; i++) this.#dos.console.write(text.charCodeAt(i));
  }
}

function emptyState(): StartupState {
  return { messages: [], lines: [], loading: undefined, reopen: false };
}
