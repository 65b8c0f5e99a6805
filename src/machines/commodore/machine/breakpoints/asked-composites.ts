import type { Gates } from '../../board/gates.ts';
import { gatesIn, linesToAsk } from './composite.ts';
import { either } from './gates.ts';
import { isPlain, type Node } from './trigger.ts';

interface Composite {
  readonly root: Node;
  readonly wasTrue: boolean;
  test(): boolean;
}

/** Composites that have to be asked before every instruction, because an expression decides, and in which lines of the raster. */
export class AskedComposites {
  readonly #board: { readonly rasterLine: number; readonly rasterLines: number };
  #composites: readonly Composite[] = [];
  #isPlain = false;
  #gates: Gates | undefined;
  /** By raster line: 1 where one has to be asked. */
  #lines = new Uint8Array(0);

  constructor(board: { readonly rasterLine: number; readonly rasterLines: number }) {
    this.#board = board;
  }

  /** Whether one has to be asked while the beam is in this line. */
  get isEach(): boolean {
    return this.#lines[this.#board.rasterLine] === 1;
  }

  /** Whether one of them is no longer what it was, for runs to ask; undefined where they cannot know. */
  get asks(): (() => boolean) | undefined {
    return this.#isPlain || this.#gates ? this.#changes : undefined;
  }

  /** `asks` can be asked at any time within a run; else only before one. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** Within a run nothing changes unless it passes these; undefined where that is not known. */
  get gates(): Gates | undefined {
    for (const composite of this.#composites) if (composite.wasTrue) return undefined;
    return this.#gates;
  }

  readonly #changes = (): boolean => {
    for (const composite of this.#composites) if (composite.test() !== composite.wasTrue) return true;
    return false;
  };

  /** From now on these; `mark` is told the lines at which that begins and ends. */
  become(composites: readonly Composite[], mark: (line: number) => void): void {
    const { rasterLines } = this.#board;
    this.#composites = composites;
    this.#isPlain = composites.every(({ root }) => isPlain(root));
    const [first, ...others] = composites.map(({ root }) => gatesIn(root));
    this.#gates = others.reduce(either, first);
    const lines = new Uint8Array(rasterLines);
    for (const { root } of composites) {
      for (const [line, isAsked] of linesToAsk(root, rasterLines).entries()) if (isAsked) lines[line] = 1;
    }
    for (const [line, isAsked] of lines.entries()) if (isAsked !== lines.at(line - 1)) mark(line);
    this.#lines = lines;
  }
}
