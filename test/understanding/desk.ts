import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outcomeText } from '../../src/api/outcome-text.ts';
import type { Outcome } from '../../src/api/tool-host.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../make-rack.ts';
import { ProgramToy, programKind } from './program-toy.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** All tools on a rack with one toy, called as a client would. */
export class Desk {
  readonly toolbox: Toolbox;
  readonly #folder = mkdtempSync(join(tmpdir(), 'desk-'));
  readonly #bugs: unknown[] = [];

  private constructor() {
    folders.push(this.#folder);
    const rack = makeRack([programKind], { traceBytes: 5000 });
    const confirmations = new Confirmations(false, () => 'none');
    this.toolbox = new Toolbox(tools, ['all'], rack, confirmations, (bug) => this.#bugs.push(bug));
  }

  static async open(): Promise<Desk> {
    const desk = new Desk();
    await desk.toolbox.rack.start('program', {});
    return desk;
  }

  get toy(): ProgramToy {
    const { machine } = this.toolbox.rack.get(undefined);
    if (machine instanceof ProgramToy) return machine;
    throw new Error('no toy');
  }

  async outcome(tool: string, args: Record<string, unknown> = {}): Promise<Outcome> {
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const outcome = await this.toolbox.call(tool, args, caller);
    if (this.#bugs.length > 0) throw this.#bugs[0];
    return outcome;
  }

  /** The text of an answer without its line of state, or of an error. */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const outcome = await this.outcome(tool, args);
    const text = outcomeText(outcome);
    return outcome.type === 'answer' ? text.slice(text.indexOf('\n') + 1) : text;
  }

  async data(tool: string, args: Record<string, unknown> = {}): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await this.outcome(tool, args);
    if (outcome.type !== 'answer') throw new Error(outcomeText(outcome));
    return outcome.answer.data ?? {};
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  file(name: string): Buffer {
    return readFileSync(this.path(name));
  }
}
