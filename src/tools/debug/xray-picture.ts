import type { PlacedEvent, XrayFrame } from '../../machine/frame-trace.ts';
import type { IndexedPicture } from '../../machine/screen.ts';
import { Canvas, cellHeight, cellWidth } from '../graph/canvas.ts';

/** Bright, and far from each other. */
const inks: readonly (readonly [red: number, green: number, blue: number])[] = [
  [255, 64, 64],
  [64, 255, 64],
  [255, 255, 64],
  [64, 200, 255],
  [255, 64, 255],
  [255, 160, 32],
  [160, 255, 200],
  [180, 140, 255],
  [255, 180, 200],
  [200, 220, 120],
  [120, 255, 255],
  [240, 240, 240],
];
const colours = 16;
const [paper, text, edge, firstInk] = [colours, colours + 1, colours + 2, colours + 3];
/** How much of the picture's brightness is left under the marks. */
const dimmed = 0.55;
const scale = 2;
const lineHeight = cellHeight + 2;
const badLine = { first: 12, last: 54 };

interface Group {
  readonly label: string;
  readonly ink: number;
  readonly events: readonly PlacedEvent[];
}

/** The frame, darker, with a mark for each event where its effect begins, and a legend below. */
export function drawXray(frame: XrayFrame): { readonly picture: IndexedPicture; readonly legend: readonly string[] } {
  const groups = grouped(frame.events);
  const { raster, visible } = frame;
  const wide = scale * frame.pixelWidth;
  const [width, height] = [raster.width * wide, raster.height * scale];
  const columns = Math.max(1, Math.floor(width / (55 * cellWidth)));
  const rows = Math.ceil((groups.length + 1) / columns);
  const canvas = new Canvas(width, height + 6 + rows * lineHeight, paletteOf(frame));
  canvas.fill(0, 0, canvas.width, canvas.height, paper);
  for (const [at, pixel] of raster.pixels.entries()) {
    const [x, y] = [at % raster.width, Math.floor(at / raster.width)];
    if (isVisible(x, y, frame)) canvas.fill(x * wide, y * scale, wide, scale, pixel);
  }
  canvas.frame(visible.x * wide, visible.y * scale, visible.width * wide, visible.height * scale, edge);
  for (const group of groups) drawGroup(canvas, group, frame);
  const legend = groups.map(({ label, events }) => `${label}: ${places(events)}`);
  for (const [index, { label, ink, events }] of groups.entries()) {
    const [x, y] = [(index % columns) * 55 * cellWidth + 4, height + 6 + Math.floor(index / columns) * lineHeight];
    canvas.fill(x, y, 7, 7, ink);
    canvas.text(x + 12, y, `${label}: ${places(events)}`.slice(0, 52), text);
  }
  return { picture: canvas, legend };
}

function isVisible(x: number, y: number, { visible, raster }: XrayFrame): boolean {
  const row = (y - visible.y + raster.height) % raster.height;
  return x >= visible.x && x < visible.x + visible.width && row < visible.height;
}

/** By register, or by type. The most frequent come last and are drawn first, so that they hide nothing. */
function grouped(events: readonly PlacedEvent[]): readonly Group[] {
  const byLabel = new Map<string, PlacedEvent[]>();
  for (const event of events) {
    const label = event.register ? `${event.type} ${event.chip} ${familyOf(event.register.name)}` : event.type;
    const known = byLabel.get(label);
    if (known) known.push(event);
    else byLabel.set(label, [event]);
  }
  return [...byLabel]
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([label, all], index) => ({ label, events: all, ink: firstInk + (index % inks.length) }));
}

/** Registers of the eight sprites and the three voices that do the same have one colour. */
function familyOf(name: string): string {
  return name
    .replace(/^SP[0-7](?=X$|Y$|COL$)/, 'SPn')
    .replace(/(?<=^(?:FRE|PW)(?:LO|HI)|^VCREG|^ATDCY|^SUREL)[123]$/, 'n');
}

function drawGroup(canvas: Canvas, { label, ink, events }: Group, { pixelsPerCycle, pixelWidth }: XrayFrame): void {
  const wide = scale * pixelWidth;
  for (const { x, y, register } of events) {
    if (label === 'bad_line') {
      const from = badLine.first * pixelsPerCycle;
      for (let at = from; at < badLine.last * pixelsPerCycle; at += 4) canvas.dot(at * wide, y * scale, ink);
      continue;
    }
    const [left, top] = [x * wide, y * scale];
    canvas.fill(left - 1, top - 1, 4, 4, ink);
    canvas.fill(left - 4, top, 3, 2, ink);
    const number = register && familyOf(register.name) !== register.name ? /\d/.exec(register.name)?.[0] : undefined;
    if (number !== undefined) canvas.text(left + 5, top - 3, number, ink);
  }
}

/** Line and cycle of the first few, with what was written. */
function places(events: readonly PlacedEvent[]): string {
  const shown = events.slice(0, 3).map(({ line, lineCycle, value, register, note }) => {
    const what =
      register && value !== undefined ? ` ${register.name}=${value}` : note?.startsWith('sprite') ? ` ${note}` : '';
    return `${line}/${lineCycle}${what}`;
  });
  return `${shown.join(', ')}${events.length > shown.length ? ` and ${events.length - shown.length} more` : ''}`;
}

function paletteOf({ raster }: XrayFrame): Uint8Array {
  const palette = new Uint8Array((firstInk + inks.length) * 3);
  for (const [index, value] of raster.palette.subarray(0, colours * 3).entries()) palette[index] = value * dimmed;
  palette.set([18, 18, 26], paper * 3);
  palette.set([230, 230, 230], text * 3);
  palette.set([90, 90, 100], edge * 3);
  for (const [index, ink] of inks.entries()) palette.set(ink, (firstInk + index) * 3);
  return palette;
}
