import { encodePng } from '../../formats/png.ts';
import type { FilmCapability } from '../../machine/film.ts';
import { shrunk } from '../picture/shrunk.ts';

const widest = 128;
/** Beside each other in a sheet: as wide as models take a picture. */
export const sheetColumns = 12;
/** Of one machine. */
const mostKept = 96;
/** Between two pictures, so many times as long as one took. */
const restFactor = 4;
const longestRestMs = 150;

type Small = ReturnType<typeof shrunk>;

interface Kept {
  readonly moves: number;
  readonly pictures: Map<number, Small>;
}

export interface Sheet {
  readonly times: readonly number[];
  readonly columns: number;
  readonly cell: { readonly width: number; readonly height: number };
  readonly png: Uint8Array;
}

const kept = new WeakMap<FilmCapability, Kept>();

/** Pictures of moments in small, on one sheet: left to right, then down. */
export async function sheetOf(film: FilmCapability, times: readonly number[], signal: AbortSignal): Promise<Sheet> {
  const pictures = [];
  for (const time of times) {
    const began = performance.now();
    pictures.push(await smallPicture(film, time, signal));
    // A machine that runs has most of the time, however busy this computer is.
    await rest(Math.min(longestRestMs, (performance.now() - began) * restFactor));
  }
  // Where the video mode changed on the way they differ in size.
  const width = Math.max(1, ...pictures.map((each) => each.width));
  const height = Math.max(1, ...pictures.map((each) => each.height));
  const columns = Math.min(sheetColumns, Math.max(1, pictures.length));
  const rows = Math.max(1, Math.ceil(pictures.length / columns));
  const sheet = {
    width: columns * width,
    height: rows * height,
    rgb: new Uint8Array(columns * rows * width * height * 3),
  };
  for (const [index, picture] of pictures.entries()) {
    const left = (index % columns) * width;
    const top = Math.floor(index / columns) * height;
    for (let y = 0; y < picture.height; y++) {
      const row = picture.rgb.subarray(y * picture.width * 3, (y + 1) * picture.width * 3);
      sheet.rgb.set(row, ((top + y) * sheet.width + left) * 3);
    }
  }
  return { times, columns, cell: { width, height }, png: await encodePng(sheet, 1) };
}

/** So many of the moments that are quickly shown, spread evenly over the time since `from`. */
export function chosenMoments({ moments, now }: FilmCapability, from: number, count: number): readonly number[] {
  const there = moments.filter((time) => time >= from);
  const [oldest] = there;
  if (oldest === undefined) return [now];
  const chosen = new Set<number>();
  for (let index = 0; index < count; index++) {
    const wanted = oldest + ((now - oldest) * index) / Math.max(1, count - 1);
    const found = there.findLast((time) => time <= wanted);
    if (found !== undefined) chosen.add(found);
  }
  return [...chosen];
}

async function smallPicture(film: FilmCapability, time: number, signal: AbortSignal): Promise<Small> {
  const { moves } = film;
  let known = kept.get(film);
  if (known?.moves !== moves) {
    known = { moves, pictures: new Map() };
    kept.set(film, known);
  }
  const there = known.pictures.get(time);
  if (there) return there;
  const { picture } = await film.show(time, signal);
  const small = shrunk(picture, widest);
  if (film.moves === moves) known.pictures.set(time, small);
  const [oldest] = known.pictures.keys();
  if (known.pictures.size > mostKept && oldest !== undefined) known.pictures.delete(oldest);
  return small;
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
