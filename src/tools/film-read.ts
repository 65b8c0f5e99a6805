import { z } from 'zod';
import type { FilmCapability } from '../machine/film.ts';
import type { SnapshotInfo } from '../machine/snapshots.ts';
import { count as written } from './debug/code-place.ts';
import { chosenMoments, sheetOf } from './film/reel.ts';
import { photographOf } from './picture/read-screen.ts';
import { defineTool } from './tool.ts';

export const filmRead = defineTool({
  name: 'film_read',
  title: 'Look at the past',
  description:
    'Past screens: a sheet of small pictures covering the remembered time, or with "at" one moment in full size. ' +
    'The machine is not disturbed. Keep such a moment with snapshot_save {"name":"then","at":1234567}, go back with run {"back":true,"cycles":5000}.',
  toolset: 'log',
  needs: ['film'],
  effect: 'read',
  idempotent: true,
  letsTimePass: true,
  input: z.object({
    count: z.number().int().min(2).max(48).default(12),
    from: z.number().int().min(0).default(0).describe('Earliest time'),
    at: z.number().int().min(0).optional(),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ film, snapshots }, { count, from, at }, { signal }) {
    const saved = (await snapshots?.list()) ?? [];
    if (at !== undefined) {
      const { time, picture } = await film.show(at, signal);
      const { caption, png } = await photographOf(picture);
      const data = { ...reelOf(film, saved), time };
      return { text: `time ${written(time)}, ${ago(film, time)}: ${caption}`, data, images: [image(png)] };
    }
    const { times, columns, cell, png } = await sheetOf(film, chosenMoments(film, from, count), signal);
    const reel = reelOf(film, saved);
    const lines = [
      `${times.length} moments, left to right, then down (time, seconds before now ${written(reel.now)}):`,
      ...times.map((time, index) => `${index + 1}. ${written(time)}, ${ago(film, time)}`),
      ...reel.stops.slice(-10).map(({ time, reason }) => `stop at ${written(time)}: ${reason}`),
      ...reel.snapshots.slice(-10).map(({ time, name }) => `snapshot at ${written(time)}: ${name}`),
    ];
    return { text: lines.join('\n'), data: { ...reel, times, columns, cell }, images: [image(png)] };
  },
});

function reelOf(film: FilmCapability, saved: readonly SnapshotInfo[]) {
  const { first, now, unitsPerSecond } = film;
  return {
    first,
    now,
    units_per_second: unitsPerSecond,
    stops: film.stops.filter(({ time }) => time >= first),
    snapshots: saved.flatMap(({ name, at }) =>
      at !== undefined && at >= first && at <= now ? [{ name, time: at }] : [],
    ),
  };
}

function ago({ now, unitsPerSecond }: FilmCapability, time: number): string {
  return `${((now - time) / unitsPerSecond).toFixed(2)} s ago`;
}

function image(png: Uint8Array) {
  return { mimeType: 'image/png', base64: Buffer.from(png).toString('base64') };
}
