import { z } from 'zod';
import { encodePng } from '../../formats/png.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Picture, PictureWindow } from '../../machine/screen.ts';
import { defineTool } from '../tool.ts';

export const pictureRead = defineTool({
  name: 'picture_read',
  title: 'Read the picture',
  description: 'The picture pixel by pixel, as a PNG; without borders only what is inside them.',
  toolset: 'inner',
  needs: ['screen'],
  effect: 'read',
  idempotent: true,
  input: z.object({ borders: z.boolean() }),
  async run({ screen }, { borders }) {
    const whole = await screen.picture();
    const picture = borders ? whole : cut(whole, windowOf(screen.window?.()));
    const png = await encodePng(picture, 1);
    const image = { mimeType: 'image/png', base64: Buffer.from(png).toString('base64') };
    return { text: '', data: { width: picture.width, height: picture.height }, images: [image] };
  },
});

function windowOf(window: PictureWindow | undefined): PictureWindow {
  if (window && window.width > 0 && window.height > 0) return window;
  throw new MachineError('UNAVAILABLE', 'Nothing but border is shown.', 'Capture the picture with its borders.');
}

function cut(picture: Picture, { x, y, width, height }: PictureWindow): Picture {
  const rows = (source: Uint8Array, bytes: number): Uint8Array => {
    const target = new Uint8Array(width * height * bytes);
    for (let row = 0; row < height; row++) {
      const start = ((y + row) * picture.width + x) * bytes;
      target.set(source.subarray(start, start + width * bytes), row * width * bytes);
    }
    return target;
  };
  return 'rgb' in picture
    ? { width, height, rgb: rows(picture.rgb, 3) }
    : { width, height, palette: picture.palette, pixels: rows(picture.pixels, 1) };
}
