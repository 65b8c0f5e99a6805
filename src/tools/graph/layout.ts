import type { Point } from './canvas.ts';
import { acyclic } from './layers.ts';

export interface LayoutNode {
  readonly id: number;
  readonly width: number;
  readonly height: number;
}

/** Both ends are among the nodes. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Upper left corners, by id. */
  readonly corners: ReadonlyMap<number, Point>;
  /** The way of each edge, from the border of one box to that of the other. */
  readonly routes: readonly (readonly Point[])[];
}

/** A box in its layer, or the room that a passing edge needs there. */
interface Slot {
  readonly layer: number;
  readonly width: number;
  readonly height: number;
  readonly above: Slot[];
  readonly below: Slot[];
  x: number;
}

const gapX = 14;
const gapY = 26;
const margin = 10;
const sweeps = 8;

/** Boxes in layers, so that edges lead downwards as far as that is possible. */
export function layOut(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layout {
  const { layerOf, isReversed } = acyclic(nodes, edges);
  const layers: Slot[][] = Array.from({ length: Math.max(0, ...layerOf.values()) + 1 }, () => []);
  const put = (layer: number, width: number, height: number): Slot => {
    const slot = { layer, width, height, above: [], below: [], x: 0 };
    layers[layer]?.push(slot);
    return slot;
  };
  const boxes = new Map(nodes.map(({ id, width, height }) => [id, put(layerOf.get(id) ?? 0, width, height)]));
  const chains = edges.map(({ from, to }, index): readonly Slot[] => {
    const upper = boxes.get(isReversed(index) ? to : from);
    const lower = boxes.get(isReversed(index) ? from : to);
    if (!upper || !lower || upper === lower) return [];
    const chain = [upper];
    for (let layer = upper.layer + 1; layer < lower.layer; layer++) chain.push(put(layer, 2, 0));
    chain.push(lower);
    for (let at = 1; at < chain.length; at++) join(chain[at - 1], chain[at]);
    return chain;
  });
  order(layers);
  place(layers);
  return finish(nodes, edges, layers, boxes, chains, isReversed);
}

function join(upper: Slot | undefined, lower: Slot | undefined): void {
  if (!upper || !lower) return;
  upper.below.push(lower);
  lower.above.push(upper);
}

/** Sorts each layer by where its neighbours are, back and forth, so that few edges cross. */
function order(layers: readonly Slot[][]): void {
  const rank = new Map<Slot, number>();
  const number = (layer: readonly Slot[]) => {
    for (const [index, slot] of layer.entries()) rank.set(slot, index);
  };
  layers.forEach(number);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) {
      const wish = new Map(
        layer.map((slot) => [
          slot,
          mean(down ? slot.above : slot.below, (each) => rank.get(each) ?? 0) ?? rank.get(slot),
        ]),
      );
      layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
      number(layer);
    }
  }
}

/** Moves each slot as close to below and above its neighbours as the others of its layer let it. */
function place(layers: readonly (readonly Slot[])[]): void {
  for (const layer of layers) settle(layer, () => 0);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) {
      settle(layer, (slot) => mean(down ? slot.above : slot.below, centre) ?? centre(slot));
    }
  }
}

/** The positions that keep the order and the gaps and are nearest to the wished ones (pools of adjacent violators). */
function settle(layer: readonly Slot[], wish: (slot: Slot) => number): void {
  const pools: { sum: number; count: number }[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const slot of layer) {
    offsets.push(offset);
    pools.push({ sum: wish(slot) - slot.width / 2 - offset, count: 1 });
    offset += slot.width + gapX;
    for (;;) {
      const last = pools.at(-1);
      const before = pools.at(-2);
      if (!last || !before || before.sum / before.count <= last.sum / last.count) break;
      pools.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  }
  const starts = pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  for (const [index, slot] of layer.entries()) slot.x = (starts[index] ?? 0) + (offsets[index] ?? 0);
}

function finish(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  layers: readonly (readonly Slot[])[],
  boxes: ReadonlyMap<number, Slot>,
  chains: readonly (readonly Slot[])[],
  isReversed: (edge: number) => boolean,
): Layout {
  const slots = layers.flat();
  const left = Math.min(0, ...slots.map(({ x }) => x)) - margin;
  const tops: number[] = [];
  let top = margin;
  for (const layer of layers) {
    tops.push(top);
    top += Math.max(0, ...layer.map(({ height }) => height)) + gapY;
  }
  const topOf = (slot: Slot) => tops[slot.layer] ?? 0;
  const corner = (slot: Slot): Point => ({ x: Math.round(slot.x - left), y: topOf(slot) });
  const port = (slot: Slot, others: readonly Slot[], other: Slot | undefined): number => {
    const sorted = [...others].sort((a, b) => centre(a) - centre(b));
    const index = other ? sorted.indexOf(other) : 0;
    return Math.round(slot.x - left + (slot.width * (index + 1)) / (others.length + 1));
  };
  const routes = chains.map((chain, index) => {
    const [first] = chain;
    const last = chain.at(-1);
    if (!first || !last) return loop(boxes.get(edges[index]?.from ?? 0), corner);
    const route: Point[] = [{ x: port(first, first.below, chain[1]), y: topOf(first) + first.height }];
    for (const slot of chain.slice(1, -1)) {
      const x = Math.round(centre(slot) - left);
      route.push({ x, y: topOf(slot) }, { x, y: (tops[slot.layer + 1] ?? 0) - gapY });
    }
    route.push({ x: port(last, last.above, chain.at(-2)), y: topOf(last) });
    return isReversed(index) ? route.reverse() : route;
  });
  return {
    width: Math.ceil(Math.max(0, ...slots.map(({ x, width }) => x + width)) - left + margin + gapX),
    height: Math.ceil(top - gapY + margin),
    corners: new Map(nodes.flatMap(({ id }) => ((slot) => (slot ? [[id, corner(slot)] as const] : []))(boxes.get(id)))),
    routes,
  };
}

/** An edge from a box to itself, on its right. */
function loop(slot: Slot | undefined, corner: (slot: Slot) => Point): readonly Point[] {
  if (!slot) return [];
  const { x, y } = corner(slot);
  const right = x + slot.width;
  const [high, low] = [y + slot.height * 0.25, y + slot.height * 0.75];
  return [
    { x: right, y: low },
    { x: right + gapX / 2, y: low },
    { x: right + gapX / 2, y: high },
    { x: right, y: high },
  ];
}

function centre({ x, width }: Slot): number {
  return x + width / 2;
}

function mean(slots: readonly Slot[], value: (slot: Slot) => number): number | undefined {
  return slots.length === 0 ? undefined : slots.reduce((sum, slot) => sum + value(slot), 0) / slots.length;
}
