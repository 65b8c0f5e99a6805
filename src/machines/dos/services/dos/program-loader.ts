import { DosError } from '../../drives/dos-error.ts';
import { formatName } from '../../drives/names.ts';
import type { Guest } from '../guest.ts';
import type { Dos } from './dos.ts';
import { environmentBytes, readEnvironment } from './environment.ts';
import { linear, packFar } from './far-pointer.ts';
import { returnAddress, returnTo } from './frames.ts';
import type { ResolvedPath } from './paths.ts';
import { psp } from './processes.ts';
import { type ExeImage, isPacked, parseProgram, relocated } from './program-image.ts';

export interface LoadedProgram {
  /** `GAME.EXE`. */
  readonly name: string;
  readonly file: Uint8Array;
  readonly process: number;
  /** Of the block it lies in, the prefix included. */
  readonly paragraphs: number;
  /** Where the image lies, after the prefix, and how long it is. */
  readonly imageSegment: number;
  readonly imageBytes: number;
  readonly cs: number;
  readonly ip: number;
  readonly ss: number;
  readonly sp: number;
}

type PlaceInMemory = Pick<LoadedProgram, 'process' | 'paragraphs'>;
type Placed = Pick<LoadedProgram, 'cs' | 'ip' | 'ss' | 'sp' | 'imageSegment'>;

export interface ProgramArguments {
  /** 0 for a copy of the parent's. */
  readonly environment: number;
  /** Length byte, text, CR. */
  readonly tail: Uint8Array;
  /** 16 bytes each. */
  readonly firstFcb?: Uint8Array;
  readonly secondFcb?: Uint8Array;
}

const prefixParagraphs = 0x10;
const comStackBytes = 0x100;
const firstHighSegment = 0x1000;

/** Brings programs into memory: EXEC of INT 21h, for programs and for the command interpreter alike. */
export class ProgramLoader {
  readonly #dos: Dos;

  constructor(dos: Dos) {
    this.#dos = dos;
  }

  readFile(path: ResolvedPath): Uint8Array {
    const { handles, drives } = this.#dos;
    if (path.device !== undefined) throw new DosError('accessDenied');
    const file = handles.openPath(path, 0);
    try {
      return drives.get(path.drive).read(file.id, 0, handles.size(file));
    } finally {
      handles.release(file);
    }
  }

  /** A new process, not yet entered. Its parent is the current process. */
  load(guest: Guest, path: ResolvedPath, values: ProgramArguments): LoadedProgram {
    const { blocks, processes, area } = this.#dos;
    const file = this.readFile(path);
    const image = parseProgram(file);
    const parent = processes.current;
    const environment = this.#environment(values.environment || processes.word(parent, psp.environment), path);
    const filler = image.type === 'exe' && isPacked(image) ? this.#fillLowMemory(parent) : undefined;
    try {
      const wanted = image.type === 'com' ? comParagraphs(image.bytes) : exeParagraphs(image);
      const paragraphs = Math.min(wanted.most, blocks.largest(area.allocationStrategy, wanted.least));
      if (paragraphs < wanted.least) throw new DosError('insufficientMemory');
      const process = blocks.allocate(paragraphs, parent, area.allocationStrategy);
      const name = formatName(path.names.at(-1) ?? '').replace(/\..*$/, '');
      blocks.setOwner(process, process, name);
      blocks.setOwner(environment, process);
      this.#prefix(guest, process, paragraphs, environment, parent, values);
      const loaded = { name: formatName(path.names.at(-1) ?? ''), file, process, paragraphs };
      const placed = image.type === 'com' ? this.#placeCom(image.bytes, loaded) : this.#placeExe(image, loaded);
      const program = { ...loaded, ...placed, imageBytes: image.bytes.length };
      this.#dos.programLoaded?.(program);
      return program;
    } catch (error) {
      blocks.free(environment);
      throw error;
    } finally {
      if (filler !== undefined) blocks.free(filler);
    }
  }

  /** Makes a loaded program run when the callback returns. */
  enter(guest: Guest, program: LoadedProgram, fcbDrives: number): void {
    const { area, processes } = this.#dos;
    processes.current = program.process;
    area.transferArea = ((program.process << 16) | 0x80) >>> 0;
    guest.ss = program.ss;
    guest.sp = program.sp;
    guest.ax = fcbDrives;
    guest.bx = 0;
    guest.cx = 0xff;
    guest.dx = program.process;
    guest.si = program.ip;
    guest.di = program.sp;
    guest.bp = 0x91c;
    guest.ds = program.process;
    guest.es = program.process;
    returnTo(guest, { segment: program.cs, offset: program.ip });
    this.#dos.programEntered?.(program);
  }

  /** Only the image, to a place the caller has made for it. */
  loadOverlay(path: ResolvedPath, segment: number, relocation: number): void {
    const image = parseProgram(this.readFile(path));
    const bytes = image.type === 'com' ? image.bytes : relocated(image, relocation);
    this.#dos.memory.write(linear(segment, 0), bytes);
  }

  /** What AX holds when a program starts: FFh for each of its two FCBs that names a drive which does not exist. */
  fcbDrives(process: number): number {
    const { memory, directories } = this.#dos;
    const check = (offset: number) => {
      const drive = memory.read8(linear(process, offset));
      return drive === 0 || directories.valid(drive - 1) ? 0 : 0xff;
    };
    return check(psp.firstFcb) | (check(psp.secondFcb) << 8);
  }

  /** Takes what is free below the first 64 KiB; undefined where a program would lie above anyway. */
  #fillLowMemory(owner: number): number | undefined {
    const { blocks } = this.#dos;
    for (const { control, owner: user, paragraphs } of blocks.walk()) {
      const wanted = firstHighSegment - control - 2;
      if (user !== 0 || wanted < 1) continue;
      return paragraphs > wanted ? blocks.allocate(wanted, owner) : undefined;
    }
    return undefined;
  }

  #environment(source: number, path: ResolvedPath): number {
    const { blocks, memory, paths, processes } = this.#dos;
    const bytes = environmentBytes(readEnvironment(memory, source), paths.format(path));
    const segment = blocks.allocate((bytes.length + 15) >> 4, processes.current, this.#dos.area.allocationStrategy);
    memory.write(linear(segment, 0), bytes);
    return segment;
  }

  #prefix(
    guest: Guest,
    process: number,
    paragraphs: number,
    environment: number,
    parent: number,
    values: ProgramArguments,
  ): void {
    const { processes, memory } = this.#dos;
    processes.setVector(0x22, packFar(returnAddress(guest)));
    processes.create(process, parent, process + paragraphs);
    processes.inheritHandles(process, parent);
    processes.setWord(process, psp.environment, environment);
    memory.write(linear(process, psp.tail), values.tail.subarray(0, 128));
    if (values.firstFcb) memory.write(linear(process, psp.firstFcb), values.firstFcb);
    if (values.secondFcb) memory.write(linear(process, psp.secondFcb), values.secondFcb);
  }

  #placeCom(bytes: Uint8Array, { process, paragraphs }: PlaceInMemory): Placed {
    const { memory } = this.#dos;
    memory.write(linear(process, 0x100), bytes);
    const sp = Math.min(paragraphs * 16, 0x10000) - 2;
    memory.write16(linear(process, sp), 0);
    return { cs: process, ip: 0x100, ss: process, sp, imageSegment: process + prefixParagraphs };
  }

  #placeExe(image: ExeImage, { process, paragraphs }: PlaceInMemory): Placed {
    const imageParagraphs = (image.bytes.length + 15) >> 4;
    // Neither least nor most after the image: it goes to the top of its block.
    const high = image.minExtra === 0 && image.maxExtra === 0;
    const base = high ? process + paragraphs - imageParagraphs : process + prefixParagraphs;
    this.#dos.memory.write(linear(base, 0), relocated(image, base));
    const { cs, ip, ss, sp } = image;
    return { cs: (base + cs) & 0xffff, ip, ss: (base + ss) & 0xffff, sp, imageSegment: base };
  }
}

function comParagraphs(bytes: Uint8Array): { least: number; most: number } {
  if (bytes.length + 0x100 + 2 > 0x10000) throw new DosError('insufficientMemory');
  return { least: (bytes.length + 0x100 + comStackBytes + 15) >> 4, most: 0xffff };
}

function exeParagraphs(image: ExeImage): { least: number; most: number } {
  const own = prefixParagraphs + ((image.bytes.length + 15) >> 4);
  if (image.minExtra === 0 && image.maxExtra === 0) return { least: own, most: 0xffff };
  return { least: own + image.minExtra, most: Math.min(0xffff, own + Math.max(image.minExtra, image.maxExtra)) };
}
