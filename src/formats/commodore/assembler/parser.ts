import { argumentOf, isEnclosed, splitArguments, wholeExpression, withoutParentheses } from './arguments.ts';
import type { SourceLine } from './assembly.ts';
import { type BlockContext, blockDirectives, isBlockEnd } from './block-directives.ts';
import { type DirectiveName, directiveAt } from './directive-name.ts';
import { directives } from './directives.ts';
import type { Expression } from './expression.ts';
import { instructionNamed } from './instructions.ts';
import { SyntaxProblem, type Token } from './lexer.ts';
import type { Block, Node, Piece } from './nodes.ts';
import { parseOperand } from './operand.ts';
import { unknownDirective } from './suggestions.ts';

type Fail = (line: SourceLine, column: number, message: string) => void;

/** Turns pieces into nodes; blocks are nested. Problems are reported and the statement left out. */
export function parsePieces(pieces: readonly Piece[], fail: Fail): Block {
  return new Parser(pieces, fail).all();
}

class Parser {
  readonly #pieces: readonly Piece[];
  readonly #fail: Fail;
  /** In a source with directives like !byte, a bare dotted name is a local label even if it looks like a directive. */
  readonly #isAcme: boolean;
  #at = 0;

  constructor(pieces: readonly Piece[], fail: Fail) {
    this.#pieces = pieces;
    this.#fail = fail;
    this.#isAcme = pieces.some(({ tokens }) => {
      const directive = directiveAt(tokens);
      return directive?.prefix === '!' && (directives.has(directive.name) || blockDirectives.has(directive.name));
    });
  }

  all(): Block {
    const nodes: Node[] = [];
    while (this.#at < this.#pieces.length) {
      nodes.push(...this.#until(() => false));
      const stray = this.#pieces[this.#at++];
      if (stray) this.#fail(stray.line, stray.tokens[0]?.column ?? 1, "'}' without '{'");
    }
    return nodes;
  }

  /** Parses statements up to one that ends the block, or a closing brace, which is left in place. */
  #until(ends: (piece: Piece) => boolean): Block {
    const nodes: Node[] = [];
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at] as Piece;
      const [first] = piece.tokens;
      if (ends(piece) || (first?.kind === 'operator' && first.text === '}')) break;
      this.#at++;
      try {
        this.#statement(piece, 0, nodes);
      } catch (problem) {
        if (!(problem instanceof SyntaxProblem)) throw problem;
        this.#fail(piece.line, problem.column, problem.message);
      }
    }
    return nodes;
  }

  #statement({ line, tokens }: Piece, start: number, nodes: Node[]): void {
    const first = tokens[start];
    if (!first) {
      if (start === 0) nodes.push({ kind: 'blank', line, column: 1 });
      return;
    }
    const next = tokens[start + 1];
    const { column, text } = first;
    const place = { line, column };
    const continues = (from: number) => this.#statement({ line, tokens }, from, nodes);
    const directive = directiveAt(tokens, start);
    if (first.kind === 'operator') {
      if (text === '{') {
        nodes.push({ kind: 'scope', ...place, name: '', body: this.#braces(line) });
        return;
      }
      if (text === '*' && next?.text === '=') {
        nodes.push({ kind: 'origin', ...place, value: this.#originOf(tokens.slice(start + 2)) });
        return;
      }
      if (/^[-+]$/.test(text) && next?.kind === 'name' && !next.spaced && text === '+') {
        this.#call(line, tokens, start + 1, nodes);
        return;
      }
      if (/^[-+]$/.test(text)) {
        let end = start;
        while (tokens[end]?.text === text && (end === start || !tokens[end]?.spaced)) end++;
        nodes.push({ kind: 'anonymous', ...place, name: text.repeat(end - start) });
        continues(end);
        return;
      }
      if (text === ':' && next?.kind === 'name' && !next.spaced) {
        this.#call(line, tokens, start + 1, nodes);
        return;
      }
      if (text === ':') {
        nodes.push({ kind: 'anonymous', ...place, name: ':' });
        continues(start + 1);
        return;
      }
      const colonAt = next?.kind === 'name' && !next.spaced ? start + 2 : start + 1;
      if (text === '!' && tokens[colonAt]?.text === ':' && !tokens[colonAt]?.spaced) {
        nodes.push({ kind: 'anonymous', ...place, name: `!${colonAt === start + 2 ? next?.text : ''}` });
        continues(colonAt + 1);
        return;
      }
      if (text === '#' && next?.kind === 'name' && !directive) {
        this.#call(line, tokens, start + 1, nodes);
        return;
      }
    }
    if (directive && this.#isDirective(directive, tokens, start)) {
      this.#directive({ line, tokens }, start, directive, undefined, nodes);
      return;
    }
    if (first.kind !== 'name') {
      if (directive) throw new SyntaxProblem(column, unknownDirective(text + (next?.text ?? '')));
      throw new SyntaxProblem(column, `a statement cannot start with '${text}'`);
    }
    this.#named({ line, tokens }, start, nodes);
  }

  /** Whether a dotted name is a directive here and not a local label of ACME's. */
  #isDirective(directive: DirectiveName, tokens: readonly Token[], start: number): boolean {
    const { name, prefix, length } = directive;
    if (!directives.has(name) && !blockDirectives.has(name) && !isBlockEnd(name)) return false;
    if (prefix === '!' || length === 2) return true;
    const next = tokens[start + 1];
    if (name.length === 1 || (next?.kind === 'operator' && (next.text === ':' || next.text === '='))) {
      return name === 'pc' && next?.text === '=';
    }
    const bare =
      next === undefined ||
      directiveAt(tokens, start + 1) !== undefined ||
      (next.kind === 'name' && instructionNamed(next.text) !== undefined);
    return !(this.#isAcme && bare);
  }

  /** A statement that starts with a name: label, assignment, instruction or macro call. */
  #named({ line, tokens }: Piece, start: number, nodes: Node[]): void {
    const first = tokens[start] as Token;
    const next = tokens[start + 1];
    const { column, text } = first;
    const place = { line, column };
    const operator = next?.kind === 'operator' ? next.text : '';
    const machine = instructionNamed(text);
    if (operator === ':' && !(machine && next?.spaced)) {
      const open = tokens[start + 2];
      if (open?.text === '{' && open.kind === 'operator') {
        nodes.push({ kind: 'scope', ...place, name: text, body: this.#braces(line) });
        return;
      }
      const following = directiveAt(tokens, start + 2);
      if (following && blockDirectives.has(following.name)) {
        this.#directive({ line, tokens }, start + 2, following, first, nodes);
        return;
      }
      nodes.push({ kind: 'label', ...place, name: text });
      this.#statement({ line, tokens }, start + 2, nodes);
      return;
    }
    if (/^(=|:=|\+=|-=)$/.test(operator)) {
      nodes.push({ kind: 'assign', ...place, name: text, operator, value: wholeExpression(tokens.slice(start + 2)) });
      return;
    }
    const step = tokens
      .slice(start + 1)
      .map((token) => token.text)
      .join('');
    if (!machine && next?.spaced === false && (step === '++' || step === '--')) {
      const one: Expression = { column, wide: false, evaluate: () => 1 };
      nodes.push({ kind: 'assign', ...place, name: text, operator: step === '++' ? '+=' : '-=', value: one });
      return;
    }
    const asLabel = column === 1 && next !== undefined && directiveAt(tokens, start + 1);
    if (machine && !(asLabel && directives.has(asLabel.name))) {
      let from = start + 1;
      let { bytes } = machine;
      const width = tokens[start + 2];
      // ACME's lda+1 and lda+2.
      if (
        operator === '+' &&
        !next?.spaced &&
        width?.kind === 'number' &&
        !width.spaced &&
        (width.value === 1 || width.value === 2)
      ) {
        bytes = width.value;
        from += 2;
      }
      const operand = parseOperand(tokens.slice(from), machine.instruction);
      const size = bytes ?? operand.bytes;
      nodes.push({
        kind: 'instruction',
        ...place,
        name: machine.name,
        instruction: machine.instruction,
        ...operand,
        ...(size === undefined ? {} : { bytes: size }),
      });
      return;
    }
    this.#labelOrCall({ line, tokens }, start, nodes);
  }

  /** `name …` where only a macro of that name, known when the line is reached, tells a call from a label. */
  #labelOrCall({ line, tokens }: Piece, start: number, nodes: Node[]): void {
    const first = tokens[start] as Token;
    const { column, text } = first;
    const following = directiveAt(tokens, start + 1);
    const next = tokens[start + 1];
    if (following && /^(equ|set|var)$/.test(following.name) && following.prefix === '.') {
      const value = wholeExpression(tokens.slice(start + 2));
      nodes.push({ kind: 'assign', line, column, name: text, operator: following.name === 'equ' ? '=' : ':=', value });
      return;
    }
    if (next?.kind === 'name' && next.text.toLowerCase() === 'equ') {
      nodes.push({
        kind: 'assign',
        line,
        column,
        name: text,
        operator: '=',
        value: wholeExpression(tokens.slice(start + 2)),
      });
      return;
    }
    if (following && blockDirectives.has(following.name)) {
      this.#directive({ line, tokens }, start + 1, following, first, nodes);
      return;
    }
    const leads =
      (following && directives.has(following.name)) ||
      (next?.kind === 'name' && instructionNamed(next.text) !== undefined) ||
      (next?.kind === 'operator' && /^[*+{:-]$/.test(next.text));
    const label: Node = { kind: 'label', line, column, name: text };
    if (leads && next?.text === '{') {
      nodes.push({ kind: 'scope', line, column, name: text, body: this.#braces(line) });
      return;
    }
    const isLabel = next === undefined ? column === 1 || /^[.@_]/.test(text) : leads;
    const otherwise: Node[] = [];
    if (isLabel) {
      otherwise.push(label);
      // The rest is parsed once more as the arguments if it turns out to be a call.
      if (leads) this.#statement({ line, tokens }, start + 1, otherwise);
    }
    this.#call(line, tokens, start, nodes, otherwise);
  }

  #call(line: SourceLine, tokens: readonly Token[], start: number, nodes: Node[], otherwise?: Block): void {
    const first = tokens[start] as Token;
    const rest = tokens.slice(start + 1);
    const args = rest[0]?.spaced === false && isEnclosed(rest) ? withoutParentheses(rest) : rest;
    nodes.push({
      kind: 'call',
      line,
      column: first.column,
      name: first.text,
      args: splitArguments(args),
      ...(otherwise && otherwise.length > 0 ? { otherwise } : {}),
    });
  }

  #directive(piece: Piece, start: number, directive: DirectiveName, label: Token | undefined, nodes: Node[]): void {
    const { line, tokens } = piece;
    const column = tokens[start]?.column ?? 1;
    const rest = tokens.slice(start + directive.length);
    if (directive.name === 'pc' && rest[0]?.text === '=') {
      nodes.push({ kind: 'origin', line, column, value: this.#originOf(rest.slice(1)) });
      return;
    }
    const block = blockDirectives.get(directive.name);
    if (isBlockEnd(directive.name)) {
      throw new SyntaxProblem(column, `.${directive.name} without the directive that it ends`);
    }
    if (!block) {
      const plain =
        directive.prefix === '.' && isEnclosed(rest) && rest[0]?.spaced === false ? withoutParentheses(rest) : rest;
      const args = splitArguments(plain).map((part) => argumentOf(part, column));
      nodes.push({ kind: 'directive', line, column, name: directive.name, prefix: directive.prefix, args });
      return;
    }
    const ownBrace = rest.at(-1)?.kind === 'operator' && rest.at(-1)?.text === '{';
    const nextPiece = this.#pieces[this.#at];
    const nextBrace =
      nextPiece?.tokens.length === 1 && nextPiece.tokens[0]?.kind === 'operator' && nextPiece.tokens[0].text === '{';
    if (!ownBrace && nextBrace) this.#at++;
    const context: BlockContext = {
      line,
      column,
      name: directive.name,
      prefix: directive.prefix,
      braced: ownBrace || nextBrace,
      ...(label ? { label: label.text } : {}),
      head: ownBrace ? rest.slice(0, -1) : rest,
      body: (ends) => this.#body(line, column, ownBrace || nextBrace, ends),
      raw: (opens, ends) => this.#raw(line, column, ownBrace || nextBrace, opens, ends),
      statement: (part) => this.#single(line, part),
      peek: () => this.#pieces[this.#at]?.tokens ?? [],
      skip: () => this.#pieces[this.#at++]?.tokens ?? [],
    };
    nodes.push(...block(context));
  }

  #single(line: SourceLine, tokens: readonly Token[]): Node | undefined {
    const nodes: Node[] = [];
    this.#statement({ line, tokens }, 0, nodes);
    return nodes[0];
  }

  #braces(line: SourceLine): Block {
    return this.#body(line, 1, true, new Set()).body;
  }

  /** The statements of a block; `end` is the directive that closed it, '' for a brace. */
  #body(
    line: SourceLine,
    column: number,
    braced: boolean,
    ends: ReadonlySet<string>,
  ): { body: Block; end: string; rest: readonly Token[] } {
    const ended = (piece: Piece) => !braced && ends.has(directiveAt(piece.tokens)?.name ?? '');
    const body = this.#until(ended);
    const piece = this.#pieces[this.#at++];
    const wrong = !braced && piece?.tokens[0]?.text === '}';
    if (!piece || wrong) {
      const wanted = braced ? "'}'" : `.${[...ends].at(-1)}`;
      this.#fail(line, column, `the block that starts here is not closed: ${wanted} is missing`);
      return { body, end: '', rest: [] };
    }
    const directive = braced ? undefined : directiveAt(piece.tokens);
    return { body, end: directive?.name ?? '', rest: piece.tokens.slice(directive?.length ?? 1) };
  }

  /** The unparsed pieces of a block. */
  #raw(
    line: SourceLine,
    column: number,
    braced: boolean,
    opens: ReadonlySet<string>,
    ends: ReadonlySet<string>,
  ): Piece[] {
    const pieces: Piece[] = [];
    let depth = 1;
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at++] as Piece;
      const { tokens } = piece;
      if (braced) {
        if (tokens.at(-1)?.text === '{' && tokens.at(-1)?.kind === 'operator') depth++;
        if (tokens[0]?.text === '}' && tokens[0].kind === 'operator') depth--;
      } else {
        const at = directiveAt(tokens) ?? directiveAt(tokens, 1);
        if (at && opens.has(at.name)) depth++;
        if (at && ends.has(at.name)) depth--;
      }
      if (depth === 0) return pieces;
      pieces.push(piece);
    }
    this.#fail(
      line,
      column,
      `the block that starts here is not closed: ${braced ? "'}'" : `.${[...ends].at(-1)}`} is missing`,
    );
    return pieces;
  }

  #originOf(tokens: readonly Token[]): Expression {
    // KickAssembler names the segment after the address: * = $1000 "Main".
    const last = tokens.at(-1);
    const named = last?.kind === 'string' && tokens.length > 1;
    return wholeExpression(splitArguments(named ? tokens.slice(0, -1) : tokens)[0] ?? []);
  }
}
