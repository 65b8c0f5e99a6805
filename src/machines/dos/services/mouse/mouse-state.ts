/** A button's presses or releases since somebody asked. */
export interface ButtonCount {
  count: number;
  x: number;
  y: number;
}

export interface MouseEvent {
  readonly mask: number;
  readonly buttons: number;
  readonly x: number;
  readonly y: number;
}

/** Everything the driver remembers; plain, so that it can be copied. */
export interface MouseState {
  /** In the driver's own coordinates, with fractions. */
  x: number;
  y: number;
  buttons: number;
  minX: number;
  maxX: number;
  minY: number;
  maxY: number;
  mickeysX: number;
  mickeysY: number;
  /** Mickeys for eight pixels. */
  ratioX: number;
  ratioY: number;
  sensitivity: readonly [number, number, number];
  /** Below zero: hidden. */
  shown: number;
  page: number;
  presses: ButtonCount[];
  releases: ButtonCount[];
  handlerMask: number;
  handlerSegment: number;
  handlerOffset: number;
  events: MouseEvent[];
  enabled: boolean;
  /** Masks of the text cursor; a hardware cursor is none of ours. */
  textAnd: number;
  textXor: number;
  /** 16 words each of the graphics cursor, and its hot spot. */
  screenMask: number[];
  cursorMask: number[];
  hotX: number;
  hotY: number;
  /** What lies under the pointer: place, and a cell or pixels. */
  under:
    | { readonly x: number; readonly y: number; readonly mode: number; readonly pixels: readonly number[] }
    | undefined;
}

/** An arrow to the upper left, drawn for this project. */
const arrow = [
  0x8000, 0xc000, 0xe000, 0xf000, 0xf800, 0xfc00, 0xfe00, 0xff00, 0xff80, 0xfc00, 0xdc00, 0x8e00, 0x0e00, 0x0700,
  0x0700, 0x0000,
];

/** Grown by a pixel to each side: what the arrow's black border takes away. */
const border = arrow.map((_, row) => {
  const line = (index: number) => arrow[index] ?? 0;
  const own = line(row) | line(row - 1) | line(row + 1);
  return (own | (own >> 1) | (own << 1)) & 0xffff;
});

const counts = (): ButtonCount[] => Array.from({ length: 3 }, () => ({ count: 0, x: 0, y: 0 }));

/** As function 0 leaves it, for a screen of this size. */
export function resetMouse(width: number, height: number): MouseState {
  return {
    x: Math.floor(width / 2),
    y: Math.floor(height / 2),
    buttons: 0,
    minX: 0,
    maxX: width - 1,
    minY: 0,
    maxY: height - 1,
    mickeysX: 0,
    mickeysY: 0,
    ratioX: 8,
    ratioY: 16,
    sensitivity: [50, 50, 50],
    shown: -1,
    page: 0,
    presses: counts(),
    releases: counts(),
    handlerMask: 0,
    handlerSegment: 0,
    handlerOffset: 0,
    events: [],
    enabled: true,
    textAnd: 0x77ff,
    textXor: 0x7700,
    screenMask: border.map((row) => ~row & 0xffff),
    cursorMask: arrow,
    hotX: 0,
    hotY: 0,
    under: undefined,
  };
}
