import type { IMarker, Terminal } from '@xterm/headless';
import type { ScrolledLines } from '../../machine/console.ts';
import { styledLine } from './styled-line.ts';

/** What a screen keeps of what has left it. */
export const scrollbackLines = 1000;
/** At once: working out their colours takes a while. */
const mostLines = 250;

/**
 * Numbers the lines that leave a screen at its top. The terminal does not count them, so a marker on the last one tells how
 * far it has moved by the next time; where that cannot be known, the numbers jump and all lines count as new.
 */
export class Scrollback {
  readonly #terminal: Terminal;
  /** Of the screen's first row. Larger than any of a screen that was here before. */
  #end = Number(process.hrtime.bigint() / 1000n);
  #base = 0;
  #last: IMarker | undefined;
  #isLost = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    // A reset by the guest leaves the marker where it was.
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.forget();
      return false;
    });
  }

  /** Other lines are there now, or the same ones broken otherwise. */
  forget(): void {
    this.#isLost = true;
  }

  read(from: number): ScrolledLines {
    this.#count();
    const { normal } = this.#terminal.buffer;
    const start = this.#end - normal.baseY;
    const first = Math.min(Math.max(from, start), this.#end);
    const cell = normal.getNullCell();
    const lines = Array.from({ length: Math.min(mostLines, this.#end - first) }, (_, index) => {
      const line = normal.getLine(first - start + index);
      return line ? styledLine(line, cell) : [];
    });
    return { start, end: this.#end, first, lines };
  }

  #count(): void {
    const { active, normal } = this.#terminal.buffer;
    const base = normal.baseY;
    const moved = this.#moved(base, active.type === 'alternate');
    this.#end += moved ?? base + 1;
    this.#base = base;
    this.#isLost = false;
    // The last line that has left: nothing but its own end moves it any more. There are no markers in the other buffer.
    if (active.type === 'alternate') return;
    this.#last?.dispose();
    this.#last = base > 0 ? this.#terminal.registerMarker(-1 - active.cursorY) : undefined;
  }

  /** How many lines have left since the last time. */
  #moved(base: number, isAlternate: boolean): number | undefined {
    if (this.#isLost) return undefined;
    if (this.#last) return this.#last.isDisposed ? undefined : base - 1 - this.#last.line;
    if (base === this.#base && (base < scrollbackLines || isAlternate)) return 0;
    return base >= this.#base && base < scrollbackLines ? base - this.#base : undefined;
  }
}
