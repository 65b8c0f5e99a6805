import { outcomeText } from '../../src/api/outcome-text.ts';
import type { Outcome } from '../../src/api/tool-host.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { c16Kind, plus4Kind } from '../../src/machines/commodore/plus4/plus4-kind.ts';
import { vic20Kind } from '../../src/machines/commodore/vic20/vic20-kind.ts';
import type { RackLimits, RackServices } from '../../src/rack/rack.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../make-rack.ts';

/** All tools on a rack for built-in Commodores, called as a client would. */
export class Desk {
  readonly toolbox: Toolbox;
  readonly bugs: unknown[] = [];

  constructor(services: Partial<RackServices> = {}, limits: Partial<RackLimits> = {}) {
    const confirmations = new Confirmations(false, () => 'none');
    const rack = makeRack([c64Kind, vic20Kind, plus4Kind, c16Kind], limits, services);
    this.toolbox = new Toolbox(tools, ['all'], rack, confirmations, (bug) => this.bugs.push(bug));
  }

  static async withC64(
    options: Record<string, unknown> = {},
    services: Partial<RackServices> = {},
    limits: Partial<RackLimits> = {},
  ): Promise<Desk> {
    const desk = new Desk(services, limits);
    await desk.call('machine_start', { kind: 'c64', options: { roms: 'own', ...options } });
    return desk;
  }

  static async withVic20(options: Record<string, unknown> = {}): Promise<Desk> {
    const desk = new Desk();
    await desk.call('machine_start', { kind: 'vic20', options: { roms: 'own', ...options } });
    return desk;
  }

  static async withPlus4(options: Record<string, unknown> = {}, kind: 'plus4' | 'c16' = 'plus4'): Promise<Desk> {
    const desk = new Desk();
    await desk.call('machine_start', { kind, options: { roms: 'own', ...options } });
    return desk;
  }

  async outcome(tool: string, args: Record<string, unknown> = {}): Promise<Outcome> {
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const outcome = await this.toolbox.call(tool, args, caller);
    if (this.bugs.length > 0) throw this.bugs[0];
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
    await this.toolbox.rack.close();
  }
}
