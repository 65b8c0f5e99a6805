import { expect } from 'vitest';
import type { PlayedProgram } from './played-program.ts';
import type { ProgramStage } from './program-stage.ts';

const never = new AbortController().signal;

async function heard(stage: ProgramStage, frames: number): Promise<{ samples: Float64Array; rate: number }> {
  const { samples, sampleRate } = await stage.machine.audio.capture(frames, 50_000, never);
  return { samples: Float64Array.from(samples), rate: sampleRate };
}

/** How often a second a wave goes up through its middle. */
function pitch(samples: Float64Array, rate: number): number {
  const middle = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const ups: number[] = [];
  for (let at = 1; at < samples.length; at++) {
    if ((samples[at - 1] ?? 0) < middle && (samples[at] ?? 0) >= middle) ups.push(at);
  }
  return ((ups.length - 1) * rate) / ((ups.at(-1) ?? 0) - (ups[0] ?? 0));
}

/** How strong a pitch is in what was heard. */
function strength(samples: Float64Array, rate: number, hz: number): number {
  let [real, imaginary] = [0, 0];
  for (const [at, value] of samples.entries()) {
    real += value * Math.cos((2 * Math.PI * hz * at) / rate);
    imaginary += value * Math.sin((2 * Math.PI * hz * at) / rate);
  }
  return (2 * Math.hypot(real, imaginary)) / samples.length;
}

/** The turns that a point takes, as `fractal.asm` counts them. */
function turns(column: number, row: number): number {
  const [cr, ci] = [column * 0.0375 - 2.25, row * 0.0375 - 1.125];
  let [zr, zi] = [0, 0];
  for (let count = 0; count < 40; count++) {
    const [zr2, zi2] = [zr * zr, zi * zi];
    if (zr2 + zi2 > 4) return count;
    [zr, zi] = [zr2 - zi2 + cr, 2 * (zr * zi) + ci];
  }
  return 40;
}

export const soundAndProcessor: readonly PlayedProgram[] = [
  {
    name: 'blaster',
    async play(stage) {
      await stage.enter('blaster', 'playing');
      const low = await heard(stage, 28);
      expect(pitch(low.samples, low.rate)).toBeCloseTo(500, -1);
      await stage.frames(60);
      const high = await heard(stage, 14);
      expect(pitch(high.samples, high.rate)).toBeCloseTo(1000, -1);
      expect(Math.max(...high.samples) - Math.min(...high.samples)).toBeGreaterThan(10_000);
      await stage.press('space');
      await stage.ended();
      // An interrupt each tenth of a second, which are seven frames.
      expect(stage.exitCode).toBeGreaterThanOrEqual(14);
      expect(stage.exitCode).toBeLessThanOrEqual(17);
      const after = await heard(stage, 7);
      expect(Math.max(...after.samples.subarray(2000)) - Math.min(...after.samples.subarray(2000))).toBeLessThan(500);
    },
  },
  {
    name: 'adlib',
    async play(stage) {
      await stage.enter('adlib', 'playing');
      const { samples, rate } = await heard(stage, 105);
      const loud = samples.findIndex((sample) => Math.abs(sample) > 1000);
      // A note is eight ticks of the clock.
      const note = (8 * rate * 65_536) / 1_193_182;
      const pitches = [0, 1, 2].map((index) => {
        const from = Math.round(loud + (index + 0.2) * note);
        return pitch(samples.subarray(from, from + Math.round(note * 0.6)), rate);
      });
      const expected = [440, 523.25, 659.26];
      for (const [index, hz] of expected.entries()) expect(Math.abs((pitches[index] ?? 0) - hz)).toBeLessThan(2);
      await stage.ended();
      expect(stage.exitCode).toBe(0);
    },
  },
  {
    name: 'speaker',
    async play(stage) {
      await stage.enter('speaker', 'playing');
      const { samples, rate } = await heard(stage, 21);
      const hz = 1_193_182 / 75 / 40;
      // A sine: what pulses lose or gain would be heard an octave and more above it.
      const tone = strength(samples, rate, hz);
      expect(tone).toBeGreaterThan(5000);
      for (const above of [2, 3, 4, 5]) expect(strength(samples, rate, hz * above)).toBeLessThan(tone / 20);
      await stage.press('space');
      await stage.ended();
      // The clock goes on at its own speed.
      const before = await stage.machine.memory.peek('cpu', 0x46cn, 1);
      await stage.frames(70);
      const after = await stage.machine.memory.peek('cpu', 0x46cn, 1);
      expect(Math.abs((((after[0] ?? 0) - (before[0] ?? 0)) & 0xff) - 18)).toBeLessThanOrEqual(1);
    },
  },
  {
    name: 'fractal',
    async play(stage) {
      await stage.type('fractal\n');
      await stage.until(async () => (await stage.line(59))[79] === turns(79, 59));
      for (let row = 0; row < 60; row++) {
        const expected = Array.from({ length: 80 }, (_, column) => turns(column, row));
        expect((await stage.line(row)).slice(0, 80), `row ${row}`).toEqual(expected);
      }
      await stage.press('space');
      await stage.ended();
      expect(stage.exitCode).toBe(0);
    },
  },
  {
    name: 'int86',
    async play(stage) {
      await stage.type('int86\n');
      await stage.ended();
      // Mov, ten times nop and loop, pushf, pop, and, push, popf.
      expect(await stage.screen()).toContain('>int86\n640\n*+\ndecrypted\n500500\n26\n');
      expect(stage.exitCode).toBe(0);
    },
  },
  {
    name: 'protect',
    async play(stage) {
      await stage.enter('protect', '/ticks \\d+/');
      // The sum of the squares of 0 to 63; the square of 63.
      await stage.see('faults 64, sum 85344, last page 3969, ticks 50');
      const rows = await stage.rows();
      expect(rows.some((row) => row.startsWith('written from protected mode'))).toBe(true);
      const row = rows.findIndex((text) => text.startsWith('written'));
      expect(await stage.attribute(0, row)).toBe(0x2e);
      await stage.ended();
      await stage.enter('echo still DOS', '/\\nstill DOS/');
    },
  },
];
