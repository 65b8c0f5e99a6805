import { ByteQueue } from '../byte-queue.ts';
import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { setLevel } from './adpcm.ts';
import { highSpeed, isGeneral, parametersOf, playbacks } from './commands.ts';
import { fields, playingModes, repliesMost, type SoundBlasterState, stateWords } from './fields.ts';
import { BlasterMixer, type Gains } from './mixer.ts';
import { type BlasterModel, copyright, dspVersions } from './models.ts';
import { PackedPlayback } from './packed-playback.ts';

export interface SoundBlasterWires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
  /** The Sound Blaster 2.0 where nothing is said. */
  readonly model?: BlasterModel;
  irq(line: number, level: number): void;
  /** A byte or word over a DMA channel: from memory, or (with a value) into it. Undefined where the channel is not ready. */
  dma(channel: number, value?: number): { readonly value: number } | undefined;
  /** What else the mixer makes louder or softer is to be heard as it was up to now. */
  mixes?(): void;
}

const { oneBlock: ONE_BLOCK, endless: ENDLESS, silence: SILENCE } = playingModes;
/** Samples that are worked out together at most: memory is read no later than that. */
const BATCH = 32;
const LOUDNESS = 0.5;
const QUIET = 0x80;
const RESET_US = 20;
const MICROS = 1_000_000;

/**
 * Creative Sound Blaster 2.0, Pro or 16: the DSP (version 2.01, 3.02 or 4.05) and its mixer. The OPL on the card is a chip of
 * its own.
 *
 *               +-----------+
 *  2x4 mixer -->|           |
 *  2x6 reset -->|           |<--- DMA 1, and 5 for words
 *  2xA data  <--|    DSP    |---> IRQ 7
 *  2xC command->|           |---> sound (sink)
 *  2xE status <-|           |
 *  2xF ack 16 <-|           |
 *               +-----------+
 *
 * `nextEvent()` is when samples are due. The board calls `catchUp` before the DMA controller's registers are read.
 *
 * Source: Creative Sound Blaster Series Hardware Programming Guide (1996). Both sides go to the one loudspeaker. Not emulated:
 * recording (silence comes in), MIDI of the DSP, filters, busy times of the command port, the 16's signal processor.
 */
export class SoundBlaster {
  readonly mixer: BlasterMixer;
  readonly model: BlasterModel;
  readonly #s: SoundBlasterState;
  readonly #wires: SoundBlasterWires;
  readonly #micros: DeviceClock;
  readonly #samples: DeviceClock;
  readonly #replies: ByteQueue;
  readonly #packed: PackedPlayback;

  constructor(state: Int32Array, wires: SoundBlasterWires) {
    this.#s = state as SoundBlasterState;
    this.#wires = wires;
    this.model = wires.model ?? 'sb2';
    this.mixer = new BlasterMixer(this.#s, this.model);
    this.#micros = new DeviceClock(MICROS, wires.instructionsPerSecond);
    this.#samples = new DeviceClock(SAMPLE_HZ, wires.instructionsPerSecond);
    this.#replies = new ByteQueue(state.subarray(fields.replies), repliesMost);
    this.#packed = new PackedPlayback(this.#s, {
      dma: () => wires.dma(this.mixer.dma8),
      blockEnded: () => this.#setIrq(fields.irq, 1),
    });
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    this.#resetDsp();
    this.mixer.powerOn();
  }

  /** How loud the mixer lets the OPL be, both sides together. */
  get musicGain(): number {
    const [left, right] = this.mixer.music;
    return (left + right) / 2;
  }

  /** Ports 2x4-2xF as offsets. */
  read(register: number): number {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    switch (register & 15) {
      case 0x5:
        return this.mixer.read(s[fields.mixerIndex]);
      case 0xa:
        this.#wake();
        return this.#replies.length > 0 ? this.#replies.shift() : 0xff;
      case 0xc:
        return 0x7f;
      case 0xe:
        this.#wake();
        this.#setIrq(fields.irq, 0);
        return this.#replies.length > 0 ? 0xff : 0x7f;
      case 0xf:
        this.#setIrq(fields.irq16, 0);
        return 0xff;
      default:
        return 0xff;
    }
  }

  /** Of the DSP: the number before the point, and the one after it. */
  get version(): readonly [number, number] {
    return dspVersions[this.model];
  }

  write(register: number, value: number): void {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    switch (register & 15) {
      case 0x4:
        s[fields.mixerIndex] = value;
        break;
      case 0x5:
        this.#wires.mixes?.();
        this.mixer.write(s[fields.mixerIndex], value);
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
    const steps = this.#inPairs ? Math.ceil(samples / 2) : samples;
    return this.#micros.countAt(this.#tickAfter(Math.max(0, Math.min(BATCH, steps) - 1)));
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
      const next = this.#tickAfter(1);
      if (s[fields.rate] !== 0) s[fields.tickPart] = (s[fields.tickPart] + MICROS) % s[fields.rate];
      writeWide(s, fields.nextTick, next);
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

  /** Samples a second; on a Pro in stereo, of both sides together. */
  get sampleHz(): number {
    const s = this.#s;
    return s[fields.rate] !== 0 ? s[fields.rate] : MICROS / (256 - s[fields.timeConstant]);
  }

  /** The tick so many samples after the next. */
  #tickAfter(samples: number): number {
    const s = this.#s;
    const next = readWide(s, fields.nextTick);
    if (s[fields.rate] === 0) return next + samples * (256 - s[fields.timeConstant]);
    return next + Math.floor((s[fields.tickPart] + samples * MICROS) / s[fields.rate]);
  }

  /** A 16 plays both sides at once; a Pro one after the other, at twice the rate. */
  get #inPairs(): boolean {
    return this.model === 'sb16' && this.#s[fields.stereo] !== 0;
  }

  /** Hands the level on for all samples before this instruction. */
  #emit(count: number): void {
    const s = this.#s;
    const to = this.#samples.ticksAt(count);
    const isOn = s[fields.speaker] !== 0 || this.model === 'sb16';
    if (this.#wires.sink.active && isOn && (s[fields.level] !== 0 || s[fields.levelRight] !== 0)) {
      const [left, right]: Gains = this.mixer.voice;
      const value = ((s[fields.level] * left + s[fields.levelRight] * right) / 65_536) * LOUDNESS;
      for (let index = readWide(s, fields.sample); index < to; index++) this.#wires.sink.add(index, value);
    }
    writeWide(s, fields.sample, to);
  }

  /** What is due at a tick. */
  #step(): void {
    const s = this.#s;
    if (s[fields.format] !== 0) this.#packed.step();
    else if (--s[fields.samplesLeft] <= 0) {
      s[fields.samplesLeft] = 1;
      if (s[fields.playing] === SILENCE) {
        setLevel(s, QUIET);
        this.#count();
      } else if (this.#move() && this.#inPairs && s[fields.right] !== 0 && s[fields.playing] !== 0) this.#move();
    }
  }

  /** One sample of one side; false while the channel is masked: the DSP waits for it. */
  #move(): boolean {
    const s = this.#s;
    const wide = s[fields.wide] !== 0;
    const middle = s[fields.signed] !== 0 ? 0 : wide ? 0x8000 : QUIET;
    const recording = s[fields.recording] !== 0;
    const moved = this.#wires.dma(wide ? this.mixer.dma16 : this.mixer.dma8, recording ? middle : undefined);
    if (moved === undefined) return false;
    if (!recording) this.#setSide(wide, moved.value);
    if (s[fields.stereo] !== 0) s[fields.right] ^= 1;
    this.#count();
    return true;
  }

  #setSide(wide: boolean, value: number): void {
    const s = this.#s;
    const word = wide ? value : value << 8;
    const level = s[fields.signed] !== 0 ? (word << 16) >> 16 : word - 0x8000;
    if (s[fields.right] === 0 || s[fields.stereo] === 0) s[fields.level] = level;
    if (s[fields.right] !== 0 || s[fields.stereo] === 0) s[fields.levelRight] = level;
  }

  /** A byte or word less of the block. */
  #count(): void {
    const s = this.#s;
    if (--s[fields.bytesLeft] > 0) return;
    this.#setIrq(s[fields.wide] !== 0 ? fields.irq16 : fields.irq, 1);
    if (s[fields.playing] === ENDLESS && s[fields.ending] === 0) s[fields.bytesLeft] = s[fields.blockBytes];
    else s[fields.playing] = 0;
  }

  #take(value: number): void {
    const s = this.#s;
    if (s[fields.highSpeed] !== 0 && s[fields.playing] !== 0) return;
    if (s[fields.command] < 0) {
      s[fields.command] = value;
      s[fields.parameters] = 0;
    } else {
      const place = [fields.parameter1, fields.parameter2, fields.parameter3][s[fields.parameters]++];
      if (place !== undefined) s[place] = value;
    }
    const command = s[fields.command];
    if (s[fields.parameters] < parametersOf(this.model, command)) return;
    s[fields.command] = -1;
    this.#execute(command, s[fields.parameter1], s[fields.parameter1] | (s[fields.parameter2] << 8));
  }

  #execute(command: number, byte: number, word: number): void {
    const s = this.#s;
    const playback = playbacks.get(command);
    if (playback !== undefined) {
      const ownLength = parametersOf(this.model, command) > 0;
      s[fields.recording] = playback.recording ? 1 : 0;
      s[fields.samplesPerByte] = 1;
      this.#start(playback.endless ? ENDLESS : ONE_BLOCK, ownLength ? word + 1 : s[fields.blockBytes]);
      s[fields.stereo] = this.mixer.isStereo && playback.adpcm === undefined ? 1 : 0;
      s[fields.highSpeed] = this.model !== 'sb16' && highSpeed.has(command) ? 1 : 0;
      this.#packed.start(playback);
      return;
    }
    if (this.model === 'sb16' && this.#execute16(command, byte)) return;
    switch (command) {
      case 0x10:
        setLevel(s, byte);
        break;
      case 0x20:
        this.#replies.push(QUIET);
        break;
      case 0x40:
        s[fields.timeConstant] = byte;
        s[fields.rate] = 0;
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
        if (s[fields.paused] !== 0) this.#begin();
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
        this.#replies.push(...this.version);
        break;
      case 0xe2:
        s[fields.identity] = (s[fields.identity] + (byte ^ s[fields.identityKey])) & 0xff;
        s[fields.identityKey] = ((s[fields.identityKey] >> 2) | (s[fields.identityKey] << 6)) & 0xff;
        this.#wires.dma(this.mixer.dma8, s[fields.identity]);
        break;
      case 0xe3:
        if (this.model !== 'sb2') this.#replies.push(...Array.from(copyright, (c) => c.charCodeAt(0)), 0);
        break;
      case 0xe4:
        s[fields.testRegister] = byte;
        break;
      case 0xe8:
        this.#replies.push(s[fields.testRegister]);
        break;
      case 0xf2:
        this.#setIrq(fields.irq, 1);
        break;
      case 0xf8:
        this.#replies.push(0);
        break;
    }
  }

  /** What only DSP 4 knows. */
  #execute16(command: number, byte: number): boolean {
    const s = this.#s;
    if (isGeneral(command)) {
      const endless = (command & 4) !== 0;
      const length = (s[fields.parameter2] | (s[fields.parameter3] << 8)) + 1;
      s[fields.recording] = (command >> 3) & 1;
      s[fields.samplesPerByte] = 1;
      if (endless) s[fields.blockBytes] = length;
      this.#start(endless ? ENDLESS : ONE_BLOCK, length);
      s[fields.wide] = (command & 0xf0) === 0xb0 ? 1 : 0;
      s[fields.signed] = (byte >> 4) & 1;
      s[fields.stereo] = (byte >> 5) & 1;
      return true;
    }
    switch (command) {
      case 0x41:
      case 0x42:
        s[fields.rate] = Math.max(4000, Math.min(48_000, (byte << 8) | s[fields.parameter2]));
        return true;
      case 0x0f:
        this.#replies.push(0xff);
        return true;
      case 0xd5:
        s[fields.paused] = 1;
        return true;
      case 0xd6:
        if (s[fields.paused] !== 0) this.#begin();
        s[fields.paused] = 0;
        return true;
      case 0x45:
      case 0x47:
        s[fields.ending] = 0;
        return true;
      case 0xd9:
        s[fields.ending] = 1;
        return true;
      case 0xf3:
        this.#setIrq(fields.irq16, 1);
        return true;
      default:
        return false;
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
    for (const field of [fields.wide, fields.signed, fields.stereo, fields.right, fields.highSpeed]) s[field] = 0;
    this.#begin();
  }

  /** The next sample comes one period from now. */
  #begin(): void {
    const s = this.#s;
    s[fields.tickPart] = 0;
    writeWide(s, fields.nextTick, this.#tick());
    writeWide(s, fields.nextTick, this.#tickAfter(1));
  }

  #tick(): number {
    return this.#micros.ticksAt(this.#wires.now());
  }

  #resetDsp(): void {
    const s = this.#s;
    for (let i = fields.command; i <= fields.bytesLeft; i++) s[i as typeof fields.command] = 0;
    for (const field of [fields.wide, fields.signed, fields.stereo, fields.right, fields.levelRight, fields.rate])
      s[field] = 0;
    s[fields.highSpeed] = 0;
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
    this.#setIrq(fields.irq, 0);
    this.#setIrq(fields.irq16, 0);
  }

  /** Of bytes or of words; both have the same line. */
  #setIrq(which: typeof fields.irq | typeof fields.irq16, level: number): void {
    const s = this.#s;
    if (s[which] === level) return;
    const before = s[fields.irq] | s[fields.irq16];
    s[which] = level;
    const after = s[fields.irq] | s[fields.irq16];
    if (after !== before) this.#wires.irq(this.mixer.irqLine, after);
  }
}
