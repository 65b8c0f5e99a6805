import type { CapturedAudio } from '../../machine/audio.ts';

const headerBytes = 44;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A WAV file of one channel with 16 bits. */
export function wavFile({ samples, sampleRate }: CapturedAudio): Uint8Array {
  const file = new Uint8Array(headerBytes + samples.length * 2);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string) => file.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  // A plain copy on nearly every computer: minutes of sound have millions of samples.
  if (isLittleEndian) new Int16Array(file.buffer, headerBytes).set(samples);
  else for (const [index, sample] of samples.entries()) view.setInt16(headerBytes + index * 2, sample, true);
  return file;
}
