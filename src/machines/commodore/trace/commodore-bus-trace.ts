import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import type { BusEdge, BusTrace, BusTraceCapability } from '../../../machine/bus-trace.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import { allLines, attentionLine, clockLine, dataLine } from '../drive/bus-lines.ts';
import type { CommodoreEngine } from '../machine/commodore-engine.ts';
import type { PastWatcher } from '../machine/past-review.ts';
import { frameStart } from './frame-recorder.ts';
import { IecDecoder } from './iec-decoder.ts';

const names = [
  ['ATN', attentionLine],
  ['CLK', clockLine],
  ['DATA', dataLine],
] as const;
const mostEdges = 200_000;

/** The serial bus of a built-in Commodore. */
export class CommodoreBusTrace implements BusTraceCapability {
  readonly #engine: CommodoreEngine;
  #last: { readonly key: string; readonly trace: BusTrace } | undefined;

  constructor(engine: CommodoreEngine) {
    this.#engine = engine;
  }

  async trace(frames: number, signal: AbortSignal): Promise<BusTrace> {
    const { board, history, moves } = this.#engine;
    const to = board.cycles;
    const from = Math.max(history.firstTime, frameStart(board) - frames * board.frameSpan);
    const key = [moves, from, to].join();
    if (this.#last?.key === key) return this.#last.trace;
    const watcher = new LineWatcher(board);
    await this.#engine.review({ from, to }, watcher, signal);
    const { edges, decoder, fullAt } = watcher;
    const trace = { from, to, edges, bytes: decoder.bytes, ...(fullAt !== undefined && { fullAt }) };
    this.#last = { key, trace };
    return trace;
  }
}

class LineWatcher implements PastWatcher {
  readonly edges: BusEdge[] = [];
  fullAt: number | undefined;
  decoder = new IecDecoder(allLines);
  readonly #board: CommodoreBoard;
  #computer: number = allLines;
  #lines: number = allLines;

  constructor(board: CommodoreBoard) {
    this.#board = board;
  }

  begin(): void {
    const { computer, pulled } = this.#board.drives.busLines();
    this.#computer = computer;
    this.#lines = computer & ~pulled;
    this.decoder = new IecDecoder(this.#lines);
  }

  cycle(): void {
    const { computer, pulled } = this.#board.drives.busLines();
    const lines = computer & ~pulled;
    const changed = lines ^ this.#lines;
    const byComputer = computer ^ this.#computer;
    this.#computer = computer;
    if (changed === 0) return;
    this.#lines = lines;
    const cycle = this.#board.cycles - 1;
    if (this.edges.length >= mostEdges) {
      this.fullAt ??= cycle;
      return;
    }
    const { state } = this.#board.cpu;
    const pc = BigInt((state[cpu.step] & 7) === 0 ? state[cpu.pc] : state[cpu.instructionPc]);
    for (const [line, bit] of names) {
      if ((changed & bit) === 0) continue;
      const by = (byComputer & bit) !== 0 ? 'computer' : 'drive';
      this.edges.push({ cycle, line, level: (lines & bit) === 0 ? 0 : 1, by, pc });
    }
    this.decoder.change(lines, cycle);
  }
}
