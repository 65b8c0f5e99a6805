import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';
import type { DosMachine } from '../../src/machines/dos/machine/dos-machine.ts';
import { here } from '../support/tool-bench.ts';
import { DosDesk } from '../understanding/dos-desk.ts';

export const programsFolder = join(import.meta.dirname, '../../examples/dos');
const mostFrames = 70 * 30;
const prompt = '/C:\\\\>\\s*$/';

/** A COM or EXE file from one of our sources. */
export function built(name: string): Uint8Array {
  const { bytes, errors } = assemble(readFileSync(join(programsFolder, `${name}.asm`), 'utf8'));
  expect(errors, `${name}.asm`).toEqual([]);
  return bytes;
}

/** A DOS PC on which a program of the folder is used as a person would. */
export class ProgramStage {
  readonly #desk: DosDesk;

  private constructor(desk: DosDesk) {
    this.#desk = desk;
  }

  static async open(
    files: Readonly<Record<string, Uint8Array | string>>,
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<ProgramStage> {
    const bytes = Object.entries(files).map(([name, file]) => [name, Buffer.from(file as string, 'latin1')] as const);
    return new ProgramStage(await DosDesk.open(Object.fromEntries(bytes), { write: true, ...options }, here));
  }

  get machine(): DosMachine {
    return this.#desk.machine;
  }

  async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const outcome = await this.#desk.outcome(tool, args);
    if (outcome.type !== 'answer') throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
    return outcome.answer.text;
  }

  /** Types a line, and lets time pass until there is what it brings: a text, or a /regular expression/. */
  async enter(line: string, text: string): Promise<void> {
    await this.type(`${line}\n`);
    await this.see(text);
  }

  async type(text: string): Promise<void> {
    await this.call('input_send', { text });
  }

  /** One key after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.call('input_send', { keys: key.split('+') });
    await this.frames(2);
  }

  async frames(frames: number): Promise<void> {
    await this.call('run', { frames, timeout_ms: 50_000 });
  }

  async see(text: string): Promise<void> {
    const answer = await this.call('run', { screen_text: text, frames: mostFrames, timeout_ms: 50_000 });
    if (answer.includes('not seen;')) expect(await this.screen()).toContain(text);
  }

  /** Until the command interpreter asks again. */
  async ended(): Promise<void> {
    await this.see(prompt);
  }

  get exitCode(): number {
    return this.machine.control.system.shell.errorLevel;
  }

  async rows(): Promise<readonly string[]> {
    return (await this.machine.screen.text())?.lines.map((line) => line.trimEnd()) ?? [];
  }

  async screen(): Promise<string> {
    return (await this.rows()).join('\n').trimEnd();
  }

  /** The attribute of a character. */
  async attribute(column: number, row: number): Promise<number | undefined> {
    const text = await this.machine.screen.text();
    return text?.colours?.[row * text.columns + column];
  }

  /** Red, green and blue of a pixel. */
  async pixel(x: number, y: number): Promise<readonly number[]> {
    const picture = await this.machine.screen.picture();
    const at = y * picture.width + x;
    const [colours, place] =
      'rgb' in picture ? [picture.rgb, at] : ([picture.palette, picture.pixels[at] ?? 0] as const);
    return [...colours.subarray(place * 3, place * 3 + 3)];
  }

  /** Numbers of the colours of a line of the picture. */
  async line(y: number): Promise<readonly number[]> {
    const picture = await this.machine.screen.picture();
    if ('rgb' in picture) throw new Error('colours have no numbers here');
    return [...picture.pixels.subarray(y * picture.width, (y + 1) * picture.width)];
  }

  async pictureSize(): Promise<readonly [number, number]> {
    const { width, height } = await this.machine.screen.picture();
    return [width, height];
  }

  /** Lets frames pass, one by one, until it is so. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (let frame = 0; frame < mostFrames; frame++) {
      if (await isSo()) return;
      await this.frames(1);
    }
    throw new Error('it does not come to this');
  }

  /** A file on drive C:. */
  file(name: string): string {
    return readFileSync(join(this.#desk.folder, name), 'latin1');
  }

  has(name: string): boolean {
    return existsSync(join(this.#desk.folder, name));
  }

  async close(): Promise<void> {
    await this.#desk.close();
  }
}
