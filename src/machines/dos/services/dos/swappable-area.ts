import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { at, dosSegment } from './layout.ts';

const base = linear(dosSegment, at.swappableArea);

/** The kernel's variables where DOS 4 and later keep them, known to programs through INT 21h function 5D06h. */
export class SwappableArea {
  readonly #memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.#memory = memory;
  }

  get inDos(): number {
    return this.#memory.read8(base + 1);
  }
  set inDos(depth: number) {
    this.#memory.write8(base + 1, depth);
  }
  get errorDrive(): number {
    return this.#memory.read8(base + 2);
  }
  set errorDrive(drive: number) {
    this.#memory.write8(base + 2, drive);
  }
  get errorLocus(): number {
    return this.#memory.read8(base + 3);
  }
  set errorLocus(locus: number) {
    this.#memory.write8(base + 3, locus);
  }
  get errorCode(): number {
    return this.#memory.read16(base + 4);
  }
  set errorCode(code: number) {
    this.#memory.write16(base + 4, code);
  }
  get errorAction(): number {
    return this.#memory.read8(base + 6);
  }
  set errorAction(action: number) {
    this.#memory.write8(base + 6, action);
  }
  get errorClass(): number {
    return this.#memory.read8(base + 7);
  }
  set errorClass(value: number) {
    this.#memory.write8(base + 7, value);
  }
  /** Disk transfer area, packed segment:offset. */
  get transferArea(): number {
    return this.#memory.read32(base + 0xc);
  }
  set transferArea(packed: number) {
    this.#memory.write32(base + 0xc, packed);
  }
  get currentProcess(): number {
    return this.#memory.read16(base + 0x10);
  }
  set currentProcess(segment: number) {
    this.#memory.write16(base + 0x10, segment);
  }
  /** Of the last process that ended: code in the lower byte, how it ended in the upper. */
  get returnCode(): number {
    return this.#memory.read16(base + 0x14);
  }
  set returnCode(code: number) {
    this.#memory.write16(base + 0x14, code);
  }
  get currentDrive(): number {
    return this.#memory.read8(base + 0x16);
  }
  set currentDrive(drive: number) {
    this.#memory.write8(base + 0x16, drive);
  }
  get breakCheck(): boolean {
    return this.#memory.read8(base + 0x17) !== 0;
  }
  set breakCheck(on: boolean) {
    this.#memory.write8(base + 0x17, on ? 1 : 0);
  }
  get verify(): boolean {
    return this.#memory.read8(base + 0x18) !== 0;
  }
  set verify(on: boolean) {
    this.#memory.write8(base + 0x18, on ? 1 : 0);
  }
  get allocationStrategy(): number {
    return this.#memory.read16(base + 0x1a);
  }
  set allocationStrategy(strategy: number) {
    this.#memory.write16(base + 0x1a, strategy);
  }
  get switchCharacter(): number {
    return this.#memory.read8(base + 0x1c);
  }
  set switchCharacter(character: number) {
    this.#memory.write8(base + 0x1c, character);
  }
}
