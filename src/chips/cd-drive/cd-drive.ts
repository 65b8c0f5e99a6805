import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { audioStates, type CdDriveState, fields, stateWords } from './fields.ts';

/** What is on a disc, as far as the drive plays it. */
export interface CdMedium {
  /** The sector after the last. */
  readonly leadOut: number;
  /** Left and right by turns, 588 of each; undefined for data. */
  samples(sector: number): Int16Array | undefined;
}

export interface CdDriveWires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
}

const samplesPerSector = 588;
const fullVolume = 255;
const fullScale = 65_536;
const silence = new Int16Array(samplesPerSector * 2);

/**
 * A CD-ROM drive that plays sound: tray, head, four outputs with volumes. What is read of data is not its business.
 *
 * Nothing of it happens on its own: where it is follows from when it began to play. `catchUp` hands on what is heard; both
 * channels go to the one loudspeaker. Not emulated: the time the head and the motor take.
 */
export class CdDrive<Medium extends CdMedium = CdMedium> {
  readonly #s: CdDriveState;
  readonly #wires: CdDriveWires;
  readonly #samples: DeviceClock;
  #medium: Medium | undefined;
  #sector = -1;
  #content: Int16Array = silence;

  constructor(state: Int32Array, wires: CdDriveWires) {
    this.#s = state as CdDriveState;
    this.#wires = wires;
    this.#samples = new DeviceClock(SAMPLE_HZ, wires.instructionsPerSecond);
  }

  powerOn(): void {
    const s = this.#s;
    s.fill(0, 0, stateWords);
    for (let output = 0; output < 4; output++) this.setOutput(output, output, output < 2 ? fullVolume : 0);
  }

  /** What is in the tray, if it is closed. */
  get medium(): Medium | undefined {
    return this.isOpen ? undefined : this.#medium;
  }

  /** Somebody puts a disc in or takes it out. */
  insert(medium: Medium | undefined): void {
    this.#settle();
    this.#medium = medium;
    this.#sector = -1;
    this.#s[fields.open] = 0;
    this.#lose();
  }

  /** A machine with this state has that disc: nothing happens to it. */
  replace(medium: Medium | undefined): void {
    this.#medium = medium;
    this.#sector = -1;
  }

  get isOpen(): boolean {
    return this.#s[fields.open] !== 0;
  }

  get isLocked(): boolean {
    return this.#s[fields.locked] !== 0;
  }

  lock(locked: boolean): void {
    this.#s[fields.locked] = locked ? 1 : 0;
  }

  /** False while it is locked. */
  setTray(open: boolean): boolean {
    if (open && this.isLocked) return false;
    if (open !== this.isOpen) {
      this.#settle();
      this.#s[fields.open] = open ? 1 : 0;
      this.#lose();
    }
    return true;
  }

  /** Whether another disc may be in since the last call. */
  takeChange(): boolean {
    const changed = this.#s[fields.changed] !== 0;
    this.#s[fields.changed] = 0;
    return changed;
  }

  /** How often that may have been, for those who remember it themselves. */
  get changes(): number {
    return this.#s[fields.changes];
  }

  setOutput(output: number, input: number, volume: number): void {
    this.catchUp(this.#wires.now());
    const s: Int32Array = this.#s;
    s[fields.inputs + (output & 3)] = input & 0xff;
    s[fields.volumes + (output & 3)] = volume & 0xff;
  }

  output(output: number): { readonly input: number; readonly volume: number } {
    const s: Int32Array = this.#s;
    return { input: s[fields.inputs + (output & 3)] ?? 0, volume: s[fields.volumes + (output & 3)] ?? 0 };
  }

  /** From this sector on, so many of them. */
  play(first: number, sectors: number): void {
    const s = this.#s;
    this.#settle();
    s[fields.first] = first;
    s[fields.end] = Math.min(first + sectors, this.medium?.leadOut ?? 0);
    s[fields.ended] = 0;
    this.#goOn(first * samplesPerSector);
  }

  /** Playing becomes a pause, a pause an end. */
  stop(): void {
    const s = this.#s;
    this.#settle();
    if (s[fields.audio] === audioStates.playing) {
      writeWide(s, fields.from, this.#place());
      s[fields.audio] = audioStates.paused;
    } else {
      s[fields.audio] = audioStates.none;
      s[fields.first] = 0;
      s[fields.end] = 0;
    }
    s[fields.ended] = 2;
  }

  /** False where nothing is paused. */
  resume(): boolean {
    const s = this.#s;
    this.#settle();
    if (s[fields.audio] !== audioStates.paused) return false;
    this.#goOn(readWide(s, fields.from));
    return true;
  }

  seek(sector: number): void {
    this.#settle();
    this.#s[fields.audio] = audioStates.none;
    this.#s[fields.head] = sector;
  }

  get isPlaying(): boolean {
    this.#settle();
    return this.#s[fields.audio] === audioStates.playing;
  }

  get isPaused(): boolean {
    return this.#s[fields.audio] === audioStates.paused;
  }

  /** 0 never, 1 it came to its end, 2 it was stopped. */
  get howItEnded(): number {
    this.#settle();
    return this.#s[fields.ended];
  }

  get head(): number {
    this.#settle();
    return this.#s[fields.head];
  }

  /** What is being played, or would be after a resume. */
  get range(): { readonly first: number; readonly end: number } {
    return { first: this.#s[fields.first], end: this.#s[fields.end] };
  }

  /** Hands on what is heard up to this instruction count. */
  catchUp(count: number): void {
    const s = this.#s;
    if (s[fields.audio] !== audioStates.playing) return;
    const to = this.#samples.ticksAt(count);
    if (to <= readWide(s, fields.heard)) return;
    const since = readWide(s, fields.since);
    const start = readWide(s, fields.from) - since;
    const end = s[fields.end] * samplesPerSector - start;
    if (this.#wires.sink.active) {
      for (let index = readWide(s, fields.heard); index < Math.min(to, end); index++) this.#hear(index, start + index);
    }
    writeWide(s, fields.heard, to);
  }

  #hear(index: number, sample: number): void {
    const sector = Math.floor(sample / samplesPerSector);
    if (sector !== this.#sector) {
      this.#sector = sector;
      this.#content = this.medium?.samples(sector) ?? silence;
    }
    const at = (sample - sector * samplesPerSector) * 2;
    let sum = 0;
    for (let output = 0; output < 2; output++) {
      const { input, volume } = this.output(output);
      if (input < 2) sum += ((this.#content[at + input] ?? 0) * volume) / fullVolume;
    }
    if (sum !== 0) this.#wires.sink.add(index, sum / fullScale);
  }

  #goOn(sample: number): void {
    const s = this.#s;
    const now = this.#samples.ticksAt(this.#wires.now());
    s[fields.audio] = audioStates.playing;
    writeWide(s, fields.from, sample);
    writeWide(s, fields.since, now);
    writeWide(s, fields.heard, now);
  }

  /** The sample of the disc that is due now. */
  #place(): number {
    const s = this.#s;
    return readWide(s, fields.from) + this.#samples.ticksAt(this.#wires.now()) - readWide(s, fields.since);
  }

  /** Brings what follows from the time up to date. */
  #settle(): void {
    const s = this.#s;
    if (s[fields.audio] !== audioStates.playing) return;
    this.catchUp(this.#wires.now());
    const sector = Math.floor(this.#place() / samplesPerSector);
    s[fields.head] = Math.min(sector, s[fields.end]);
    if (sector < s[fields.end]) return;
    s[fields.audio] = audioStates.none;
    s[fields.ended] = 1;
  }

  #lose(): void {
    const s = this.#s;
    s[fields.audio] = audioStates.none;
    s[fields.changed] = 1;
    s[fields.changes]++;
    s[fields.head] = 0;
  }
}
