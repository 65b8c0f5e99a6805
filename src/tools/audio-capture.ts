import { z } from 'zod';
import { encodePng } from '../formats/png.ts';
import type { CapturedAudio } from '../machine/audio.ts';
import { MachineError } from '../machine/errors.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { spectrogram } from './audio/spectrogram.ts';
import { dominantHertz } from './audio/spectrum.ts';
import { wavFile } from './audio/wav-file.ts';
import { defineTool } from './tool.ts';

/** As much as an answer should carry: 900 kB. */
const maxInlineSeconds = 10;
const samplesAtOnce = 65_536;
const fullScale = 32_768;

export const audioCapture = defineTool({
  name: 'audio_capture',
  title: 'Capture sound',
  description:
    'Run for a number of frames and record the sound to a WAV file ("path"), or as audio in the answer. Reports level ' +
    'and pitch; "spectrogram" adds a picture of them. Example: {"frames":50,"path":"title.wav"}.',
  toolset: 'play',
  needs: ['audio', 'control'],
  effect: 'change',
  input: z.object({
    frames: z.number().int().min(1).max(15_000).default(50),
    path: z.string().optional().describe('New file, below an allowed path'),
    spectrogram: z.boolean().default(false).describe('Frequencies over time as an image'),
  }),
  async run({ audio, control }, { frames, path, spectrogram: isDrawn }, { rack, signal }) {
    const maxFrames = Math.floor(maxInlineSeconds * (control.framesPerSecond ?? 50));
    if (path === undefined && frames > maxFrames) {
      throw new MachineError(
        'LIMIT_REACHED',
        `${frames} frames of sound are too much for an answer; nothing was done.`,
        `Give a path for a WAV file, or capture at most ${maxFrames} frames.`,
      );
    }
    if (path !== undefined) await rack.files.requireNew(path);
    const captured = await audio.capture(frames, 40_000, signal);
    const wav = wavFile(captured);
    const slice = new TimeSlice(unlessAborted(signal));
    const facts = await factsOf(captured, slice);
    const drawn = isDrawn ? [await encodePng(await spectrogram(captured, slice), 1)] : [];
    const pictures = drawn.map((png) => ({ mimeType: 'image/png', base64: Buffer.from(png).toString('base64') }));
    const text = `${facts.seconds.toFixed(2)} s, peak ${facts.peak.toFixed(1)} dB, mean ${facts.level.toFixed(1)} dB${
      facts.hertz > 0 ? `, about ${facts.hertz.toFixed(1)} Hz` : ''
    }`;
    if (path !== undefined) {
      await rack.writeFile(path, wav);
      return { text: `${path}: ${text}`, data: { ...facts, path, bytes: wav.length }, images: pictures };
    }
    const sound = { mimeType: 'audio/wav', base64: Buffer.from(wav).toString('base64') };
    return { text, data: facts, images: [sound, ...pictures] };
  },
});

/** Levels in decibels below full scale, and as parts of it; the pitch is that of the strongest frequency, 0 when it is silent. */
async function factsOf({ samples, sampleRate }: CapturedAudio, slice: TimeSlice) {
  let peak = 0;
  let squares = 0;
  for (let start = 0; start < samples.length; start += samplesAtOnce) {
    const end = Math.min(samples.length, start + samplesAtOnce);
    for (let index = start; index < end; index++) {
      const sample = samples[index] ?? 0;
      peak = Math.max(peak, Math.abs(sample));
      squares += sample * sample;
    }
    if (slice.isOver) await slice.next();
  }
  const seconds = samples.length / sampleRate;
  const loudness = Math.sqrt(squares / Math.max(1, samples.length));
  return {
    seconds,
    peak: decibels(peak),
    level: decibels(loudness),
    amplitude: peak / fullScale,
    rms: loudness / fullScale,
    hertz: peak > 100 ? await dominantHertz(samples, sampleRate, slice) : 0,
  };
}

function decibels(value: number): number {
  return 20 * Math.log10(Math.max(1, value) / fullScale);
}
