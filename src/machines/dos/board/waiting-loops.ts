import { fields as rtcFields } from '../../../chips/mc146818/fields.ts';
import { fields as vgaFields, vgaMemoryBytes } from '../../../chips/vga/fields.ts';
import { fields as cpuFields } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { PcLayout } from './pc-layout.ts';
import type { PortMap } from './port-map.ts';

/** Where calls of services are logged. */
export interface CallTally {
  /** From now on it is noted what is counted. */
  beginTally(): void;
  /** The first time at which the same calls would not be counted as they were since. */
  readonly steadyUntil: number;
  /** The calls since are made so many times more, each time so much later. */
  repeat(times: number, span: number): void;
  endTally(): void;
}

interface LoopParts {
  readonly bytes: Uint8Array;
  readonly layout: PcLayout;
  readonly cpu: X86;
  readonly ports: PortMap;
  readonly parts: { readonly vga: Int32Array };
}

/** A way round that is longer is not looked for. */
const longestWay = 400;
/** Services that are called before somebody looks whether a program waits: after a wait that was found, and after one that was not. */
const [soon, latest] = [8, 16_384];
/** Instructions that are worth having looked. */
const worthwhile = 2000;

/**
 * Programs that wait: they ask for keys, the time and the mouse, on and on, and nothing comes of it. A way round that leaves
 * processor, memory and devices as they were will be gone again and again until a device acts, so it is counted instead: the
 * machine is afterwards what it would have been, instruction for instruction.
 */
export class WaitingLoops {
  readonly #board: LoopParts;
  /** Whether anything is passed over; what comes of it is the same. */
  enabled = true;
  /** Instructions that were counted and not run. */
  passedOver = 0;
  calls: CallTally | undefined;
  #isLooking = false;
  #steadyUntil = 0;
  #callsLeft = soon;
  #patience = soon;
  #devices: Uint8Array = new Uint8Array(0);
  #picture: Uint8Array = new Uint8Array(0);

  constructor(board: LoopParts) {
    this.#board = board;
  }

  /** What services say matters: `answered` wants to know. */
  get isLooking(): boolean {
    return this.#isLooking;
  }

  /** A service was called. True when it is time to look. */
  called(): boolean {
    this.#callsLeft -= 1;
    if (this.#callsLeft > 0 || !this.enabled) return false;
    if (this.#board.cpu.repetition.isPossible) return true;
    this.#callsLeft = latest;
    return false;
  }

  /** A service has changed nothing but registers and memory, and would give the same answer before that time. */
  answered(until: number): void {
    this.#steadyUntil = Math.min(this.#steadyUntil, until);
  }

  /** Passes over what would only repeat itself before `target`. */
  pass(target: number): void {
    const found = this.#pass(target);
    this.#patience = found ? soon : Math.min(this.#patience * 2, latest);
    this.#callsLeft = this.#patience;
  }

  #pass(target: number): boolean {
    const { cpu, ports, parts } = this.#board;
    const { repetition } = cpu;
    // Cards with more memory than a VGA are rare, and what they show is much to compare.
    if (!repetition.isPossible || ports.watcher || parts.vga[vgaFields.svgaUsed] !== 0) return false;
    this.#isLooking = true;
    this.#steadyUntil = target;
    // Devices tell more than they answer: some move on when they are asked.
    ports.watcher = () => this.answered(Number.NEGATIVE_INFINITY);
    try {
      const most = Math.min(longestWay, Math.floor((target - cpu.instructions) / 3));
      const length = repetition.find(most, () => this.#steadyUntil <= cpu.instructions);
      return length > 0 && this.#measured() && this.#skip(length);
    } finally {
      this.calls?.endTally();
      ports.watcher = undefined;
      this.#isLooking = false;
    }
  }

  /** Once more, with everything looked at. */
  #measured(): boolean {
    const { cpu } = this.#board;
    const { memory, repetition } = cpu;
    this.#keep();
    this.calls?.beginTally();
    memory.beginRecord();
    const isSame = repetition.measure();
    return memory.endRecord() && isSame && this.#isAsKept();
  }

  /** True where it was worth it. */
  #skip(length: number): boolean {
    const { cpu } = this.#board;
    const end = Math.min(this.#steadyUntil, this.calls?.steadyUntil ?? Number.POSITIVE_INFINITY);
    const times = Math.floor((end - cpu.instructions) / length);
    if (times <= 0) return false;
    cpu.repetition.skip(times);
    this.passedOver += times * length;
    this.calls?.repeat(times, length);
    return times * length >= worthwhile;
  }

  /** Into what was kept before: it is done hundreds of times a second, and new memory costs more than the copy. */
  #keep(): void {
    const [devices, picture] = [this.#deviceBytes, this.#videoMemory];
    if (this.#devices.length === 0) {
      this.#devices = new Uint8Array(devices.length);
      this.#picture = new Uint8Array(picture.length);
    }
    this.#devices.set(devices);
    this.#picture.set(picture);
  }

  /** But for the clocks. */
  #isAsKept(): boolean {
    const devices = this.#deviceBytes;
    for (const [first, end] of this.#clocks) this.#devices.set(devices.subarray(first, end), first);
    return Buffer.compare(devices, this.#devices) === 0 && Buffer.compare(this.#videoMemory, this.#picture) === 0;
  }

  get #videoMemory(): Uint8Array {
    const { bytes, layout } = this.#board;
    return bytes.subarray(layout.offsets.vram, layout.offsets.vram + vgaMemoryBytes);
  }

  get #deviceBytes(): Uint8Array {
    const { bytes, layout } = this.#board;
    return bytes.subarray(0, layout.offsets.ems);
  }

  /** Where they lie: first bytes, and those after the last. */
  get #clocks(): readonly (readonly [first: number, end: number])[] {
    const { cpu, rtc } = this.#board.layout.offsets;
    return [
      [cpu + cpuFields.countLow * 4, cpu + (cpuFields.countHigh + 1) * 4],
      [rtc + rtcFields.ticks * 4, rtc + (rtcFields.ticks + 2) * 4],
    ];
  }
}
