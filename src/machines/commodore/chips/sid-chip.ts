import { cutoffCurve } from '../../../chips/sid/cutoff.ts';
import { fields, VOICE_WORDS, type VoiceState, voiceFields } from '../../../chips/sid/fields.ts';
import type { SidModel } from '../../../chips/sid/sid.ts';
import { hexByte, hexWord } from '../../../formats/hex.ts';
import type { ChipNumbers } from '../../../machine/chips.ts';
import { registerFields } from './chip-fields.ts';
import { type Decoded, DecodedChip, flagNames, registerReadings, registerRows } from './decoded-chip.ts';
import { sidRegisters } from './register-names.ts';

const waveforms = ['triangle', 'sawtooth', 'pulse', 'noise'];
const phases = ['attack', 'decay or sustain', 'release'];
const notes = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
/** Milliseconds at 1 MHz, as the data sheet gives them; decay and release take three times as long. */
const attackMs = [2, 8, 16, 24, 38, 56, 68, 80, 100, 250, 500, 800, 1000, 3000, 5000, 8000];

/** A SID as it is wired. */
export interface SidView {
  /** `sid`, or `sid2` for a second one. */
  readonly name: string;
  readonly base: number;
  readonly state: Int32Array;
  readonly clockHz: number;
  readonly model: SidModel;
  /** A register as it would read, without side effects. */
  register(index: number): number;
  /** Brings both up to the present. */
  catchUp(): void;
}

/** The sound chip: what was written to its registers, and where its voices stand. */
export function sidChip(view: SidView): DecodedChip {
  const written = (register: number) => view.state[fields.registers + register] ?? 0;
  const { name, base } = view;
  return new DecodedChip(name, name === 'sid' ? 'SID, sound' : `second SID, at ${hexWord(base)}`, [
    {
      name: 'registers',
      count: 1,
      description: 'volume, filter, paddles, and all registers as they were last written',
      decode: () => ({
        values: { ...overview(view, written), ...registerRows(base, 25, written) },
        numbers: filterNumbers(view, written),
        registers: registerReadings(base, sidRegisters, (index) =>
          index < 25 ? written(index) : view.register(index),
        ),
      }),
      fields: () => registerFields(base, sidRegisters.slice(0, 25)),
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

function filterNumbers(view: SidView, written: (register: number) => number): ChipNumbers {
  const [mode, routing] = [written(0x18), written(0x17)];
  const cutoff = (written(0x15) & 7) | (written(0x16) << 3);
  return {
    model: view.model,
    volume: mode & 15,
    filter: {
      cutoff,
      cutoff_hz: Math.round(cutoffCurve(view.model)[cutoff] ?? 0),
      resonance: routing >> 4,
      low_pass: (mode & 0x10) !== 0,
      band_pass: (mode & 0x20) !== 0,
      high_pass: (mode & 0x40) !== 0,
      voices: [1, 2, 3].filter((each) => ((routing >> (each - 1)) & 1) !== 0),
      external: (routing & 8) !== 0,
    },
    voice_3_off: (mode & 0x80) !== 0,
    paddle_x: view.register(0x19),
    paddle_y: view.register(0x1a),
    osc3: view.register(0x1b),
    env3: view.register(0x1c),
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
  const milliseconds = (rate: number, times: number) =>
    Math.round((attackMs[rate & 15] ?? 0) * times * (1e6 / clockHz));
  return {
    numbers: {
      voice: index + 1,
      frequency,
      frequency_hz: Number(hertz.toFixed(2)),
      waveform: waveforms.filter((_, bit) => ((control >> (4 + bit)) & 1) !== 0),
      pulse_width: width,
      duty_percent: Number(((width / 4096) * 100).toFixed(2)),
      gate: (control & 1) !== 0,
      sync: (control & 2) !== 0,
      ring: (control & 4) !== 0,
      test: (control & 8) !== 0,
      attack: attackDecay >> 4,
      attack_ms: milliseconds(attackDecay >> 4, 1),
      decay: attackDecay & 15,
      decay_ms: milliseconds(attackDecay, 3),
      sustain: sustainRelease >> 4,
      sustain_percent: Number((((sustainRelease >> 4) / 15) * 100).toFixed(1)),
      release: sustainRelease & 15,
      release_ms: milliseconds(sustainRelease, 3),
      envelope: state[voiceFields.envelope],
      phase: phases[state[voiceFields.phase]] ?? '',
    },
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
