/** Ticks of a quarter note; at 120 of them a minute, which a file without a tempo has, twice as many a second. */
export const ticksPerQuarter = 960;
const ticksPerSecond = ticksPerQuarter * 2;
const longestExclusive = 65_536;
const exclusive = 0xf0;
const endOfExclusive = 0xf7;
const firstRealTime = 0xf8;

/** Bytes of data after the status byte of a channel's message. */
function dataBytes(status: number): number {
  const kind = status >> 4;
  return kind === 0xc || kind === 0xd ? 1 : 2;
}

/** A number of any length, seven bits a byte. */
export function variableLength(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/**
 * Turns what goes over a MIDI cable into events of a track. What a file has no event for is left out: clock, active
 * sensing and the like, and system messages that are not exclusive.
 */
export class MidiStream {
  #status = 0;
  #data: number[] = [];
  #exclusive: number[] | null = null;
  #lastTick = 0;
  readonly #emit: (event: readonly number[]) => void;

  constructor(emit: (event: readonly number[]) => void) {
    this.#emit = emit;
  }

  /** `seconds` since the track began; a time before the last event counts as its own. */
  add(byte: number, seconds: number): void {
    if (byte >= firstRealTime) return;
    if (byte >= 0x80) this.#begin(byte, seconds);
    else if (this.#exclusive) this.#exclude(byte);
    else if (this.#status !== 0) this.#append(byte, seconds);
  }

  #begin(byte: number, seconds: number): void {
    const message = this.#exclusive;
    this.#exclusive = byte === exclusive ? [] : null;
    if (message && byte === endOfExclusive) {
      this.#write(seconds, [exclusive, ...variableLength(message.length + 1), ...message, endOfExclusive]);
    }
    this.#data = [];
    this.#status = byte < exclusive ? byte : 0;
  }

  #exclude(byte: number): void {
    if (this.#exclusive && this.#exclusive.length < longestExclusive) this.#exclusive.push(byte);
    else this.#exclusive = null;
  }

  #append(byte: number, seconds: number): void {
    this.#data.push(byte);
    if (this.#data.length < dataBytes(this.#status)) return;
    this.#write(seconds, [this.#status, ...this.#data]);
    this.#data = [];
  }

  #write(seconds: number, message: readonly number[]): void {
    const tick = Math.max(this.#lastTick, Math.round(seconds * ticksPerSecond));
    this.#emit([...variableLength(tick - this.#lastTick), ...message]);
    this.#lastTick = tick;
  }
}

/** The beginning of a file with one track of so many bytes, its end mark included. */
export function midiHeader(trackBytes: number): Uint8Array {
  const bytes = new Uint8Array(22);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from('MThd', 'latin1'));
  view.setUint32(4, 6);
  view.setUint16(8, 0);
  view.setUint16(10, 1);
  view.setUint16(12, ticksPerQuarter);
  bytes.set(Buffer.from('MTrk', 'latin1'), 14);
  view.setUint32(18, trackBytes);
  return bytes;
}

export const endOfTrack: readonly number[] = [0, 0xff, 0x2f, 0];
