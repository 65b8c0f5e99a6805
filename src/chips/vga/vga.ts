import { DeviceClock } from '../device-clock.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { readPlanes, writeManyPlanes, writePlanes } from './display-memory.ts';
import { fields, memoryBytes, registerWords, stateWords, type VgaState } from './fields.ts';
import { forgetChanges, lastFrame, noteChange } from './line-log.ts';
import { type ColourPicture, drawPicture, palette, type VgaPicture } from './picture.ts';
import { readDac, writeAttribute, writeCrtc, writeDac, writeGraphics, writeSequencer } from './registers.ts';
import { isSvga, packedAddress, readSvga, writeSvga } from './svga.ts';
import { drawSvga } from './svga-picture.ts';
import { readText, type VgaText } from './text-screen.ts';
import { dotClockHz, frameClocks, lineAt, retraceClock, shownLines, startAddress, statusAt } from './timing.ts';
import { isOfTiming, mayShow, registerValue, visibleRegister } from './visible-registers.ts';

export interface VgaWires {
  now(): number;
  readonly instructionsPerSecond: number;
}

/**
 * IBM Video Graphics Array, with memory and modes of a later card (svga.ts), at the level of its registers: ports 3C0h-3CFh,
 * 3B4h-3BAh or 3D4h-3DAh, memory A0000h-BFFFFh through the window chosen. Where the beam is follows from the instruction count and the CRTC's registers.
 *
 * Source: IBM PS/2 Model 50 and 60 Technical Reference (1987). `picture` is what the registers say at that moment, with the
 * start address as the last retrace took it over; where colours, panning, line compare and the like were changed while the
 * last whole frame was drawn, it is that frame, each line as it was (line-log.ts), but memory as it is now. Not emulated:
 * changes within a line, changes of memory within a frame, the vertical retrace interrupt,
 * the light pen, monitor detection by the comparator, the borders (a picture is what lies inside them), skew.
 */
export class Vga {
  readonly #s: VgaState;
  readonly #wires: VgaWires;
  readonly #planes: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #slow: DeviceClock;
  readonly #fast: DeviceClock;

  /** `memory` is `memoryBytes` long and begins at a multiple of four bytes. */
  constructor(state: Int32Array, memory: Uint8Array, wires: VgaWires) {
    this.#s = state as VgaState;
    this.#wires = wires;
    this.#bytes = memory;
    this.#planes = new Int32Array(memory.buffer, memory.byteOffset, memoryBytes / 4);
    this.#slow = new DeviceClock(25_175_000, wires.instructionsPerSecond);
    this.#fast = new DeviceClock(28_322_000, wires.instructionsPerSecond);
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    this.#s[fields.dacMask] = 0xff;
    this.#planes.fill(0);
  }

  /** Ports 3B0h-3DFh, and 1CEh and 1CFh of a later card. */
  read(port: number): number {
    const s = this.#s;
    if (port === 0x3c9) return readDac(s);
    if (this.#isAt(port, 0x0a)) s[fields.attributeData] = 0;
    return this.peek(port);
  }

  peek(port: number): number {
    const s = this.#s;
    if (this.#isAt(port, 0x04)) return s[fields.crtcIndex];
    if (this.#isAt(port, 0x05)) return s[fields.crtc + s[fields.crtcIndex]];
    if (this.#isAt(port, 0x0a)) return statusAt(s, this.#frameClock());
    switch (port) {
      case 0x1ce:
        return s[fields.svgaIndex];
      case 0x1cf:
        return readSvga(s);
      case 0x3c0:
        return s[fields.attributeIndex];
      case 0x3c1:
        return s[fields.attribute + (s[fields.attributeIndex] & 31)];
      case 0x3c2:
        return 0x10;
      case 0x3c4:
        return s[fields.sequencerIndex];
      case 0x3c5:
        return s[fields.sequencer + s[fields.sequencerIndex]];
      case 0x3c6:
        return s[fields.dacMask];
      case 0x3c7:
        return s[fields.dacState];
      case 0x3c8:
        return s[fields.dacWriteIndex];
      case 0x3c9:
        return s[fields.dac + s[fields.dacReadIndex] * 3 + s[fields.dacComponent]];
      case 0x3ca:
        return s[fields.featureControl];
      case 0x3cc:
        return s[fields.miscOutput];
      case 0x3ce:
        return s[fields.graphicsIndex];
      case 0x3cf:
        return s[fields.graphics + s[fields.graphicsIndex]];
      default:
        return 0xff;
    }
  }

  /** The registers in groups, for a reader. */
  describe(): readonly string[] {
    const s = this.#s;
    const row = (name: string, first: number, count: number) =>
      `${name} ${Array.from(s.subarray(first, first + count), (value) => value.toString(16).padStart(2, '0')).join(' ')}`;
    return [
      row('misc output', fields.miscOutput, 1),
      row('sequencer', fields.sequencer, 5),
      row('CRTC', fields.crtc, 25),
      row('graphics', fields.graphics, 9),
      row('attribute', fields.attribute, 21),
      row('DAC mask', fields.dacMask, 1),
      row('later modes', fields.svga, 9),
    ];
  }

  write(port: number, value: number): void {
    const s = this.#s;
    // The map mask is what programs write most.
    const masks = port === 0x3c5 && s[fields.sequencerIndex] === 2;
    const register = mayShow(port) && !masks ? visibleRegister(s, port) : -1;
    if (register < 0) {
      this.#write(port, value);
      return;
    }
    const before = registerValue(s, register);
    this.#write(port, value);
    if (registerValue(s, register) !== before) this.#changed(register, before);
  }

  /** While the beam draws, what is above it stays as it was. Registers of timing change the lines themselves. */
  #changed(register: number, before: number): void {
    const s = this.#s;
    const after = registerValue(s, register);
    const ticks = this.#clock().ticksAt(this.#wires.now());
    const length = frameClocks(s);
    const frame = Math.floor(ticks / length);
    const line = lineAt(s, ticks - frame * length) + 1;
    if (isOfTiming(register, before ^ after)) forgetChanges(s, frame);
    else if (line < shownLines(s)) noteChange(s, frame, { line, register, before, after });
  }

  #write(port: number, value: number): void {
    const s = this.#s;
    if (this.#isAt(port, 0x04)) s[fields.crtcIndex] = value & 0x1f;
    else if (this.#isAt(port, 0x05)) {
      this.#takeStart();
      writeCrtc(s, value);
    } else if (this.#isAt(port, 0x0a)) s[fields.featureControl] = value;
    else this.#writeShared(port, value);
  }

  #writeShared(port: number, value: number): void {
    const s = this.#s;
    switch (port) {
      case 0x1ce:
        s[fields.svgaIndex] = value;
        break;
      case 0x1cf:
        if (writeSvga(s, value)) this.#planes.fill(0);
        break;
      case 0x3c0:
        writeAttribute(s, value);
        break;
      case 0x3c2:
        s[fields.miscOutput] = value;
        break;
      case 0x3c4:
        s[fields.sequencerIndex] = value & 7;
        break;
      case 0x3c5:
        writeSequencer(s, value);
        break;
      case 0x3c6:
        s[fields.dacMask] = value;
        break;
      case 0x3c7:
        s[fields.dacReadIndex] = value;
        s[fields.dacComponent] = 0;
        s[fields.dacState] = 3;
        break;
      case 0x3c8:
        s[fields.dacWriteIndex] = value;
        s[fields.dacComponent] = 0;
        s[fields.dacState] = 0;
        break;
      case 0x3c9:
        writeDac(s, value);
        break;
      case 0x3ce:
        s[fields.graphicsIndex] = value & 15;
        break;
      case 0x3cf:
        writeGraphics(s, value);
        break;
    }
  }

  /** A byte of A0000h-BFFFFh. */
  readMemory(address: number): number {
    const s = this.#s;
    if (s[fields.packed] === 0) return readPlanes(s, this.#planes, address);
    return this.#bytes[packedAddress(s, address)] ?? 0xff;
  }

  writeMemory(address: number, value: number): void {
    const s = this.#s;
    if (s[fields.packed] === 0) writePlanes(s, this.#planes, address, value);
    else {
      const at = packedAddress(s, address);
      if (at >= 0) this.#bytes[at] = value;
    }
  }

  writeManyBytes(address: number, bytes: Uint8Array): void {
    if (this.#s[fields.packed] === 0) writeManyPlanes(this.#s, this.#planes, address, bytes);
    else for (let index = 0; index < bytes.length; index++) this.writeMemory(address + index, bytes[index]);
  }

  /** Memory in one piece, as modes with whole pixels in a row have it; others have none. */
  readLinear(at: number): number {
    return this.#s[fields.packed] === 0 ? 0xff : (this.#bytes[at] ?? 0xff);
  }

  writeLinear(at: number, value: number): void {
    if (this.#s[fields.packed] !== 0) this.#bytes[at] = value;
  }

  /** Without filling the latches. */
  peekMemory(address: number): number {
    const latch = this.#s[fields.latch];
    const value = this.readMemory(address);
    this.#s[fields.latch] = latch;
    return value;
  }

  /** What a monitor shows, at the mode's own size. */
  picture(): VgaPicture | ColourPicture {
    if (isSvga(this.#s)) return drawSvga(this.#s, this.#planes, palette(this.#s));
    const frame = this.frame();
    const last = lastFrame(this.#s, frame, registerWords);
    return drawPicture(last?.start ?? this.#s, this.#planes, this.#start(), frame, last?.changes);
  }

  /** The characters on screen; undefined in graphics modes. */
  text(): VgaText | undefined {
    return isSvga(this.#s) ? undefined : readText(this.#s, this.#planes, this.#start());
  }

  /** Frames since the machine was switched on, as if it had always been in this mode. */
  frame(): number {
    return Math.floor(this.#clock().ticksAt(this.#wires.now()) / frameClocks(this.#s));
  }

  /** The instruction count at which the next vertical retrace begins: never this one. */
  nextRetrace(): number {
    const clock = this.#clock();
    const length = frameClocks(this.#s);
    const now = clock.ticksAt(this.#wires.now());
    const inFrame = retraceClock(this.#s) % length;
    const frames = Math.floor((now - inFrame) / length) + 1;
    return clock.countAt(frames * length + inFrame);
  }

  #frameClock(): number {
    return this.#clock().ticksAt(this.#wires.now()) % frameClocks(this.#s);
  }

  #clock(): DeviceClock {
    return dotClockHz(this.#s) === 28_322_000 ? this.#fast : this.#slow;
  }

  /** Retraces so far: with each, a new start address comes into force. */
  #retraces(): number {
    const now = this.#clock().ticksAt(this.#wires.now());
    return Math.floor((now - retraceClock(this.#s)) / frameClocks(this.#s)) + 1;
  }

  #takeStart(): void {
    const s = this.#s;
    const retraces = this.#retraces();
    if (readWide(s, fields.startFrame) === retraces) return;
    writeWide(s, fields.startFrame, retraces);
    s[fields.start] = startAddress(s);
  }

  #start(): number {
    const s = this.#s;
    return readWide(s, fields.startFrame) === this.#retraces() ? s[fields.start] : startAddress(s);
  }

  /** Registers that lie at 3Bxh or 3Dxh, as bit 0 of the miscellaneous output register says. */
  #isAt(port: number, register: number): boolean {
    return port === ((this.#s[fields.miscOutput] & 1) !== 0 ? 0x3d0 : 0x3b0) + register;
  }
}
