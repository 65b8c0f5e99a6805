import type { AddressCapability } from '../../machine/addresses.ts';
import type { Block, EdgeType } from '../../machine/graph.ts';
import type { IndexedPicture } from '../../machine/screen.ts';
import { TimeSlice, unlessAborted } from '../../machines/shared/time-slice.ts';
import { blockTitle } from './block-text.ts';
import { Canvas, cellHeight, cellWidth } from './canvas.ts';
import { type Layout, type LayoutEdge, layOut } from './layout.ts';

/** The long edge that models take without shrinking it themselves. */
const mostPixels = 1568;
/** More have never had room. */
const mostBlocks = 100;
const padding = 4;
const maxLineChars = 44;
/** How much code a box shows, from the wished to the last resort. */
const codeLines = [14, 6, 3] as const;

const palette = Uint8Array.of(
  ...[255, 255, 255],
  ...[0, 0, 0],
  ...[226, 232, 240],
  ...[90, 90, 90],
  ...[30, 80, 200],
  ...[130, 160, 220],
  ...[200, 30, 30],
  ...[220, 130, 0],
  ...[140, 50, 170],
  ...[170, 170, 170],
);
const colour = { ink: 1, title: 2 } as const;
const edgeColours: Readonly<Record<EdgeType, number>> = {
  normal: 3,
  call: 4,
  return: 9,
  'call-to-return': 5,
  'misaligned-return': 6,
  fault: 7,
  selector: 8,
};

export const edgeLegend =
  'grey: goes on, light grey: returns, blue: call, light blue: back from a call, red: misaligned return, orange: fault, violet: variant';

export interface GraphPicture {
  readonly picture: IndexedPicture;
  /** How many of the blocks are on it, from the first on. */
  readonly drawn: number;
  /** Where on the picture they are, in its pixels. */
  readonly places: readonly BlockPlace[];
}

export interface BlockPlace {
  /** Of its first instruction. */
  readonly where: string;
  readonly instructions: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** As many of the blocks as can be looked at on one picture, in layers, with as much of their code as has room. */
export async function graphPicture(
  blocks: readonly Block[],
  addresses: AddressCapability,
  signal: AbortSignal,
): Promise<GraphPicture> {
  const slice = new TimeSlice(unlessAborted(signal));
  let most = Math.min(blocks.length, mostBlocks);
  for (;;) {
    const shown = blocks.slice(0, most);
    const edges = edgesAmong(shown);
    for (const lines of codeLines) {
      if (slice.isOver) await slice.next();
      const boxes = shown.map((block) => boxOf(block, addresses, lines));
      const layout = layOut(boxes, edges);
      if (most > 1 && Math.max(layout.width, layout.height) > mostPixels) continue;
      return { picture: draw(layout, boxes, edges), drawn: most, places: placesOf(shown, boxes, layout) };
    }
    most = Math.floor(most * 0.7);
  }
}

function placesOf(blocks: readonly Block[], boxes: readonly Box[], layout: Layout): readonly BlockPlace[] {
  return blocks.flatMap((block, index) => {
    const [corner, box, code] = [layout.corners.get(block.id), boxes[index], block.instructions()];
    const { where } = code[0] ?? {};
    if (!corner || !box || where === undefined) return [];
    return [{ where, instructions: code.length, ...corner, width: box.width, height: box.height }];
  });
}

interface ColouredEdge extends LayoutEdge {
  readonly colour: number;
}

function edgesAmong(blocks: readonly Block[]): readonly ColouredEdge[] {
  const shown = new Set(blocks.map(({ id }) => id));
  return blocks.flatMap(({ id, edges }) =>
    edges.filter(({ to }) => shown.has(to)).map(({ to, type }) => ({ from: id, to, colour: edgeColours[type] })),
  );
}

interface Box {
  readonly id: number;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

function boxOf(block: Block, addresses: AddressCapability, mostLines: number): Box {
  const code = block.instructions();
  const shown = code.length <= mostLines ? code : code.slice(0, Math.max(0, mostLines - 1));
  const left = code.length - shown.length;
  const lines = [
    blockTitle(block, addresses),
    ...shown.map(({ where, text }) => `${where} ${text}`),
    ...(left > 0 ? [`.. ${left} more`] : []),
  ].map((line) => (line.length > maxLineChars ? `${line.slice(0, maxLineChars - 2)}..` : line));
  return {
    id: block.id,
    lines,
    width: Math.max(...lines.map(({ length }) => length)) * cellWidth + 2 * padding,
    height: lines.length * cellHeight + 2 * padding,
  };
}

function draw(layout: Layout, boxes: readonly Box[], edges: readonly ColouredEdge[]): IndexedPicture {
  const canvas = new Canvas(Math.max(1, layout.width), Math.max(1, layout.height), palette);
  for (const [index, route] of layout.routes.entries()) {
    const ink = edges[index]?.colour ?? colour.ink;
    for (let at = 1; at < route.length; at++) {
      const [from, to] = [route[at - 1], route[at]];
      if (!from || !to) continue;
      canvas.line(from, to, ink);
      if (at === route.length - 1) canvas.arrowHead(from, to, ink);
    }
  }
  for (const { id, lines, width, height } of boxes) {
    const { x, y } = layout.corners.get(id) ?? { x: 0, y: 0 };
    canvas.fill(x, y, width, height, 0);
    canvas.fill(x, y, width, cellHeight + padding, colour.title);
    canvas.frame(x, y, width, height, colour.ink);
    for (const [row, line] of lines.entries()) {
      canvas.text(x + padding, y + padding + row * cellHeight, line, colour.ink);
    }
  }
  return canvas;
}
