import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { outcomeText } from '../../src/api/outcome-text.ts';
import type { Outcome, ToolHost } from '../../src/api/tool-host.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import type { DosMachine } from '../../src/machines/dos/machine/dos-machine.ts';
import { type BenchOptions, ToolBench } from '../support/tool-bench.ts';

/** A DOS PC whose drive C: holds files made here, used through the tools. */
export class DosDesk {
  readonly folder: string;
  readonly #bench: ToolBench;
  readonly #bugs: unknown[] = [];

  private constructor(folder: string, bench: BenchOptions) {
    this.folder = folder;
    this.#bench = new ToolBench([dosKind], { ...bench, bug: (error) => this.#bugs.push(error) });
  }

  /** `options` may name one of the files as `program` and a folder of them as `folder`; all of them are C: otherwise. */
  static async open(
    files: Readonly<Record<string, Uint8Array>>,
    options: Readonly<Record<string, unknown>> = {},
    bench: BenchOptions = {},
  ): Promise<DosDesk> {
    const desk = new DosDesk(mkdtempSync(join(tmpdir(), 'fp-dos-')), bench);
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(desk.folder, name)), { recursive: true });
      writeFileSync(join(desk.folder, name), bytes);
    }
    const { program, folder, ...others } = options;
    const place = (name: unknown) => (typeof name === 'string' ? resolve(desk.folder, name) : undefined);
    const wanted = {
      ...others,
      program: isDosPath(program) ? program : place(program),
      folder: place(folder) ?? (program === undefined || isDosPath(program) ? desk.folder : undefined),
    };
    const started = await desk.outcome('machine_start', { kind: 'dos', options: wanted });
    if (started.type !== 'answer') throw new Error(outcomeText(started));
    return desk;
  }

  get host(): ToolHost {
    return this.#bench.host;
  }

  /** Itself, for what no tool tells; the desk was opened with `here`. */
  get machine(): DosMachine {
    return this.#bench.toolbox.rack.get(undefined).machine as DosMachine;
  }

  async outcome(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Outcome> {
    const caller = { role: 'own' as const, client: 'test', signal: new AbortController().signal, progress: () => {} };
    const outcome = await this.host.call(tool, args, caller);
    if (this.#bugs.length > 0) throw this.#bugs[0];
    return outcome;
  }

  async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return outcomeText(await this.outcome(tool, args));
  }

  async data(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await this.outcome(tool, args);
    if (outcome.type !== 'answer') throw new Error(outcomeText(outcome));
    return outcome.answer.data ?? {};
  }

  async register(name: string): Promise<number> {
    const { registers } = await this.data('state_read', { instructions: 1, format: 'json' });
    return Number((registers as Readonly<Record<string, string>>)[name]);
  }

  async bytes(address: number, length: number): Promise<Buffer> {
    const data = await this.data('memory_read', { address: `0x${address.toString(16)}`, length });
    return Buffer.from(String(data.bytes), 'hex');
  }

  async close(): Promise<void> {
    await this.#bench.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function isDosPath(name: unknown): boolean {
  return typeof name === 'string' && /^[a-z]:\\/i.test(name);
}

/** Bytes at offsets of a COM file: `code(['100', 'b409 cd21'], ['120', 'c3'])`. */
export function code(...parts: readonly (readonly [offset: string, hex: string])[]): Uint8Array {
  const pieces = parts.map(([offset, hex]) => ({
    at: Number.parseInt(offset, 16) - 0x100,
    bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex'),
  }));
  const image = new Uint8Array(Math.max(...pieces.map(({ at, bytes }) => at + bytes.length)));
  for (const { at, bytes } of pieces) image.set(bytes, at);
  return image;
}
