import type { CallLine } from '../../channel.ts';

export function timeText(at: number): string {
  return new Date(at).toLocaleTimeString();
}

/** Of an answer: its characters, and the bytes of its images. */
export function sizeText({ size, imageBytes }: Pick<CallLine, 'size' | 'imageBytes'>): string {
  const images = imageBytes === 0 ? '' : ` + ${Math.ceil(imageBytes / 1024).toLocaleString()} KB of images`;
  return `${size.toLocaleString()} characters${images}`;
}
