import type { IndexedPicture } from './screen.ts';

/**
 * What the chips of a machine did, cycle by cycle: found by running again what the machine remembers of its past, so that it costs
 * nothing while the machine runs, and can be asked for afterwards.
 */
export interface FrameTraceCapability {
  readonly chips: readonly TracedChip[];
  /** Of events, as a filter takes them. */
  readonly types: readonly string[];
  readonly status: FrameTraceStatus;
  /** The trace begins now. */
  start(request: FrameTraceRequest): FrameTraceStatus;
  stop(): FrameTraceStatus;
  read(query: FrameTraceQuery, signal: AbortSignal): Promise<FrameTracePage>;
  /** A frame as it was drawn, with the places where events happened. */
  xray(query: XrayQuery, signal: AbortSignal): Promise<XrayFrame>;
  /** What decided how a pixel of the picture looks when it was drawn last. */
  pixel(query: PixelQuery, signal: AbortSignal): Promise<PixelOrigin>;
  /** The colours that the border had in the last so many whole frames and since. */
  borders(frames: number, maxBytes: number, signal: AbortSignal): Promise<readonly BorderChange[]>;
}

export type XrayQuery = Pick<FrameTraceQuery, 'frame' | 'chips' | 'registers' | 'types' | 'reads' | 'maxBytes'>;

export interface XrayFrame {
  readonly frame: number;
  /** All that the beam passes, also what a monitor does not show. */
  readonly raster: IndexedPicture;
  readonly visible: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly events: readonly PlacedEvent[];
  /** Pixels that the beam passes in a cycle. */
  readonly pixelsPerCycle: number;
  /** How many pixels of the screen's picture each of the raster is wide. */
  readonly pixelWidth: number;
}

/** `x` and `y` in the raster: where the effect of the event begins. */
export interface PlacedEvent extends FrameEvent {
  readonly x: number;
  readonly y: number;
}

export interface PixelQuery {
  /** In the picture of the screen. */
  readonly x: number;
  readonly y: number;
  /** How far back to look for who wrote something. */
  readonly frames: number;
}

export interface PixelOrigin {
  readonly frame: number;
  readonly line: number;
  readonly lineCycle: number;
  readonly cycle: number;
  /** Its colour's number. */
  readonly colour: number;
  /** `border`, `sprite 3`, `text foreground`. */
  readonly element: string;
  /** What it depends on, the most direct first. */
  readonly causes: readonly PixelCause[];
}

export interface PixelCause {
  readonly what: string;
  readonly chip?: string | undefined;
  readonly register?: { readonly address: number; readonly name: string } | undefined;
  /** Of a byte in memory; missing if it is ROM. */
  readonly address?: bigint | undefined;
  readonly value: number;
  /** Missing if nobody wrote it within the frames looked at. */
  readonly writer?:
    | {
        readonly pc: bigint;
        readonly cycle: number;
        readonly frame: number;
        readonly line: number;
        readonly lineCycle: number;
      }
    | undefined;
}

/** The border got this colour. */
export interface BorderChange {
  readonly frame: number;
  readonly line: number;
  readonly lineCycle: number;
  readonly cycle: number;
  readonly colour: number;
  /** Missing where a frame begins with a colour that it had before. */
  readonly pc?: bigint | undefined;
}

export interface TracedChip {
  readonly name: string;
  /** Address of the first register. */
  readonly first: number;
  readonly registers: readonly { readonly name: string; readonly description: string }[];
}

export interface FrameTraceRequest {
  /** It ends after so many frames; else when somebody stops it. */
  readonly frames?: number | undefined;
  /** Only accesses to these. */
  readonly chips?: readonly string[] | undefined;
  /** Reads as well as writes. */
  readonly reads: boolean;
}

export interface FrameTraceStatus {
  readonly active: boolean;
  /** Undefined if none was ever started, or the machine has been put elsewhere since. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface FrameTraceQuery {
  /** The last so many whole frames instead of a trace that was started; one if there is no such trace. */
  readonly frames?: number | undefined;
  /** Only events of the frame with this number. */
  readonly frame?: number | undefined;
  readonly chips?: readonly string[] | undefined;
  /** By name or address. */
  readonly registers?: readonly string[] | undefined;
  /** By name; `events` are all but `write` and `read`. */
  readonly types?: readonly string[] | undefined;
  readonly firstLine?: number | undefined;
  readonly lastLine?: number | undefined;
  /** Undefined: as the trace was started. */
  readonly reads?: boolean | undefined;
  /** Of the first event wanted, as an earlier page gave it. */
  readonly cursor: number;
  readonly limit: number;
  /** Room for what is traced. */
  readonly maxBytes: number;
}

export interface FrameTracePage {
  readonly from: number;
  readonly to: number;
  /** Frames that the stretch has a part of. */
  readonly frames: readonly number[];
  /** How many frames would take as long, at least 1. */
  readonly framesLong: number;
  /** Cycles at its beginning that are no longer remembered. */
  readonly lost: number;
  /** There was no room for more: nothing after this cycle was traced. */
  readonly fullAt?: number | undefined;
  /** Events traced, whatever the filters say; those that pass them where there was no room for others. */
  readonly total: number;
  readonly events: readonly FrameEvent[];
  /** Cursor of the page after this one. */
  readonly next?: number | undefined;
}

export interface FrameEvent {
  readonly cycle: number;
  readonly frame: number;
  /** Cycles since the frame began. */
  readonly frameCycle: number;
  readonly line: number;
  readonly lineCycle: number;
  /** `write`, `read`, `irq`, `rti`, `bad_line`, `sprite_dma` … */
  readonly type: string;
  /** The instruction under way. */
  readonly pc: bigint;
  readonly chip?: string | undefined;
  readonly register?: { readonly address: number; readonly name: string } | undefined;
  /** What was written or read; sprites, a bit for each; the address of the handler. */
  readonly value?: number | undefined;
  /** The same as a reader wants it: `sprite 3`, `vic2 raster`. */
  readonly note?: string | undefined;
}
