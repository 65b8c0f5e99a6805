import { fields, VOICE_WORDS, type VoiceState, voiceFields } from '../../../chips/sid/fields.ts';
import { type Decoded, DecodedChip, flagNames, hexByte, registerRows } from './decoded-chip.ts';

const base = 0xd400;
const waveforms = ['triangle', 'sawtooth', 'pulse', 'noise'];
const phases = ['attack', 'decay or sustain', 'release'];
const notes = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
/** Milliseconds at 1 MHz, as the data sheet gives them; decay and release take three times as long. */
const attackMs = [2, 8, 16, 24, 38, 56, 68, 80, 100, 250, 500, 800, 1000, 3000, 5000, 8000];

/** A SID as it is wired. */
export interface SidView {
  readonly state: Int32Array;
  readonly clockHz: number;
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** Brings both up to the present. */
  catchUp(): void;
}

/** The sound chip: what was written to its registers, and where its voices stand. */
export function sidChip(view: SidView): DecodedChip {
  const written = (register: number) => view.state[fields.registers + register] ?? 0;
  return new DecodedChip('sid', 'SID, sound', [
    {
      name: 'registers',
      count: 1,
      description: 'volume, filter, paddles, and all registers as they were last written',
      decode: () => ({ values: { ...overview(view, written), ...registerRows(base, 25, written) } }),
    },
    {
      name: 'voice',
      count: 3,
      description: 'pitch, waveform, envelope',
      decode: (index) => voice(view, written, index),
    },
  ]);
}

function overview(view: SidView, written: (register: number) => number): Record<string, string | number | boolean> {
  const [mode, routing] = [written(0x18), written(0x17)];
  return {
    volume: mode & 15,
    filter: flagNames(['low-pass', 'band-pass', 'high-pass'], (mode >> 4) & 7),
    filtered: flagNames(['voice 1', 'voice 2', 'voice 3', 'external'], routing & 15),
    cutoff: (written(0x15) & 7) | (written(0x16) << 3),
    resonance: routing >> 4,
    voice_3_off: (mode & 0x80) !== 0,
    paddles: `x ${view.register(0x19)}, y ${view.register(0x1a)}`,
    osc3: hexByte(view.register(0x1b)),
    env3: hexByte(view.register(0x1c)),
  };
}

function voice(view: SidView, written: (register: number) => number, index: number): Decoded {
  view.catchUp();
  const { clockHz } = view;
  const state = view.state.subarray(index * VOICE_WORDS, (index + 1) * VOICE_WORDS) as VoiceState;
  const first = index * 7;
  const frequency = written(first) | (written(first + 1) << 8);
  const hertz = (frequency * clockHz) / 0x1000000;
  const width = (written(first + 2) | (written(first + 3) << 8)) & 0xfff;
  const control = written(first + 4);
  const [attackDecay, sustainRelease] = [written(first + 5), written(first + 6)];
  return {
    values: {
      frequency: `${frequency} (${hertz.toFixed(1)} Hz${noteName(hertz)})`,
      waveform: flagNames(waveforms, control >> 4),
      pulse_width: `${width} (${((width / 4096) * 100).toFixed(1)} %)`,
      gate: (control & 1) !== 0,
      sync: (control & 2) !== 0,
      ring: (control & 4) !== 0,
      test: (control & 8) !== 0,
      attack: `${attackDecay >> 4} (${attackMs[attackDecay >> 4]} ms)`,
      decay: `${attackDecay & 15} (${(attackMs[attackDecay & 15] ?? 0) * 3} ms)`,
      sustain: sustainRelease >> 4,
      release: `${sustainRelease & 15} (${(attackMs[sustainRelease & 15] ?? 0) * 3} ms)`,
      envelope: `${state[voiceFields.envelope]} of 255, ${phases[state[voiceFields.phase]] ?? ''}`,
    },
  };
}

/** The nearest note where A4 has 440 Hz. */
function noteName(hertz: number): string {
  if (hertz < 16) return '';
  const number = Math.round(12 * Math.log2(hertz / 440)) + 69;
  return `, about ${notes[number % 12]}${Math.floor(number / 12) - 1}`;
}
