import { DosError } from '../../drives/dos-error.ts';
import type { Guest, GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { openFilesMax } from './layout.ts';
import type { SwappableArea } from './swappable-area.ts';
import { openModes, type SystemFiles } from './system-files.ts';

/** Offsets in a program segment prefix. */
export const psp = {
  top: 0x02,
  farCall: 0x05,
  terminate: 0x0a,
  controlBreak: 0x0e,
  criticalError: 0x12,
  parent: 0x16,
  handles: 0x18,
  environment: 0x2c,
  stack: 0x2e,
  handleCount: 0x32,
  handlePointer: 0x34,
  previous: 0x38,
  version: 0x40,
  call: 0x50,
  firstFcb: 0x5c,
  secondFcb: 0x6c,
  tail: 0x80,
} as const;

const ownHandles = 20;
const noHandle = 0xff;
/** CALL F01D:FEF0, which wraps round to 0:00C0, where a jump to the dispatcher lies. */
const farCall = [0x9a, 0xf0, 0xfe, 0x1d, 0xf0];

/** Program segment prefixes: what DOS knows of a process lies in the process's own memory. */
export class Processes {
  readonly #memory: GuestMemory;
  readonly #area: SwappableArea;
  readonly #files: SystemFiles;

  constructor(memory: GuestMemory, area: SwappableArea, files: SystemFiles) {
    this.#memory = memory;
    this.#area = area;
    this.#files = files;
  }

  get current(): number {
    return this.#area.currentProcess;
  }
  set current(segment: number) {
    this.#area.currentProcess = segment;
  }

  word(process: number, offset: number): number {
    return this.#memory.read16(linear(process, offset));
  }
  setWord(process: number, offset: number, value: number): void {
    this.#memory.write16(linear(process, offset), value);
  }
  long(process: number, offset: number): number {
    return this.#memory.read32(linear(process, offset));
  }
  setLong(process: number, offset: number, value: number): void {
    this.#memory.write32(linear(process, offset), value);
  }

  vector(number: number): number {
    return this.#memory.read32(number * 4);
  }
  setVector(number: number, packed: number): void {
    this.#memory.write32(number * 4, packed);
  }

  /** An empty prefix with closed handles. */
  create(process: number, parent: number, top: number): void {
    this.#memory.write(linear(process, 0), new Uint8Array(256));
    this.#memory.write(linear(process, 0), Uint8Array.of(0xcd, 0x20));
    this.#memory.write(linear(process, psp.farCall), Uint8Array.from(farCall));
    this.#memory.write(linear(process, psp.call), Uint8Array.of(0xcd, 0x21, 0xcb));
    this.#memory.write(linear(process, psp.handles), new Uint8Array(ownHandles).fill(noHandle));
    this.#memory.write(linear(process, psp.firstFcb), fcbBlank);
    this.#memory.write(linear(process, psp.secondFcb), fcbBlank);
    this.#memory.write(linear(process, psp.tail), Uint8Array.of(0, 13));
    this.setWord(process, psp.top, top);
    this.setWord(process, psp.parent, parent);
    this.setWord(process, psp.handleCount, ownHandles);
    this.setLong(process, psp.handlePointer, ((process << 16) | psp.handles) >>> 0);
    this.setLong(process, psp.previous, 0xffff_ffff);
    this.setWord(process, psp.version, 5);
    this.saveVectors(process);
  }

  saveVectors(process: number): void {
    this.setLong(process, psp.terminate, this.vector(0x22));
    this.setLong(process, psp.controlBreak, this.vector(0x23));
    this.setLong(process, psp.criticalError, this.vector(0x24));
  }

  restoreVectors(process: number): void {
    this.setVector(0x22, this.long(process, psp.terminate));
    this.setVector(0x23, this.long(process, psp.controlBreak));
    this.setVector(0x24, this.long(process, psp.criticalError));
  }

  /** Gives the parent's first handles to a child, except those marked as its own. */
  inheritHandles(child: number, parent: number): void {
    for (let handle = 0; handle < ownHandles; handle++) {
      if (handle >= this.handleCount(parent)) break;
      const index = this.handle(parent, handle);
      if (index >= openFilesMax) continue;
      const file = this.#files.get(index);
      if (file.mode & openModes.noInherit || file.references === 0) continue;
      file.references++;
      this.setHandle(child, handle, index);
    }
  }

  handleCount(process: number): number {
    return this.word(process, psp.handleCount);
  }

  /** The system file a handle stands for, FFh for none. */
  handle(process: number, handle: number): number {
    if (handle >= this.handleCount(process)) throw new DosError('invalidHandle');
    return this.#memory.read8(this.#handleAddress(process, handle));
  }

  setHandle(process: number, handle: number, index: number): void {
    if (handle >= this.handleCount(process)) throw new DosError('invalidHandle');
    this.#memory.write8(this.#handleAddress(process, handle), index);
  }

  /** The lowest handle not in use, or -1. */
  freeHandle(process: number): number {
    const count = this.handleCount(process);
    for (let handle = 0; handle < count; handle++) if (this.handle(process, handle) === noHandle) return handle;
    return -1;
  }

  #handleAddress(process: number, handle: number): number {
    const pointer = this.long(process, psp.handlePointer);
    return linear(pointer >>> 16, (pointer & 0xffff) + handle);
  }

  /** Leaves the caller's registers below its stack, where its prefix then points: what ends a child finds them there. */
  saveCaller(guest: Guest): void {
    const sp = (guest.sp - 18) & 0xffff;
    const { ax, bx, cx, dx, si, di, bp, ds, es } = guest;
    [ax, bx, cx, dx, si, di, bp, ds, es].forEach((value, index) => {
      this.#memory.write16(linear(guest.ss, sp + index * 2), value);
    });
    this.setLong(this.current, psp.stack, ((guest.ss << 16) | sp) >>> 0);
  }

  restoreCaller(guest: Guest, process: number): void {
    const stack = this.long(process, psp.stack);
    const word = (index: number) => this.#memory.read16(linear(stack >>> 16, (stack & 0xffff) + index * 2));
    guest.ax = word(0);
    guest.bx = word(1);
    guest.cx = word(2);
    guest.dx = word(3);
    guest.si = word(4);
    guest.di = word(5);
    guest.bp = word(6);
    guest.ds = word(7);
    guest.es = word(8);
    guest.ss = stack >>> 16;
    guest.sp = (stack + 18) & 0xffff;
  }
}

const fcbBlank = Uint8Array.from([0, ...new Array(11).fill(0x20), 0, 0, 0, 0]);
