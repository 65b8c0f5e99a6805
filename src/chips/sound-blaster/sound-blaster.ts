import { ByteQueue } from '../byte-queue.ts';
import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { parameterCounts, playbacks } from './commands.ts';
import { fields, playingModes, type SoundBlasterState, stateWords } from './fields.ts';
import { PackedPlayback } from './packed-playback.ts';

export interface SoundBlasterWires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
  irq(level: number): void;
  /** A byte over the card's DMA channel: from memory, or (with a value) into it. Undefined where the channel is not ready. */
  dma(value?: number): { readonly value: number } | undefined;
}

const { oneBlock: ONE_BLOCK, endless: ENDLESS, silence: SILENCE } = playingModes;
/** Samples that are worked out together at most: memory is read no later than that. */
const BATCH = 32;
const LOUDNESS = 0.5;
const QUIET = 0x80;
const RESET_US = 20;

/**
 * Creative Sound Blaster 2.0: the DSP (version 2.01) and its mixer. The OPL2 on the card is a chip of its own.
 *
 *               +-----------+
 *  2x6 reset -->|           |<--- DMA 1
 *  2xA data  <--|  DSP 2.01 |---> IRQ 7 (or 5)
 *  2xC command->|           |---> sound (sink)
 *  2xE status <-|           |
 *               +-----------+
 *
 * `nextEvent()` is when samples are due. The board calls `catchUp` before the DMA controller's registers are read.
 *
 * Source: Creative Sound Blaster Series Hardware Programming Guide (1996). Not emulated: recording (silence comes in), MIDI, the mixer's effect on loudness but for its registers, busy
 * times of the command port.
 */
export class SoundBlaster {
  readonly #s: SoundBlasterState;
  readonly #wires: SoundBlasterWires;
  readonly #micros: DeviceClock;
  readonly #samples: DeviceClock;
  readonly #replies: ByteQueue;
  readonly #packed: PackedPlayback;

  constructor(state: Int32Array, wires: SoundBlasterWires) {
    this.#s = state as SoundBlasterState;
    this.#wires = wires;
    this.#micros = new DeviceClock(1_000_000, wires.instructionsPerSecond);
    this.#samples = new DeviceClock(SAMPLE_HZ, wires.instructionsPerSecond);
    this.#replies = new ByteQueue(state.subarray(fields.replies), 16);
    this.#packed = new PackedPlayback(this.#s, { dma: () => wires.dma(), blockEnded: () => this.#setIrq(1) });
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    this.#resetDsp();
    this.#resetMixer();
  }

  /** Ports 2x4-2xE as offsets. */
  read(register: number): number {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    switch (register & 15) {
      case 0x5:
        return s[fields.mixer + s[fields.mixerIndex]];
      case 0xa:
        this.#wake();
        return this.#replies.length > 0 ? this.#replies.shift() : 0xff;
      case 0xc:
        return 0x7f;
      case 0xe:
        this.#wake();
        this.#setIrq(0);
        return this.#replies.length > 0 ? 0xff : 0x7f;
      default:
        return 0xff;
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    switch (register & 15) {
      case 0x4:
        s[fields.mixerIndex] = value;
        break;
      case 0x5:
        if (s[fields.mixerIndex] === 0) this.#resetMixer();
        else s[fields.mixer + s[fields.mixerIndex]] = value;
        break;
      case 0x6:
        if ((value & 1) === 0 && s[fields.resetting] !== 0) {
          this.#resetDsp();
          s[fields.waking] = 1;
          writeWide(s, fields.readyTick, this.#tick() + RESET_US);
        }
        s[fields.resetting] = value & 1;
        break;
      case 0xc:
        this.#take(value);
        break;
    }
  }

  nextEvent(): number {
    const s = this.#s;
    if (s[fields.playing] === 0 || s[fields.paused] !== 0) return Number.POSITIVE_INFINITY;
    const bytes = s[fields.format] === 0 ? s[fields.bytesLeft] - 1 : s[fields.bytesLeft];
    const samples = bytes * s[fields.samplesPerByte] + s[fields.samplesLeft];
    const batch = Math.max(0, Math.min(BATCH, samples) - 1);
    return this.#micros.countAt(readWide(s, fields.nextTick) + batch * this.#period());
  }

  /** Plays everything due up to this instruction count. */
  catchUp(count: number): void {
    const s = this.#s;
    const now = this.#micros.ticksAt(count);
    while (s[fields.playing] !== 0 && s[fields.paused] === 0) {
      const tick = readWide(s, fields.nextTick);
      if (tick > now) break;
      this.#emit(this.#micros.countAt(tick));
      this.#step();
      writeWide(s, fields.nextTick, tick + this.#period());
    }
    this.#emit(count);
  }

  /** A reset takes some microseconds, and each look at the status one of them, however fast the processor is. */
  #wake(): void {
    const s = this.#s;
    if (s[fields.waking] === 0) return;
    writeWide(s, fields.readyTick, readWide(s, fields.readyTick) - 1);
    if (this.#tick() < readWide(s, fields.readyTick)) return;
    s[fields.waking] = 0;
    this.#replies.push(0xaa);
  }

  /** Microseconds between samples. */
  #period(): number {
    return 256 - this.#s[fields.timeConstant];
  }

  /** Hands the level on for all samples before this instruction. */
  #emit(count: number): void {
    const s = this.#s;
    const to = this.#samples.ticksAt(count);
    const level = s[fields.level];
    if (this.#wires.sink.active && s[fields.speaker] !== 0 && level !== 0)
      for (let index = readWide(s, fields.sample); index < to; index++)
        this.#wires.sink.add(index, (level / 128) * LOUDNESS);
    writeWide(s, fields.sample, to);
  }

  /** One sample. */
  #step(): void {
    const s = this.#s;
    if (s[fields.format] !== 0) {
      this.#packed.step();
      return;
    }
    if (--s[fields.samplesLeft] > 0) return;
    if (s[fields.playing] === SILENCE) s[fields.level] = 0;
    else {
      const moved = this.#wires.dma(s[fields.recording] !== 0 ? QUIET : undefined);
      if (moved === undefined) {
        // The channel is masked: the DSP waits for it.
        s[fields.samplesLeft] = 1;
        return;
      }
      if (s[fields.recording] === 0) s[fields.level] = moved.value - QUIET;
    }
    s[fields.samplesLeft] = s[fields.samplesPerByte];
    if (--s[fields.bytesLeft] > 0) return;
    this.#setIrq(1);
    if (s[fields.playing] === ENDLESS && s[fields.ending] === 0) s[fields.bytesLeft] = s[fields.blockBytes];
    else s[fields.playing] = 0;
  }

  #take(value: number): void {
    const s = this.#s;
    if (s[fields.command] < 0) {
      s[fields.command] = value;
      s[fields.parameters] = 0;
    } else if (s[fields.parameters]++ === 0) s[fields.parameter1] = value;
    else s[fields.parameter2] = value;
    const command = s[fields.command];
    if (s[fields.parameters] < (parameterCounts.get(command) ?? 0)) return;
    s[fields.command] = -1;
    this.#execute(command, s[fields.parameter1], s[fields.parameter1] | (s[fields.parameter2] << 8));
  }

  #execute(command: number, byte: number, word: number): void {
    const s = this.#s;
    const playback = playbacks.get(command);
    if (playback !== undefined) {
      const ownLength = parameterCounts.has(command);
      s[fields.recording] = playback.recording ? 1 : 0;
      s[fields.samplesPerByte] = 1;
      this.#start(playback.endless ? ENDLESS : ONE_BLOCK, ownLength ? word + 1 : s[fields.blockBytes]);
      this.#packed.start(playback);
      return;
    }
    switch (command) {
      case 0x10:
        s[fields.level] = byte - QUIET;
        break;
      case 0x20:
        this.#replies.push(QUIET);
        break;
      case 0x40:
        s[fields.timeConstant] = byte;
        break;
      case 0x48:
        s[fields.blockBytes] = word + 1;
        break;
      case 0x80:
        s[fields.samplesPerByte] = 1;
        this.#start(SILENCE, word + 1);
        break;
      case 0xd0:
        s[fields.paused] = 1;
        break;
      case 0xd4:
        if (s[fields.paused] !== 0) writeWide(s, fields.nextTick, this.#tick() + this.#period());
        s[fields.paused] = 0;
        break;
      case 0xd1:
      case 0xd3:
        s[fields.speaker] = command === 0xd1 ? 1 : 0;
        break;
      case 0xd8:
        this.#replies.push(s[fields.speaker] !== 0 ? 0xff : 0);
        break;
      case 0xda:
        s[fields.ending] = 1;
        break;
      case 0xe0:
        this.#replies.push(~byte & 0xff);
        break;
      case 0xe1:
        this.#replies.push(2, 1);
        break;
      case 0xe2:
        s[fields.identity] = (s[fields.identity] + (byte ^ s[fields.identityKey])) & 0xff;
        s[fields.identityKey] = ((s[fields.identityKey] >> 2) | (s[fields.identityKey] << 6)) & 0xff;
        this.#wires.dma(s[fields.identity]);
        break;
      case 0xe4:
        s[fields.testRegister] = byte;
        break;
      case 0xe8:
        this.#replies.push(s[fields.testRegister]);
        break;
      case 0xf2:
        this.#setIrq(1);
        break;
      case 0xf8:
        this.#replies.push(0);
        break;
    }
  }

  #start(playing: number, bytes: number): void {
    const s = this.#s;
    s[fields.playing] = playing;
    s[fields.paused] = 0;
    s[fields.ending] = 0;
    s[fields.bytesLeft] = Math.max(1, bytes);
    s[fields.samplesLeft] = 1;
    s[fields.format] = 0;
    writeWide(s, fields.nextTick, this.#tick() + this.#period());
  }

  #tick(): number {
    return this.#micros.ticksAt(this.#wires.now());
  }

  #resetDsp(): void {
    const s = this.#s;
    for (let i = fields.command; i <= fields.bytesLeft; i++) s[i as typeof fields.command] = 0;
    s[fields.command] = -1;
    s[fields.samplesPerByte] = 1;
    s[fields.blockBytes] = 0x800;
    s[fields.timeConstant] = 166;
    s[fields.waking] = 0;
    s[fields.format] = 0;
    s[fields.adpcmStep] = 1;
    s[fields.adpcmLevel] = QUIET;
    s[fields.identity] = 0xaa;
    s[fields.identityKey] = 0x96;
    this.#replies.clear();
    this.#setIrq(0);
  }

  #resetMixer(): void {
    this.#s.fill(0, fields.mixer, fields.mixer + 256);
    for (const [index, value] of [
      [0x02, 0x08],
      [0x06, 0x08],
      [0x04, 0x99],
      [0x22, 0x99],
      [0x26, 0x99],
    ] as const)
      this.#s[fields.mixer + index] = value;
  }

  #setIrq(level: number): void {
    const s = this.#s;
    if (s[fields.irq] === level) return;
    s[fields.irq] = level;
    this.#wires.irq(level);
  }
}
