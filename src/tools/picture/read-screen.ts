import type { ToolAnswer } from '../../api/tool-host.ts';
import { encodePng } from '../../formats/png.ts';
import type { Picture, ScreenCapability } from '../../machine/screen.ts';
import { legibleScale, shrink, shrinkFactor } from './picture-size.ts';
import { showText } from './show-text.ts';

/** What a screen shows: text where a text mode is on, unless a picture is wanted. */
export async function readScreen(
  screen: ScreenCapability,
  mode: 'auto' | 'text' | 'image' | 'both' = 'auto',
  colours = false,
): Promise<ToolAnswer> {
  const text = mode === 'image' ? undefined : await screen.text();
  const answer = text ? showText(text, colours) : mode === 'text' ? 'No text mode is on; use "mode":"image".' : '';
  const data = text ? { columns: text.columns, rows: text.rows, lines: text.lines, untrusted: true } : {};
  if (mode === 'text' || (mode === 'auto' && text)) return { text: answer, data };
  const { caption, png } = await photograph(screen);
  const image = { mimeType: 'image/png', base64: Buffer.from(png).toString('base64') };
  return { text: [answer, caption].filter(Boolean).join('\n'), data, images: [image] };
}

/** At a size that can be read and that models take. */
async function photograph(screen: ScreenCapability): Promise<{ readonly caption: string; readonly png: Uint8Array }> {
  const ready = await screen.png?.();
  if (ready && legibleScale(ready) === 1 && shrinkFactor(ready) === 1)
    return { caption: caption(ready, ''), png: ready.png };
  return photographOf(await screen.picture());
}

/** The same of a picture that is there. */
export async function photographOf(picture: Picture): Promise<{ readonly caption: string; readonly png: Uint8Array }> {
  const divisor = shrinkFactor(picture);
  if (divisor > 1) {
    return { caption: caption(picture, `, shown at 1/${divisor}`), png: await encodePng(shrink(picture, divisor), 1) };
  }
  const scale = legibleScale(picture);
  return { caption: caption(picture, `, shown ${scale}x`), png: await encodePng(picture, scale) };
}

function caption({ width, height }: { readonly width: number; readonly height: number }, shown: string): string {
  return `picture of ${width}x${height} pixels${shown}; coordinates are the machine's own`;
}
