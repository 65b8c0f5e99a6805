import { instructions } from '../assembler/instructions.ts';
import { type Annotation, annotationsIn } from './annotation.ts';
import type { FileLine, FileSymbol } from './symbol-file.ts';

const colonLabel = /^\s*([\w.@!]+):/;
const firstWord = /^([A-Za-z_@.]\w*)/;
/** Names that a directive gives: `.proc draw`, `.label screen = …`, `!zone main`. */
const directiveLabel = /^\s*[.!](?:proc|scope|label|const|var|function|namespace|zone|zn)\s+(\w+)/i;
const functionLabel = /^\w[\w\s*]*?(\w+)\s*\([^;]*$/;
/** No label stands farther to the right. */
const mostCharacters = 120;
/** Comments of this many lines may stand between an annotation and the code it speaks of. */
const mostLinesApart = 100;

interface Program {
  readonly symbols?: readonly FileSymbol[];
  readonly lines?: readonly FileLine[];
}

/**
 * Finds the `@mcp-` annotations of a source text. A comment on a line of its own belongs to the next label or code, one after code to
 * its line. With symbols and lines of the same program they get addresses.
 */
export function scanAnnotations(source: string, file: string, program: Program = {}): Annotation[] {
  if (!source.includes('@mcp-')) return [];
  const places = new Places(file, program);
  const found: Annotation[] = [];
  let waiting: Annotation[] = [];
  let label: string | undefined;
  let last = 0;
  const place = (annotation: Annotation, line: number, own: string | undefined) => {
    const address = places.addressAt(line, own ?? label, own !== undefined);
    const named = places.nameAt(line) ?? own ?? label;
    found.push({
      ...annotation,
      ...(named === undefined ? {} : { label: named }),
      ...(address === undefined ? {} : { address }),
    });
  };
  for (const [index, text] of source.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    for (const annotation of annotationsIn(text)) waiting.push({ ...annotation, file, line });
    const code = withoutComment(text);
    if (code.trim() === '') continue;
    last = line;
    const own = places.nameAt(line) ?? labelIn(code);
    for (const one of waiting) place(one, line, own);
    waiting = [];
    label = own ?? label;
  }
  for (const one of waiting) place(one, last, undefined);
  return found;
}

/** Where lines and names of one source lie. */
class Places {
  readonly #names = new Map<string, number>();
  readonly #definitions = new Map<number, FileSymbol>();
  readonly #lines = new Map<number, number>();

  constructor(file: string, { symbols = [], lines = [] }: Program) {
    for (const symbol of symbols) {
      this.#names.set(symbol.name, symbol.address);
      const isHere = symbol.file !== undefined && symbol.line !== undefined && sameFile(symbol.file, file);
      if (isHere && symbol.line !== undefined) this.#definitions.set(symbol.line, symbol);
    }
    for (const { file: other, line, address, length } of lines) {
      if (length <= 0 || !sameFile(other, file)) continue;
      this.#lines.set(line, Math.min(address, this.#lines.get(line) ?? address));
    }
  }

  nameAt(line: number): string | undefined {
    return this.#definitions.get(line)?.name;
  }

  /** `isOwn`: the label stands on this very line. */
  addressAt(line: number, label: string | undefined, isOwn: boolean): number | undefined {
    const defined = this.#definitions.get(line)?.address;
    const named = label === undefined ? undefined : (this.#names.get(label) ?? this.#names.get(`_${label}`));
    const code = this.#lines.get(line);
    if (isOwn) return defined ?? named ?? code ?? this.#next(line);
    return code ?? defined ?? this.#next(line) ?? named;
  }

  #next(line: number): number | undefined {
    for (let next = line + 1; next <= line + mostLinesApart; next++) {
      const address = this.#lines.get(next) ?? this.#definitions.get(next)?.address;
      if (address !== undefined) return address;
    }
    return undefined;
  }
}

function labelIn(text: string): string | undefined {
  const code = text.slice(0, mostCharacters);
  const [, named] = colonLabel.exec(code) ?? directiveLabel.exec(code) ?? functionLabel.exec(code) ?? [];
  if (named !== undefined) return named;
  const [, word = ''] = firstWord.exec(code) ?? [];
  const isOther = word === '' || instructions.has(word.toLowerCase()) || /^\.[a-z]{2}/i.test(word);
  return isOther ? undefined : word;
}

function withoutComment(text: string): string {
  const ends = [';', '//', '/*'].map((sign) => text.indexOf(sign)).filter((at) => at >= 0);
  const code = ends.length === 0 ? text : text.slice(0, Math.min(...ends));
  // The inner lines of a comment in C.
  return /^\s*\*(?:\s|\/|$)(?!\s*=)/.test(code) ? '' : code;
}

/** One may be named from another folder than the other. */
function sameFile(a: string, b: string): boolean {
  const [one, other] = [plainPath(a), plainPath(b)];
  return one === other || one.endsWith(other) || other.endsWith(one);
}

function plainPath(path: string): string {
  const parts = path.toLowerCase().split(/[\\/]/);
  return `/${parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/')}`;
}
