import { z } from 'zod';
import type { CapturedAudio } from '../machine/audio.ts';
import { MachineError } from '../machine/errors.ts';
import { TimeSlice, unlessAborted } from '../machine/time-slice.ts';
import { wavFile } from './audio/wav-file.ts';
import { defineTool } from './tool.ts';

/** As much as an answer should carry: 900 kB. */
const maxInlineSeconds = 10;
const samplesAtOnce = 65_536;

export const audioCapture = defineTool({
  name: 'audio_capture',
  title: 'Capture sound',
  description:
    'Run for so many frames and record the sound: into a WAV file ("path"), else as audio in the answer. Says how loud ' +
    'it was and how high. Example: {"frames":50,"path":"title.wav"}.',
  toolset: 'more',
  needs: ['audio', 'control'],
  effect: 'change',
  input: z.object({
    frames: z.number().int().min(1).max(15_000).default(50),
    path: z.string().optional().describe('New file, below an allowed path'),
  }),
  async run({ audio, control }, { frames, path }, { rack, signal }) {
    const maxFrames = Math.floor(maxInlineSeconds * (control.framesPerSecond ?? 50));
    if (path === undefined && frames > maxFrames) {
      throw new MachineError(
        'LIMIT_REACHED',
        `${frames} frames of sound are too much for an answer; nothing was done.`,
        `Give a path for a WAV file, or capture at most ${maxFrames} frames.`,
      );
    }
    const captured = await audio.capture(frames, 40_000, signal);
    const wav = wavFile(captured);
    const facts = await factsOf(captured, signal);
    const text = `${facts.seconds.toFixed(2)} s, peak ${facts.peak.toFixed(1)} dB, mean ${facts.level.toFixed(1)} dB${
      facts.hertz > 0 ? `, about ${Math.round(facts.hertz)} Hz` : ''
    }`;
    if (path !== undefined) {
      await rack.writeFile(path, wav);
      return { text: `${path}: ${text}`, data: { ...facts, path, bytes: wav.length } };
    }
    return { text, data: facts, images: [{ mimeType: 'audio/wav', base64: Buffer.from(wav).toString('base64') }] };
  },
});

/** In decibels below full scale; the pitch from how often the middle is crossed, 0 when it is silent. */
async function factsOf({ samples, sampleRate }: CapturedAudio, signal: AbortSignal) {
  const slice = new TimeSlice(unlessAborted(signal));
  let peak = 0;
  let squares = 0;
  let crossings = 0;
  let before = 0;
  for (let start = 0; start < samples.length; start += samplesAtOnce) {
    const end = Math.min(samples.length, start + samplesAtOnce);
    for (let index = start; index < end; index++) {
      const sample = samples[index] ?? 0;
      peak = Math.max(peak, Math.abs(sample));
      squares += sample * sample;
      if (sample >= 0 && before < 0) crossings++;
      before = sample;
    }
    if (slice.isOver) await slice.next();
  }
  const seconds = samples.length / sampleRate;
  const loudness = Math.sqrt(squares / Math.max(1, samples.length));
  return {
    seconds,
    peak: decibels(peak),
    level: decibels(loudness),
    hertz: peak > 100 && seconds > 0 ? crossings / seconds : 0,
  };
}

function decibels(value: number): number {
  return 20 * Math.log10(Math.max(1, value) / 32_768);
}
