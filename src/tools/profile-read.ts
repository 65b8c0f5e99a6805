import { z } from 'zod';
import { encodePng } from '../formats/png.ts';
import { counted } from './debug/code-place.ts';
import { drawRasterTime } from './debug/raster-time.ts';
import { callTree, routines, spentBy } from './debug/show-profile.ts';
import { defineTool } from './tool.ts';

export const profileRead = defineTool({
  name: 'profile_read',
  title: 'See where the cycles went',
  description:
    'Where the cycles of the last whole frames went: by routine (from JSR or interrupt to return), by symbol, by source ' +
    'line, or as a call tree; exact, and needs no preparation. "image" draws the raster time of the last frame, a colour ' +
    'for each routine. Example: {"frames":50,"by":"routine"}.',
  toolset: 'timing',
  needs: ['profile', 'addresses'],
  effect: 'read',
  input: z.object({
    frames: z.number().int().min(1).max(250).default(10),
    by: z.enum(['routine', 'symbol', 'line', 'tree']).default('routine'),
    limit: z.number().int().min(1).max(500).default(40),
    image: z.boolean().default(false),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ profile: { profile: measure }, addresses }, { frames, by, limit, image }, { signal }) {
    const profile = await measure(frames, signal);
    const { cycles, stolen } = profile;
    const rows =
      by === 'tree'
        ? callTree(profile, addresses)
        : by === 'routine'
          ? routines(profile, addresses)
          : spentBy(profile, addresses, by);
    const shown = rows.slice(0, limit);
    const perFrame = Math.round(cycles / Math.max(1, profile.frames));
    const head = `${cycles} cycles in ${counted(profile.frames, 'frame')} (${perFrame} a frame); other chips had the bus in ${stolen}`;
    const more = rows.length > shown.length ? [`${rows.length - shown.length} more`] : [];
    const pictures = image ? [await encodePng(drawRasterTime(profile, addresses), 1)] : [];
    return {
      text: [head, ...shown.map(({ text }) => text), ...more].join('\n'),
      data: { frames: profile.frames, cycles, stolen, total: rows.length, rows: shown.map(({ data }) => data) },
      images: pictures.map((png) => ({ mimeType: 'image/png', base64: Buffer.from(png).toString('base64') })),
    };
  },
});
