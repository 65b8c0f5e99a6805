import type { AssemblyProblem, SourceLine } from './assembly.ts';

const most = 20;

/** Problems found, each once, no more than can be read. */
export class Diagnostics {
  readonly #problems = new Map<string, AssemblyProblem>();

  add(line: SourceLine, column: number, message: string): void {
    if (this.#problems.size >= most) return;
    const key = `${line.file}:${line.number}:${column}:${message}`;
    this.#problems.set(key, { file: line.file, line: line.number, column, message, text: line.text });
  }

  get list(): readonly AssemblyProblem[] {
    return [...this.#problems.values()];
  }

  get isFull(): boolean {
    return this.#problems.size >= most;
  }

  clear(): void {
    this.#problems.clear();
  }
}
