import { outcomeText } from '../../src/api/outcome-text.ts';
import type { Outcome, ToolHost } from '../../src/api/tool-host.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { c16Kind, plus4Kind } from '../../src/machines/commodore/plus4/plus4-kind.ts';
import { vic20Kind } from '../../src/machines/commodore/vic20/vic20-kind.ts';
import { type BenchOptions, ToolBench } from '../support/tool-bench.ts';

/** All tools on built-in Commodores, called as a client would. */
export class Desk {
  readonly #bench: ToolBench;
  readonly #bugs: unknown[] = [];

  constructor(bench: BenchOptions = {}) {
    const bug = (error: unknown) => this.#bugs.push(error);
    this.#bench = new ToolBench([c64Kind, vic20Kind, plus4Kind, c16Kind], { ...bench, bug });
  }

  static async withC64(options: Record<string, unknown> = {}, bench: BenchOptions = {}): Promise<Desk> {
    return Desk.#with('c64', options, bench);
  }

  static async withVic20(options: Record<string, unknown> = {}, bench: BenchOptions = {}): Promise<Desk> {
    return Desk.#with('vic20', options, bench);
  }

  static async withPlus4(
    options: Record<string, unknown> = {},
    kind: 'plus4' | 'c16' = 'plus4',
    bench: BenchOptions = {},
  ): Promise<Desk> {
    return Desk.#with(kind, options, bench);
  }

  static async #with(kind: string, options: Record<string, unknown>, bench: BenchOptions): Promise<Desk> {
    const desk = new Desk(bench);
    await desk.call('machine_start', { kind, options: { roms: 'own', ...options } });
    return desk;
  }

  get host(): ToolHost {
    return this.#bench.host;
  }

  /** Itself, for what no tool tells; the desk was opened with `here`. */
  machine(handle?: string): Machine {
    return this.#bench.toolbox.rack.get(handle).machine;
  }

  async outcome(tool: string, args: Record<string, unknown> = {}): Promise<Outcome> {
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const outcome = await this.host.call(tool, args, caller);
    if (this.#bugs.length > 0) throw this.#bugs[0];
    return outcome;
  }

  /** The text of an answer without its line of state, or of an error. */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const outcome = await this.outcome(tool, args);
    const text = outcomeText(outcome);
    return outcome.type === 'answer' && /^(c64|vic20|plus4|c16)-/.test(text)
      ? text.slice(text.indexOf('\n') + 1)
      : text;
  }

  /** How the only machine is. */
  async stateLine(): Promise<string> {
    return outcomeText(await this.outcome('machine_list'));
  }

  async data(tool: string, args: Record<string, unknown> = {}): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await this.outcome(tool, args);
    if (outcome.type !== 'answer') throw new Error(outcomeText(outcome));
    return outcome.answer.data ?? {};
  }

  /** Bytes of memory, in hexadecimal. */
  async bytes(address: string, length: number, space = 'ram'): Promise<string> {
    return String((await this.data('memory_read', { address, length, space })).bytes);
  }

  async close(): Promise<void> {
    await this.#bench.close();
  }
}
