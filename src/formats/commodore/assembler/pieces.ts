import type { SourceLine } from './assembly.ts';
import { instructionNamed } from './instructions.ts';
import { lexLine, SyntaxProblem, type Token } from './lexer.ts';
import type { Piece } from './nodes.ts';

type Fail = (line: SourceLine, column: number, message: string) => void;

/** Splits a source file into statements: one a line, more where braces or ` : ` divide it. */
export function piecesOf(file: string, text: string, fail: Fail): Piece[] {
  const pieces: Piece[] = [];
  let inComment = false;
  for (const [index, original] of text.split(/\r\n|\n|\r/).entries()) {
    const line: SourceLine = { file, number: index + 1, text: original };
    const visible: { text: string; open: boolean } =
      inComment || original.includes('/*') ? hideComments(original, inComment) : { text: original, open: false };
    inComment = visible.open;
    try {
      split(line, lexLine({ ...line, text: visible.text }), pieces);
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem;
      fail(line, problem.column, problem.message);
    }
  }
  return pieces;
}

/** Blanks out block comments so that columns stay. */
function hideComments(text: string, open: boolean): { text: string; open: boolean } {
  let result = '';
  for (let at = 0; at < text.length; ) {
    if (!open && (text[at] === ';' || text.startsWith('//', at))) return { text: result + text.slice(at), open };
    if (!open && text[at] === '"') {
      const end = text.indexOf('"', at + 1);
      const stop = end < 0 ? text.length : end + 1;
      result += text.slice(at, stop);
      at = stop;
      continue;
    }
    const marker = text.slice(at, at + 2);
    if (!open && marker === '/*') open = true;
    else if (open && marker === '*/') open = false;
    else {
      result += open ? ' ' : text[at];
      at++;
      continue;
    }
    result += '  ';
    at += 2;
  }
  return { text: result, open };
}

function split(line: SourceLine, tokens: readonly Token[], pieces: Piece[]): void {
  let start = 0;
  const close = (end: number) => {
    if (end > start) pieces.push({ line, tokens: tokens.slice(start, end) });
    start = end;
  };
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'operator') continue;
    if (token.text === '{') close(index + 1);
    else if (token.text === '}') {
      close(index);
      close(index + 1);
    } else if (separates(tokens, index, start)) {
      close(index);
      start = index + 1;
    }
  }
  if (tokens.length === 0) pieces.push({ line, tokens });
  close(tokens.length);
}

/** ` : ` between statements, as opposed to `label:`, `a ? b : c` and the unnamed label `:`. */
function separates(tokens: readonly Token[], index: number, start: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  if (token?.text !== ':' || !token.spaced || !next?.spaced || index === start) return false;
  if (tokens.slice(start, index).some(({ text, kind }) => kind === 'operator' && text === '?')) return false;
  const first = tokens[start];
  return index - start > 1 || (first?.kind === 'name' && instructionNamed(first.text) !== undefined);
}
