import type { CommodoreEngine } from './commodore-engine.ts';
import type { WayBack } from './commodore-timeline.ts';
import { type Start, shippedStart } from './shipped-starts.ts';

/** The newest that were used; each takes about two megabytes. */
const mostTemplates = 8;
/** A RAM expansion of megabytes is booted anew. */
const mostStateBytes = 512 * 1024;
/** On the way to the prompt one in so many frames is kept, and each of the last ones: going back begins there. */
const everyFrames = 25;
const lastFrames = 13;

/** A boot that is under way. */
interface Passage {
  keep(recipe: string): void;
  discard(): void;
}

/** What machines of some make have become when they came to their prompt, for others of that make. */
class StartTemplates {
  readonly #kept = new Map<string, Start>();
  readonly #passed = new WeakMap<Start, WayBack>();

  /** False if none is kept: the machine has to boot. Else it is what a boot would have made of it, its past included. */
  async apply(recipe: string, engine: CommodoreEngine, log: (text: string) => void): Promise<boolean> {
    const template = this.#kept.get(recipe) ?? (await shippedStart(recipe, log));
    if (!template) return false;
    this.#kept.delete(recipe);
    this.#kept.set(recipe, template);
    await this.#lead(engine, template);
    engine.board.frame.set(template.picture);
    return true;
  }

  /** The first of a make goes through all the states, the others have its past. */
  async #lead(engine: CommodoreEngine, start: Start): Promise<void> {
    const known = this.#passed.get(start);
    if (known) {
      engine.become(known, start.last, start.stop);
      return;
    }
    const { firstTime } = engine.history;
    await engine.passThrough(start.passed, start.last, start.stop);
    // Where memory is short its beginning may be gone already.
    if (engine.history.firstTime === firstTime) this.#passed.set(start, engine.wayBack);
  }

  record(engine: CommodoreEngine, frames: number): Passage {
    const { board } = engine;
    const before = engine.onFrame;
    const passed: Uint8Array[] = [];
    if (board.bytes.length <= mostStateBytes) {
      engine.onFrame = () => {
        before?.();
        const { frameCount } = board;
        if (frameCount % everyFrames === 0 || frameCount > frames - lastFrames) passed.push(board.snapshot());
      };
    }
    const discard = () => {
      engine.onFrame = before;
    };
    return {
      discard,
      keep: (recipe) => {
        discard();
        const { stop } = engine;
        if (!stop || passed.length === 0) return;
        board.catchUp();
        this.#kept.set(recipe, { passed, last: board.snapshot(), picture: board.frame.slice(), stop });
        const [oldest] = this.#kept.keys();
        if (this.#kept.size > mostTemplates && oldest !== undefined) this.#kept.delete(oldest);
      },
    };
  }

  get kept(): Iterable<readonly [recipe: string, start: Start]> {
    return this.#kept;
  }

  forget(): void {
    this.#kept.clear();
  }
}

export const startTemplates = new StartTemplates();
