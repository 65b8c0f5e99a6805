import type { TracedChip } from '../../../machine/frame-trace.ts';

/** Bits of a chip's state that change without an access. */
export interface Signal {
  /** Of the events that it makes. */
  readonly type: string;
  readonly chip: string;
  /** An event when bits appear, or when they go. */
  readonly edge: 'rise' | 'fall';
  bits(): number;
  /** What these bits mean. */
  note(bits: number): string;
}

/** Something that decided how a pixel looks: a chip's register, or a byte of memory. */
export interface PixelSource {
  /** `colour of the border`, `character`. */
  readonly what: string;
  /** As `ChipPlaces` numbers them. */
  readonly register?: number;
  /** What the processor calls the byte; absent where it is ROM. */
  readonly address?: number;
  readonly value: number;
}

export interface DrawnPixel {
  /** `border`, `sprite 3`, `text foreground`. */
  readonly element: string;
  readonly sources: readonly PixelSource[];
}

/** Where a trace can look on one kind of board. */
export interface BoardProbe {
  /** Named as the board names them; the one that draws is the first. */
  readonly chips: readonly TracedChip[];
  /** The chip that draws. */
  readonly video: string;
  readonly signals: readonly Signal[];
  readonly cyclesPerLine: number;
  readonly raster: {
    /** Red, green, blue for each colour of the picture. */
    readonly palette: Uint8Array;
    readonly pixelsPerCycle: number;
    /** Pixels of the screen's picture for each of these. */
    readonly pixelWidth: number;
    /** In the raster: where what is written in cycle 0 of a line would show. */
    readonly firstPixel: number;
    /** The row of the raster in which this line is drawn, where that is not its number. */
    rowOf?(line: number): number;
    /** What a monitor shows; lines after the last go on at line 0. */
    readonly visible: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  };
  /** After a cycle: what the chip has drawn at this place of the raster, if that was in this cycle. */
  pixel(x: number, y: number): DrawnPixel | undefined;
  /** Before a cycle: its pixels are to be drawn in it, so that `pixel` finds them. */
  drawNow(): void;
  readonly border: {
    /** As `ChipPlaces` numbers them. */
    readonly register: number;
    colourOf(value: number): number;
    /** The colour at the moment. */
    now(): number;
  };
}
