import { z } from 'zod';
import type { TextScreen } from '../machine/screen.ts';
import { fenced } from './console/fence.ts';
import { base64, encodePng, legibleScale } from './picture/png.ts';
import { defineTool, type ToolAnswer } from './tool.ts';

export const screenRead = defineTool({
  name: 'screen_read',
  title: 'Read the screen',
  description: 'What the screen shows now: as text where the machine is in a text mode, else as a picture.',
  toolset: 'core',
  needs: ['screen'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    mode: z.enum(['auto', 'text', 'image', 'both']).default('auto'),
    colours: z.boolean().default(false).describe('With the colour number of each character'),
  }),
  async run({ screen }, { mode, colours }): Promise<ToolAnswer> {
    const text = mode === 'image' ? undefined : await screen.text();
    const answer = text ? showText(text, colours) : mode === 'text' ? 'No text mode is on; use "mode":"image".' : '';
    const data = text ? { columns: text.columns, rows: text.rows, lines: text.lines, untrusted: true } : {};
    if (mode === 'text' || (mode === 'auto' && text)) return { text: answer, data };
    const picture = await screen.picture();
    const scale = legibleScale(picture);
    const caption = `picture of ${picture.width}x${picture.height} pixels, shown ${scale}x; coordinates are the machine's own`;
    const image = { mimeType: 'image/png', base64: base64(await encodePng(picture, scale)) };
    return { text: [answer, caption].filter(Boolean).join('\n'), data, images: [image] };
  },
});

function showText({ columns, rows, lines, cursor, colours }: TextScreen, withColours: boolean): string {
  const place = cursor ? `, cursor at column ${cursor.column}, row ${cursor.row}` : '';
  const body = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n+$/, '');
  const shown = fenced(body, `screen ${columns}x${rows}${place}`);
  if (!withColours || !colours) return shown;
  const digits = Array.from({ length: rows }, (_, row) =>
    [...colours.subarray(row * columns, (row + 1) * columns)].map((colour) => colour.toString(16)).join(''),
  );
  return `${shown}\ncolours:\n${digits.join('\n')}`;
}
