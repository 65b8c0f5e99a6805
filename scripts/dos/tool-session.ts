import { outcomeText } from '../../src/api/outcome-text.ts';
import type { ToolAnswer } from '../../src/api/tool-host.ts';
import type { Status } from '../../src/machine/state.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import type { DosMachine } from '../../src/machines/dos/machine/dos-machine.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../../test/make-rack.ts';

const mostFrames = 70 * 60;

/** A machine that is driven the way an agent drives it. */
export class ToolSession {
  readonly #toolbox: Toolbox;

  private constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  static async start(options: Record<string, unknown>): Promise<ToolSession> {
    const fail = (bug: unknown) => console.error(bug);
    const toolbox = new Toolbox(tools, ['all'], makeRack([dosKind]), new Confirmations(false, () => ''), fail);
    await toolbox.rack.start('dos', dosKind.options.parse(options));
    return new ToolSession(toolbox);
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const caller = { client: 'suite', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const outcome = await this.#toolbox.call(tool, args, caller);
    if (outcome.type !== 'answer') throw new Error(outcomeText(outcome));
    return outcome.answer;
  }

  get machine(): DosMachine {
    return this.#toolbox.rack.get(undefined).machine as DosMachine;
  }

  /** How the machine is, without a call. */
  get status(): Status {
    return this.machine.status();
  }

  async screen(): Promise<string> {
    return (await this.call('screen_read', { mode: 'text' })).text;
  }

  async type(text: string): Promise<void> {
    await this.call('input_send', { text });
  }

  /** Text or a /regular expression/. */
  async see(text: string): Promise<void> {
    const { text: answer } = await this.call('run', { screen_text: text, frames: mostFrames, timeout_ms: 50_000 });
    if (!answer.includes('not seen;')) return;
    const shown = (await this.screen()).split('\n').filter((line) => line.trim() !== '');
    throw new Error(`${text} did not appear; the screen ends with ${JSON.stringify(shown.slice(-6).join(' / '))}`);
  }

  /** Types a line and waits for what it brings. */
  async enter(line: string, answer: string): Promise<void> {
    await this.type(`${line}\n`);
    await this.see(answer);
  }

  async close(): Promise<void> {
    await this.#toolbox.rack.close();
  }
}
