import { annotationsIn } from '../symbols/annotation.ts';
import type { AssemblyResult, SourceLine } from './assembly.ts';

/** Keeps annotations until it is known what they stand at: the code of their own line, or the next label or code. */
export class AnnotationTracker {
  readonly found: AssemblyResult['annotations'][number][] = [];
  #waiting: { type: string; description: string; line: SourceLine }[] = [];
  #last: SourceLine | undefined;

  /** Called for each statement; a line with several is looked at once. */
  note(line: SourceLine): void {
    if (line === this.#last || !line.text.includes('@mcp-')) return;
    this.#last = line;
    for (const annotation of annotationsIn(line.text)) this.#waiting.push({ ...annotation, line });
  }

  attach(address: number, label: string): void {
    if (this.#waiting.length === 0) return;
    for (const { line, ...annotation } of this.#waiting) {
      const place = { file: line.file, line: line.number, address };
      this.found.push({ ...annotation, ...place, ...(label === '' ? {} : { label }) });
    }
    this.#waiting = [];
  }
}
