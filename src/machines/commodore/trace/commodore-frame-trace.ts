import { advice, call, MachineError } from '../../../machine/errors.ts';
import type {
  BorderChange,
  FrameEvent,
  FrameTraceCapability,
  FrameTracePage,
  FrameTraceQuery,
  FrameTraceRequest,
  FrameTraceStatus,
  PixelOrigin,
  PixelQuery,
  PlacedEvent,
  TracedChip,
  XrayFrame,
  XrayQuery,
} from '../../../machine/frame-trace.ts';
import type { Profile } from '../../../machine/profile.ts';
import { TimeSlice, unlessAborted } from '../../shared/time-slice.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';
import type { PastReview } from '../machine/past-review.ts';
import type { BoardProbe } from './board-probe.ts';
import { borderHistory } from './border-history.ts';
import type { EventRow } from './event-columns.ts';
import { type EventFilters, eventFilter, eventGroups } from './event-filter.ts';
import { chipNames, eventTypes, FrameRecorder, frameStart, signalOf } from './frame-recorder.ts';
import { pixelOrigin } from './pixel-origin.ts';
import { ProfileRecorder } from './profile-recorder.ts';

/** Before the call is given up. */
const longestWorkMs = 40_000;

/** A stretch of the past, and what of it is wanted. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly reads: boolean;
  readonly chips?: readonly string[] | undefined;
}

interface Trace extends FrameTraceRequest {
  readonly from: number;
  /** Set when somebody has stopped it. */
  readonly to?: number | undefined;
  readonly moves: number;
}

/** Frame traces of a built-in Commodore: a trace is a stretch of time, and is worked out when somebody reads it. */
export class CommodoreFrameTrace implements FrameTraceCapability {
  readonly types: readonly string[];
  readonly #engine: CommodoreEngine;
  readonly #probe: BoardProbe;
  readonly #names: readonly string[];
  readonly #typeNames: readonly string[];
  #trace: Trace | undefined;
  /** What took too long is there to go on with. */
  #unfinished: { readonly key: string; readonly recorder: FrameRecorder; readonly review: PastReview } | undefined;
  #last: { readonly key: string; readonly filterKey: string; readonly recorder: FrameRecorder } | undefined;

  constructor(engine: CommodoreEngine, probe: BoardProbe) {
    this.#engine = engine;
    this.#probe = probe;
    this.#typeNames = eventTypes(probe);
    this.types = [...new Set([...this.#typeNames, ...eventGroups(probe)])];
    this.#names = chipNames(probe);
  }

  get chips(): readonly TracedChip[] {
    return [...this.#probe.chips, { name: 'cpu', first: 0, registers: [] }];
  }

  get status(): FrameTraceStatus {
    const trace = this.#known();
    if (!trace) return { active: false };
    const end = this.#endOf(trace);
    const isOver = trace.to !== undefined || end < this.#engine.board.cycles;
    return { active: !isOver, from: trace.from, to: end };
  }

  start(request: FrameTraceRequest): FrameTraceStatus {
    this.#checkChips(request.chips);
    this.#trace = { ...request, from: this.#engine.board.cycles, moves: this.#engine.moves };
    return this.status;
  }

  stop(): FrameTraceStatus {
    const trace = this.#known();
    if (trace) this.#trace = { ...trace, to: this.#endOf(trace) };
    return this.status;
  }

  async read(query: FrameTraceQuery, signal: AbortSignal): Promise<FrameTracePage> {
    this.#checkChips(query.chips);
    const wanted = this.#stretch(query);
    const from = Math.max(wanted.from, this.#engine.history.firstTime);
    const stretch = { ...wanted, from: Math.min(from, wanted.to) };
    const { recorder, passes } = await this.#record(stretch, query, query.maxBytes, signal);
    const { events, frames, fullAt } = recorder;
    const { from: first, to: last, frames: shown } = this.#partOf(stretch, query.frame, frames);
    const page: FrameEvent[] = [];
    const slice = new TimeSlice(unlessAborted(signal));
    let at = query.cursor;
    for (; at < events.size && page.length < query.limit; at += 1) {
      const row = events.at(at);
      if (passes(row)) page.push(this.#shown(row, frames));
      if (slice.isOver) await slice.next();
    }
    return {
      from: first,
      to: last,
      frames: shown,
      // None before any time has passed.
      framesLong: last === first ? 0 : Math.max(1, Math.round((last - first) / this.#engine.board.frameSpan)),
      lost: stretch.from - wanted.from,
      ...(fullAt !== undefined && { fullAt }),
      total: events.size,
      events: page,
      ...(at < events.size && { next: at }),
    };
  }

  /** Of a stretch the frame that is wanted, or all of it. */
  #partOf({ from, to }: Stretch, frame: number | undefined, frames: FrameRecorder['frames']) {
    const numbers = frames.map((each) => each.frame);
    if (frame === undefined) return { from, to, frames: numbers };
    const found = frames.find((each) => each.frame === frame);
    if (!found) {
      const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
      const message = `Frame ${frame} is not in the trace, which has frames ${first} to ${last}.`;
      const fix = 'Use one of these; to see earlier frames, start the trace earlier or give a larger "frames".';
      throw new MachineError('NOT_FOUND', message, fix, { first_frame: first, last_frame: last });
    }
    const end = found.start + this.#engine.board.frameSpan;
    return { from: Math.max(from, found.start), to: Math.min(to, end), frames: [frame] };
  }

  async borders(frames: number, maxBytes: number, signal: AbortSignal): Promise<readonly BorderChange[]> {
    const stretch = { from: this.startOfFrame(frames), to: this.#engine.board.cycles, reads: false };
    const from = Math.max(stretch.from, this.#engine.history.firstTime);
    const { border, chips } = this.#probe;
    const register = chips[border.register >> 8]?.registers[border.register & 255];
    const filters = { types: ['write'], ...(register && { registers: [register.name] }) };
    const { recorder } = await this.#record({ ...stretch, from }, filters, maxBytes, signal);
    return borderHistory(recorder, this.#probe, new TimeSlice(unlessAborted(signal)));
  }

  async xray(query: XrayQuery, signal: AbortSignal): Promise<XrayFrame> {
    const { board } = this.#engine;
    const frame = query.frame ?? Math.max(0, board.frameCount - 1);
    const from = this.startOfFrame(board.frameCount - frame);
    if (frame > board.frameCount || from < this.#engine.history.firstTime) {
      const message = `Frame ${frame} is ${frame > board.frameCount ? 'still to come' : 'no longer remembered'}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `The current frame is ${board.frameCount}.`);
    }
    const to = Math.min(board.cycles, from + board.frameSpan);
    const isReading = query.reads ?? false;
    const stretch = { from, to, reads: isReading, chips: query.chips };
    const filters = { ...query, frame: undefined };
    const { recorder, passes } = await this.#record(stretch, filters, query.maxBytes, signal);
    const { palette, pixelsPerCycle, pixelWidth, firstPixel, visible } = this.#probe.raster;
    const rowOf = (line: number) => this.#probe.raster.rowOf?.(line) ?? line;
    const width = this.#probe.cyclesPerLine * pixelsPerCycle;
    const pixels = recorder.picture ?? new Uint8Array();
    const slice = new TimeSlice(unlessAborted(signal));
    const events: PlacedEvent[] = [];
    for (let index = 0; index < recorder.events.size; index += 1) {
      if (slice.isOver) await slice.next();
      const row = recorder.events.at(index);
      if (!passes(row)) continue;
      events.push({
        ...this.#shown(row, recorder.frames),
        ...placeOf(rowOf(row.line) * width + row.lineCycle * pixelsPerCycle + firstPixel, width),
      });
    }
    const raster = { width, height: pixels.length / width, pixels, palette };
    return { frame, raster, visible, events, pixelsPerCycle, pixelWidth };
  }

  pixel(query: PixelQuery, signal: AbortSignal): Promise<PixelOrigin> {
    return pixelOrigin(this.#engine, this.#probe, query, signal);
  }

  /** Where the time of the last whole frames went. */
  async profile(frames: number, signal: AbortSignal): Promise<Profile> {
    const { board, history } = this.#engine;
    const to = this.startOfFrame(0);
    const from = Math.max(history.firstTime, this.startOfFrame(frames));
    if (from >= to) {
      throw new MachineError(
        'WRONG_STATE',
        'No whole frame of the past is remembered yet.',
        advice`Let one pass: ${call('run', { frames })}.`,
      );
    }
    const recorder = new ProfileRecorder(board, this.#probe.cyclesPerLine);
    await this.#engine.review({ from, to }, recorder, signal);
    return recorder.profile((to - from) / board.frameSpan);
  }

  /** A stretch of the past, or what of it passes the filters where that is too much; the last one asked for is at hand. */
  async #record(
    stretch: Stretch,
    filters: EventFilters,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<{ readonly recorder: FrameRecorder; readonly passes: (row: EventRow) => boolean }> {
    const { from, to, reads, chips } = stretch;
    const { frame, registers, types, firstLine, lastLine } = filters;
    const passes = eventFilter(this.#engine.board, this.#probe, filters);
    const key = JSON.stringify([this.#engine.moves, from, to, reads, chips, maxBytes]);
    const filterKey = JSON.stringify([frame, filters.chips, registers, types, firstLine, lastLine]);
    const last = this.#last;
    if (last?.key === key && (last.filterKey === filterKey || !last.recorder.isFiltered)) {
      return { recorder: last.recorder, passes };
    }
    const work = this.#unfinished?.key === key + filterKey ? this.#unfinished : undefined;
    const review = work?.review ?? this.#engine.reviewOf({ from, to });
    const recorder =
      work?.recorder ?? new FrameRecorder(this.#engine.board, this.#probe, { reads, chips, passes, maxBytes });
    this.#unfinished = { key: key + filterKey, recorder, review };
    const enough = AbortSignal.timeout(longestWorkMs);
    await this.#engine.review({ from, to }, recorder, AbortSignal.any([signal, enough]), review).catch((error) => {
      throw enough.aborted && !signal.aborted ? this.#unfinishedAt(review.reached, from, to) : error;
    });
    this.#unfinished = undefined;
    this.#last = { key, filterKey, recorder };
    return { recorder, passes };
  }

  #unfinishedAt(reached: number, from: number, to: number): MachineError {
    const [done, all] = [reached - from, to - from].map((cycles) => Math.floor(cycles / this.#engine.board.frameSpan));
    const message = `So far ${done} of ${all} frames of the trace have been worked out.`;
    return new MachineError(
      'LIMIT_REACHED',
      message,
      'Stop the machine or the trace, then call again to continue from there. A trace of fewer frames takes less time.',
      { frames_done: done, frames: all },
    );
  }

  /** The beginning of the frame that is so many before the present one. */
  startOfFrame(before: number): number {
    const { board } = this.#engine;
    return Math.max(0, frameStart(board) - before * board.frameSpan);
  }

  #stretch({ frames, chips, reads }: FrameTraceQuery): Stretch {
    const now = this.#engine.board.cycles;
    const trace = frames === undefined ? this.#known() : undefined;
    if (trace) {
      const isReading = reads ?? trace.reads;
      return { from: trace.from, to: Math.min(now, this.#endOf(trace)), reads: isReading, chips: trace.chips };
    }
    return { from: this.startOfFrame(frames ?? 1), to: now, reads: reads ?? false, chips };
  }

  /** The trace, unless the machine was put to a time before it. */
  #known(): Trace | undefined {
    const trace = this.#trace;
    if (trace && trace.moves !== this.#engine.moves && trace.from > this.#engine.board.cycles) this.#trace = undefined;
    return this.#trace;
  }

  #endOf({ from, to, frames }: Trace): number {
    const { board } = this.#engine;
    if (to !== undefined) return Math.min(to, board.cycles);
    return frames === undefined ? board.cycles : from + frames * board.frameSpan;
  }

  #shown(row: EventRow, frames: FrameRecorder['frames']): FrameEvent {
    const { type, chip, register, value, pc, ...place } = row;
    const start = frameBefore(frames, row.cycle)?.start ?? row.cycle;
    const found = register < 0 ? undefined : this.#probe.chips[chip];
    const note = signalOf(this.#probe, type)?.note(value);
    return {
      ...place,
      frameCycle: row.cycle - start,
      type: this.#typeNames[type] ?? '',
      pc: BigInt(pc),
      chip: this.#names[chip],
      ...(found && {
        register: { address: found.first + register, name: found.registers[register]?.name ?? `+${register}` },
      }),
      value,
      ...(note !== undefined && { note }),
    };
  }

  #checkChips(chips: readonly string[] | undefined): void {
    const unknown = chips?.find((name) => !this.#names.includes(name));
    if (unknown === undefined) return;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `No chip ${JSON.stringify(unknown.slice(0, 30))} can be traced.`,
      `Chips: ${this.#names.join(', ')}.`,
    );
  }
}

/** The last frame that began at or before a cycle. */
function frameBefore(frames: FrameRecorder['frames'], cycle: number): FrameRecorder['frames'][number] | undefined {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.start ?? 0) <= cycle) low = middle + 1;
    else high = middle;
  }
  return frames[low - 1];
}

function placeOf(pixel: number, width: number): { readonly x: number; readonly y: number } {
  const at = Math.max(0, pixel);
  return { x: at % width, y: Math.floor(at / width) };
}
