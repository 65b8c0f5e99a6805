import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import {
  CHANNEL_WORDS,
  channelCount,
  channelFields,
  fields,
  stateWords,
  VOICE_WORDS,
  voiceCount,
  voiceFields,
  voiceStates,
} from './fields.ts';
import { drum, drumSeconds, families } from './instruments.ts';

export interface GmSynthWires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
}

const DRUMS = 9;
const LOUDNESS = 0.2;
const MIDDLE_BEND = 0x2000;
/** Time constants after which nothing is left of a sound. */
const SILENT_AFTER = 6;
const controllers = { volume: 7, expression: 11, pedal: 64, soundOff: 120, reset: 121, notesOff: 123 } as const;
const { free: FREE, held: HELD, sustained: SUSTAINED, released: RELEASED } = voiceStates;

/**
 * A small synthesizer for what the MPU-401 is sent: General MIDI's sixteen families of instruments as simple waves, and its drums. It is no
 * sound module that anybody sold. What is heard follows from the notes and the time, so nothing is worked out while nobody listens.
 *
 * Not there: single programs of a family, sides, modulation, other ranges of pitch bend, exclusive messages.
 */
export class GmSynth {
  readonly #s: Int32Array;
  readonly #wires: GmSynthWires;
  readonly #samples: DeviceClock;

  constructor(state: Int32Array, wires: GmSynthWires) {
    this.#s = state;
    this.#wires = wires;
    this.#samples = new DeviceClock(SAMPLE_HZ, wires.instructionsPerSecond);
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    for (let channel = 0; channel < channelCount; channel++) {
      this.#set(channel, 'volume', 100);
      this.#resetControllers(channel);
    }
  }

  /** A byte from the cable. */
  play(byte: number): void {
    const s = this.#s;
    if (byte >= 0xf8) return;
    if (byte >= 0x80) {
      s[fields.status] = byte < 0xf0 ? byte : 0;
      s[fields.hasData] = 0;
      return;
    }
    const status = s[fields.status];
    if (status === 0) return;
    const kind = status >> 4;
    if (kind !== 0xc && kind !== 0xd && s[fields.hasData] === 0) {
      s[fields.data] = byte;
      s[fields.hasData] = 1;
      return;
    }
    s[fields.hasData] = 0;
    this.catchUp(this.#wires.now());
    this.#obey(kind, status & 15, s[fields.data], byte);
  }

  /** Notes that sound now, as channel and number. */
  notes(): readonly { readonly channel: number; readonly note: number; readonly program: number }[] {
    return this.#all(HELD, SUSTAINED).map((voice) => ({
      channel: this.#voice(voice, 'channel'),
      note: this.#voice(voice, 'note'),
      program: this.#voice(voice, 'program'),
    }));
  }

  /** Hands on the samples up to this instruction count. */
  catchUp(count: number): void {
    const s = this.#s;
    const from = readWide(s, fields.sample);
    const to = this.#samples.ticksAt(count);
    if (to <= from) return;
    writeWide(s, fields.sample, to);
    this.#forgetSilent(to);
    if (!this.#wires.sink.active) return;
    for (const voice of this.#all(HELD, SUSTAINED, RELEASED)) this.#hear(voice, from, to);
  }

  #hear(voice: number, from: number, to: number): void {
    const at = voice * VOICE_WORDS;
    const channel = this.#voice(voice, 'channel');
    const loud =
      (LOUDNESS * this.#voice(voice, 'velocity') * this.#get(channel, 'volume') * this.#get(channel, 'expression')) /
      127 ** 3;
    const start = readWide(this.#s, at + voiceFields.start);
    const note = this.#voice(voice, 'note');
    const { sink } = this.#wires;
    if (channel === DRUMS) {
      for (let index = from; index < to; index++) sink.add(index, loud * drum(note, (index - start) / SAMPLE_HZ));
      return;
    }
    const { wave, attack, decay, release } = this.#instrument(voice);
    const bend = ((this.#get(channel, 'bend') - MIDDLE_BEND) * 2) / MIDDLE_BEND;
    const step = (440 * 2 ** ((note - 69 + bend) / 12)) / SAMPLE_HZ;
    const isReleased = this.#voice(voice, 'state') === RELEASED;
    const end = isReleased ? readWide(this.#s, at + voiceFields.release) : Number.POSITIVE_INFINITY;
    for (let index = from; index < to; index++) {
      const age = (index - start) / SAMPLE_HZ;
      const phase = (index - start) * step;
      let level = age < attack ? age / attack : Math.exp((attack - age) / decay);
      if (index > end) level *= Math.exp((end - index) / SAMPLE_HZ / release);
      sink.add(index, loud * level * wave(phase - Math.floor(phase)));
    }
  }

  #obey(kind: number, channel: number, first: number, second: number): void {
    switch (kind) {
      case 0x8:
        this.#noteOff(channel, first);
        break;
      case 0x9:
        if (second === 0) this.#noteOff(channel, first);
        else this.#noteOn(channel, first, second);
        break;
      case 0xb:
        this.#control(channel, first, second);
        break;
      case 0xc:
        this.#set(channel, 'program', second);
        break;
      case 0xe:
        this.#set(channel, 'bend', first | (second << 7));
        break;
    }
  }

  #control(channel: number, controller: number, value: number): void {
    if (controller === controllers.volume) this.#set(channel, 'volume', value);
    else if (controller === controllers.expression) this.#set(channel, 'expression', value);
    else if (controller === controllers.pedal) {
      this.#set(channel, 'pedal', value >= 64 ? 1 : 0);
      if (value < 64) for (const voice of this.#of(channel, SUSTAINED)) this.#letGo(voice);
    } else if (controller === controllers.reset) this.#resetControllers(channel);
    else if (controller === controllers.soundOff)
      for (const voice of this.#of(channel, HELD, SUSTAINED, RELEASED)) this.#setVoice(voice, 'state', FREE);
    else if (controller >= controllers.notesOff) for (const voice of this.#of(channel, HELD)) this.#letGo(voice);
  }

  #noteOn(channel: number, note: number, velocity: number): void {
    this.#noteOff(channel, note);
    const voice = this.#freeVoice();
    writeWide(this.#s, voice * VOICE_WORDS + voiceFields.start, readWide(this.#s, fields.sample));
    this.#setVoice(voice, 'state', HELD);
    this.#setVoice(voice, 'channel', channel);
    this.#setVoice(voice, 'note', note);
    this.#setVoice(voice, 'velocity', velocity);
    this.#setVoice(voice, 'program', this.#get(channel, 'program'));
  }

  #noteOff(channel: number, note: number): void {
    for (const voice of this.#of(channel, HELD)) {
      if (this.#voice(voice, 'note') !== note) continue;
      if (this.#get(channel, 'pedal') !== 0) this.#setVoice(voice, 'state', SUSTAINED);
      else this.#letGo(voice);
    }
  }

  #letGo(voice: number): void {
    this.#setVoice(voice, 'state', RELEASED);
    writeWide(this.#s, voice * VOICE_WORDS + voiceFields.release, readWide(this.#s, fields.sample));
  }

  /** One that is free, else the oldest. */
  #freeVoice(): number {
    const all = Array.from({ length: voiceCount }, (_, voice) => voice);
    const start = (voice: number) => readWide(this.#s, voice * VOICE_WORDS + voiceFields.start);
    return (
      all.find((voice) => this.#voice(voice, 'state') === FREE) ??
      all.reduce((oldest, voice) => (start(voice) < start(oldest) ? voice : oldest))
    );
  }

  #forgetSilent(now: number): void {
    for (const voice of this.#all(HELD, SUSTAINED, RELEASED)) {
      const at = voice * VOICE_WORDS;
      const age = (now - readWide(this.#s, at + voiceFields.start)) / SAMPLE_HZ;
      const { decay, release, attack } = this.#instrument(voice);
      const letGoAt = this.#voice(voice, 'state') === RELEASED ? readWide(this.#s, at + voiceFields.release) : now;
      const isOver =
        this.#voice(voice, 'channel') === DRUMS
          ? age > drumSeconds
          : age > attack + SILENT_AFTER * decay || (now - letGoAt) / SAMPLE_HZ > SILENT_AFTER * release;
      if (isOver) this.#setVoice(voice, 'state', FREE);
    }
  }

  #instrument(voice: number) {
    return families[(this.#voice(voice, 'program') >> 3) & 15] as (typeof families)[number];
  }

  #resetControllers(channel: number): void {
    this.#set(channel, 'expression', 127);
    this.#set(channel, 'bend', MIDDLE_BEND);
    this.#set(channel, 'pedal', 0);
  }

  #all(...states: readonly number[]): number[] {
    const found: number[] = [];
    for (let voice = 0; voice < voiceCount; voice++)
      if (states.includes(this.#voice(voice, 'state'))) found.push(voice);
    return found;
  }

  #of(channel: number, ...states: readonly number[]): number[] {
    return this.#all(...states).filter((voice) => this.#voice(voice, 'channel') === channel);
  }

  #voice(voice: number, field: keyof typeof voiceFields): number {
    return this.#s[voice * VOICE_WORDS + voiceFields[field]];
  }

  #setVoice(voice: number, field: keyof typeof voiceFields, value: number): void {
    this.#s[voice * VOICE_WORDS + voiceFields[field]] = value;
  }

  #get(channel: number, field: keyof typeof channelFields): number {
    return this.#s[fields.channels + channel * CHANNEL_WORDS + channelFields[field]];
  }

  #set(channel: number, field: keyof typeof channelFields, value: number): void {
    this.#s[fields.channels + channel * CHANNEL_WORDS + channelFields[field]] = value;
  }
}
