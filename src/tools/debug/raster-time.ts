import type { AddressCapability } from '../../machine/addresses.ts';
import type { Profile } from '../../machine/profile.ts';
import type { IndexedPicture } from '../../machine/screen.ts';
import { Canvas, cellHeight, cellWidth } from '../graph/canvas.ts';
import { routineName } from './show-profile.ts';

/** Far from each other; the first is for what runs outside all calls. */
const inks: readonly (readonly [red: number, green: number, blue: number])[] = [
  [60, 66, 80],
  [230, 70, 60],
  [70, 190, 90],
  [235, 200, 60],
  [70, 140, 235],
  [200, 90, 210],
  [240, 140, 50],
  [80, 210, 210],
  [240, 150, 170],
  [160, 200, 90],
  [150, 120, 240],
  [180, 130, 80],
  [200, 200, 200],
];
const [paper, text, stolen, firstInk] = [0, 1, 2, 3];
const palette = Uint8Array.from([16, 16, 22, 230, 230, 230, 0, 0, 0, ...inks.flat()]);
const cycleWidth = 12;
const lineHeight = 2;
const left = 28;
const column = 60;
const rowHeight = cellHeight + 2;

/** The last frame, a line of it in each line and twelve pixels for a cycle, in the colours of the routines that had them. */
export function drawRasterTime(profile: Profile, addresses: AddressCapability): IndexedPicture {
  const { raster, owners } = profile;
  const spent = new Map<number, number>();
  for (const owner of raster.pixels) spent.set(owner, (spent.get(owner) ?? 0) + 1);
  const order = [...spent.keys()]
    .filter((owner) => owner > 0)
    .sort((a, b) => (spent.get(b) ?? 0) - (spent.get(a) ?? 0));
  const main = order.filter((owner) => owners[owner]?.kind === 'main');
  const others = order.filter((owner) => owners[owner]?.kind !== 'main');
  const inkOf = new Map<number, number>([
    [0, stolen],
    ...main.map((owner) => [owner, firstInk] as const),
    ...others.map((owner, index) => [owner, firstInk + 1 + (index % (inks.length - 1))] as const),
  ]);
  const width = left + raster.width * cycleWidth;
  const columns = Math.max(1, Math.floor(width / (column * cellWidth)));
  const listed = [...main, ...others].slice(0, 24);
  const height = raster.height * lineHeight;
  const canvas = new Canvas(width, height + 8 + Math.ceil((listed.length + 1) / columns) * rowHeight, palette);
  canvas.fill(0, 0, canvas.width, canvas.height, paper);
  for (const [at, owner] of raster.pixels.entries()) {
    const [x, y] = [at % raster.width, Math.floor(at / raster.width)];
    canvas.fill(left + x * cycleWidth, y * lineHeight, cycleWidth, lineHeight, inkOf.get(owner) ?? firstInk);
  }
  for (let line = 0; line < raster.height; line += 50) canvas.text(2, line * lineHeight, `${line}`, text);
  const legend = [
    ...listed.map((owner) => {
      const routine = owners[owner];
      const cycles = spent.get(owner) ?? 0;
      const lines = (cycles / raster.width).toFixed(1);
      return {
        ink: inkOf.get(owner) ?? firstInk,
        label: `${routine ? routineName(routine, addresses) : ''}: ${cycles} cycles, ${lines} lines`,
      };
    }),
    { ink: stolen, label: `bus of other chips: ${spent.get(0) ?? 0} cycles` },
  ];
  for (const [index, { ink, label }] of legend.entries()) {
    const [x, y] = [4 + (index % columns) * column * cellWidth, height + 8 + Math.floor(index / columns) * rowHeight];
    canvas.fill(x, y, 7, 7, ink);
    canvas.frame(x - 1, y - 1, 9, 9, text);
    canvas.text(x + 13, y, label.slice(0, column - 4), text);
  }
  return canvas;
}
