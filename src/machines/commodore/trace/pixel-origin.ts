import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { PixelCause, PixelOrigin, PixelQuery } from '../../../machine/frame-trace.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';
import type { PastWatcher } from '../machine/past-review.ts';
import type { BoardProbe, DrawnPixel, PixelSource } from './board-probe.ts';
import { ChipPlaces } from './chip-places.ts';
import { frameStart } from './frame-recorder.ts';

type Place = Pick<PixelOrigin, 'frame' | 'line' | 'lineCycle' | 'cycle'>;
type Writer = Place & { readonly pc: bigint };

/** Finds out what decided how a pixel looks, and which instructions wrote that. */
export async function pixelOrigin(
  engine: CommodoreEngine,
  probe: BoardProbe,
  query: PixelQuery,
  signal: AbortSignal,
): Promise<PixelOrigin> {
  const { board, history } = engine;
  const { visible, pixelWidth } = probe.raster;
  const [x, y] = [Math.floor(query.x / pixelWidth), query.y];
  if (x >= visible.width || y >= visible.height) {
    const range = `0 to ${visible.width * pixelWidth - 1} and 0 to ${visible.height - 1}`;
    throw new MachineError('INVALID_ARGUMENT', 'The pixel is outside the picture.', `Use x and y from ${range}.`);
  }
  const lines = Math.floor(board.frameSpan / probe.cyclesPerLine);
  const look = new PixelLook(engine, probe, visible.x + x, (visible.y + y) % lines);
  const start = frameStart(board);
  const from = Math.max(history.firstTime, start - board.frameSpan);
  await engine.review({ from, to: board.cycles }, look, signal);
  if (!look.found) {
    const message = 'This pixel has not been drawn since the machine was started or changed.';
    throw new MachineError('WRONG_STATE', message, 'Run a frame first.');
  }
  const { drawn, place } = look.found;
  const writers = new WriterSearch(engine, probe, drawn.sources);
  let end = place.cycle;
  for (let frame = 0; frame < query.frames && !writers.isDone && end > history.firstTime; frame += 1) {
    const begin = Math.max(history.firstTime, end - board.frameSpan);
    await engine.review({ from: begin, to: end }, writers, signal);
    writers.settle();
    end = begin;
  }
  const { pixels, width } = board.visibleFrame();
  return {
    ...place,
    colour: pixels[y * width + x] ?? 0,
    element: drawn.element,
    causes: drawn.sources.map((source, index) => causeOf(source, probe, writers.found[index])),
  };
}

function causeOf(source: PixelSource, probe: BoardProbe, writer: Writer | undefined): PixelCause {
  const { what, register, address, value } = source;
  const chip = register === undefined ? undefined : probe.chips[register >> 8];
  const name = chip?.registers[(register ?? 0) & 255]?.name ?? '';
  return {
    what,
    ...(chip && { chip: chip.name, register: { address: chip.first + ((register ?? 0) & 255), name } }),
    ...(address !== undefined && { address: BigInt(address) }),
    value,
    ...(writer && { writer }),
  };
}

/** Watches for the moment in which a pixel is drawn; the last one counts. */
class PixelLook implements PastWatcher {
  found: { readonly drawn: DrawnPixel; readonly place: Place } | undefined;
  readonly #engine: CommodoreEngine;
  readonly #probe: BoardProbe;
  readonly #x: number;
  readonly #y: number;

  constructor(engine: CommodoreEngine, probe: BoardProbe, x: number, y: number) {
    this.#engine = engine;
    this.#probe = probe;
    this.#x = x;
    this.#y = y;
  }

  begin(): void {}

  before(): void {
    this.#probe.drawNow();
  }

  cycle(): void {
    const drawn = this.#probe.pixel(this.#x, this.#y);
    if (drawn) this.found = { drawn, place: placeOf(this.#engine, -1) };
  }
}

/** Looks for the last write to each of the sources. */
class WriterSearch implements PastWatcher {
  readonly found: (Writer | undefined)[];
  readonly #engine: CommodoreEngine;
  readonly #places: ChipPlaces;
  readonly #sources: readonly PixelSource[];
  readonly #addresses: ReadonlySet<number | undefined>;
  /** Of the stretch that is being looked at; later ones replace earlier ones. */
  readonly #last = new Map<number, Writer>();

  constructor(engine: CommodoreEngine, probe: BoardProbe, sources: readonly PixelSource[]) {
    this.#engine = engine;
    this.#places = new ChipPlaces(probe);
    this.#sources = sources;
    this.#addresses = new Set(sources.map(({ address }) => address));
    this.found = sources.map(() => undefined);
  }

  get isDone(): boolean {
    return this.#sources.every(
      ({ register, address }, index) => this.found[index] !== undefined || (register ?? address) === undefined,
    );
  }

  begin(): void {}
  cycle(): void {}

  access(kind: 'read' | 'write', address: number): void {
    if (kind === 'read') return;
    if (this.#addresses.has(address)) {
      for (const [index, source] of this.#sources.entries()) if (source.address === address) this.#note(index);
    }
    for (const reached of this.#engine.board.chipsReached(kind, address)) {
      const place = this.#places.of(reached);
      for (const [index, { register }] of this.#sources.entries()) if (register === place) this.#note(index);
    }
  }

  /** The stretch is over: what was found in it is final. */
  settle(): void {
    for (const [index, writer] of this.#last) this.found[index] ??= writer;
    this.#last.clear();
  }

  #note(index: number): void {
    const pc = BigInt(this.#engine.board.cpu.state[cpu.instructionPc]);
    this.#last.set(index, { ...placeOf(this.#engine, 0), pc });
  }
}

function placeOf({ board }: CommodoreEngine, offset: number): Place {
  const { frameCount: frame, rasterLine: line, rasterCycle: lineCycle, cycles } = board;
  return { frame, line, lineCycle, cycle: cycles + offset };
}
