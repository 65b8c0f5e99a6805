import { expect } from 'vitest';
import type { DialectName } from '../../src/dialects/options.ts';
import { foreignNames, textsOf } from './foreign-names.ts';
import { RawStdio } from './raw-stdio.ts';
import type { Sandbox } from './sandbox.ts';

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };
}

type Arguments = Record<string, unknown>;

/** A dialect on pipes whose every answer is looked at for names of tools that it does not have. */
export class DialectDesk {
  readonly #dialect: DialectName;
  readonly #raw: RawStdio;
  /** How many answers were errors, and how many were not. */
  readonly counts = { failed: 0, done: 0 };

  static async open(sandbox: Sandbox, dialect: DialectName, args: readonly string[] = []): Promise<DialectDesk> {
    const raw = new RawStdio(sandbox, ['--dialect', dialect, ...args]);
    await raw.initialize();
    return new DialectDesk(dialect, raw);
  }

  private constructor(dialect: DialectName, raw: RawStdio) {
    this.#dialect = dialect;
    this.#raw = raw;
  }

  /** The whole answer as text. */
  async call(tool: string, args: Arguments = {}): Promise<string> {
    const { error, result } = await this.#raw.request('tools/call', { name: tool, arguments: args });
    const texts = textsOf([error, result]);
    expect(foreignNames(this.#dialect, texts), `${tool} ${JSON.stringify(args)}`).toEqual([]);
    const failed = error !== undefined || result?.isError === true || texts.length === 0;
    this.counts[failed ? 'failed' : 'done']++;
    return texts.join('\n');
  }

  /** Every tool as `samples` call it, and with arguments that are missing, unknown or of another type. */
  async callAll(samples: Readonly<Record<string, Arguments>>): Promise<void> {
    const { result } = await this.#raw.request('tools/list');
    const tools = (result?.tools ?? []) as Listed[];
    expect(Object.keys(samples).sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, inputSchema } of tools) {
      const sample = samples[name] ?? {};
      for (const args of [
        sample,
        {},
        { ...sample, nonsense: 1 },
        ...wrongTypes(sample, inputSchema.properties ?? {}),
      ]) {
        await this.call(name, args);
      }
    }
  }
}

function wrongTypes(sample: Arguments, properties: Readonly<Record<string, { readonly type?: string }>>): Arguments[] {
  return Object.entries(properties).flatMap(([name, { type }]) => {
    const wrong = type === 'string' ? [7, 'x'.repeat(300)] : ['seven', -1, 1e12];
    return wrong.map((value) => ({ ...sample, [name]: value }));
  });
}
