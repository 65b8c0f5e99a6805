import type { Moment, MomentsCapability, MomentsWanted, MomentType } from '../../../machine/moments.ts';
import type { BoardWatch } from '../board/board-watch.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

/** Of one type in one frame; a program that collides all the time must not flood whoever listens. */
const mostPerFrame = 20;
const collisions = ['sprite_sprite', 'sprite_background'] as const;

interface Listener extends MomentsWanted {
  tell(moment: Moment): void;
}

/** Frames, collisions, raster interrupts and states of the machine as they happen. */
export class CommodoreMoments implements MomentsCapability {
  readonly types: readonly MomentType[];
  readonly #engine: CommodoreEngine;
  readonly #watch: BoardWatch;
  readonly #owner = Symbol('moments');
  readonly #listeners = new Set<Listener>();
  readonly #told = new Map<MomentType, number>();

  constructor(engine: CommodoreEngine, watch: BoardWatch) {
    this.#engine = engine;
    this.#watch = watch;
    const { board } = engine;
    this.types = [
      'frame',
      'state',
      ...(board.watchCollisions ? (['collision'] as const) : []),
      ...(board.watchRasterInterrupts ? (['raster_interrupt'] as const) : []),
    ];
  }

  watch(wanted: MomentsWanted, tell: (moment: Moment) => void): () => void {
    const listener = { ...wanted, tell };
    this.#listeners.add(listener);
    this.#arm();
    return () => {
      if (this.#listeners.delete(listener)) this.#arm();
    };
  }

  #arm(): void {
    const isWanted = (type: MomentType) => [...this.#listeners].some(({ types }) => types.includes(type));
    const { board } = this.#engine;
    this.#engine.onFrame = this.#listeners.size > 0 ? () => this.#frameEnded() : undefined;
    this.#engine.onState = isWanted('state') ? (state) => this.#say('state', { state }) : () => {};
    const collision = (type: string, sprites: number) => this.#tell('collision', { collision: { type, sprites } });
    this.#watch.set(this.#owner, isWanted('collision') ? { collisions, collision } : undefined);
    board.watchRasterInterrupts?.(isWanted('raster_interrupt') ? () => this.#tell('raster_interrupt') : undefined);
  }

  #frameEnded(): void {
    this.#told.clear();
    this.#tell('frame');
  }

  #tell(type: MomentType, more: Pick<Moment, 'collision'> = {}): void {
    const told = this.#told.get(type) ?? 0;
    if (this.#engine.isRewinding || told >= mostPerFrame) return;
    this.#told.set(type, told + 1);
    this.#say(type, more);
  }

  #say(type: MomentType, more: Pick<Moment, 'collision' | 'state'>): void {
    const { cycles: cycle, frameCount: frame, rasterLine: line, rasterCycle } = this.#engine.board;
    const moment: Moment = { type, cycle, beam: { frame, line, cycle: rasterCycle }, ...more };
    for (const { types, everyFrames, tell } of this.#listeners) {
      if (types.includes(type) && (type !== 'frame' || frame % everyFrames === 0)) tell(moment);
    }
  }
}
