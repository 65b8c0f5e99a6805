import { hex } from '../../hex.ts';
import { ownValue } from '../../own-value.ts';
import { AnnotationTracker } from './annotation-tracker.ts';
import { argumentOf } from './arguments.ts';
import type { AssembleOptions, SourceLine } from './assembly.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { DirectiveContext } from './directive.ts';
import { directiveContext } from './directive-context.ts';
import { directives } from './directives.ts';
import type { Environment, Expression } from './expression.ts';
import { encodeInstruction } from './instruction-encoding.ts';
import { SyntaxProblem } from './lexer.ts';
import { expandMacro, joinIndexes } from './macro-expansion.ts';
import { nearest } from './nearest.ts';
import type { Block, CallNode, InstructionNode, Macro, Node } from './nodes.ts';
import { Output } from './output.ts';
import { parsePieces } from './parser.ts';
import { piecesOf } from './pieces.ts';
import { SourceText } from './source-text.ts';
import { unknownStatement } from './suggestions.ts';
import { SymbolTable } from './symbol-table.ts';
import { encodingNames, type TextEncoding } from './text-encoding.ts';

const deepest = 64;
const mostStatements = 1_000_000;
/** Of all passes together. */
const mostEffort = 2_000_000;
const mostRounds = 0x10000;
/** From this pass on an address that needed two bytes keeps them, so that sizes cannot swing for ever. */
const growOnlyPass = 6;

class TooMuch extends Error {}

/** More work than was allowed. */
export class EffortExceeded extends Error {}

/** Bytes, and characters of a line, that take as long as a statement. */
const bytesPerStatement = 4;
const charsPerStatement = 16;
/** Each round of a loop has names of its own, which take memory. */
const effortOfRound = 16;

/** Runs the statements of a program, one pass after another. */
export class Assembler implements Environment {
  readonly symbols = new SymbolTable();
  output: Output;
  annotations = new AnnotationTracker();
  /** A limit was reached; another pass would reach it again. */
  gaveUp = false;
  readonly #options: AssembleOptions;
  readonly #syntax: Diagnostics;
  readonly #errors: Diagnostics;
  readonly #warnings: Diagnostics;
  readonly #files = new Map<string, Block>();
  readonly #macros = new Map<string, Macro>();
  readonly #wide: boolean[] = [];
  #site = 0;
  #pass = 0;
  #depth = 0;
  #statements = 0;
  /** Work done so far, in all passes. */
  #effort = 0;
  #text: SourceText;
  #line: SourceLine = { file: '', number: 0, text: '' };
  #statementPc = 0;
  #calls: string[] = [];

  constructor(options: AssembleOptions, syntax: Diagnostics, errors: Diagnostics, warnings: Diagnostics) {
    this.#options = options;
    this.#syntax = syntax;
    this.#errors = errors;
    this.#warnings = warnings;
    this.#text = new SourceText(options.encoding);
    this.output = new Output(options.origin ?? 0xc000);
  }

  /** One pass over the whole program; the symbols tell whether another one is needed. */
  run(source: string): void {
    this.symbols.beginPass(++this.#pass);
    this.output = new Output(this.#options.origin ?? 0xc000);
    this.annotations = new AnnotationTracker();
    this.#macros.clear();
    this.#site = 0;
    this.#depth = 0;
    this.#statements = 0;
    this.#text = new SourceText(this.#options.encoding);
    const file = this.#options.fileName ?? 'source';
    const given: SourceLine = { file: 'options', number: 0, text: '' };
    for (const [name, value] of Object.entries(this.#options.symbols ?? {})) {
      this.symbols.define(name, value, 'constant', given);
    }
    try {
      this.#runBlock(this.#parsed(file, source));
    } catch (problem) {
      if (!(problem instanceof TooMuch)) throw problem;
      this.fail(1, problem.message);
      this.gaveUp = true;
    }
    this.annotations.attach(this.output.pc, this.symbols.lastGlobal);
  }

  #parsed(file: string, source: string): Block {
    const known = this.#files.get(file);
    if (known) return known;
    const fail = (line: SourceLine, column: number, message: string) => this.#syntax.add(line, column, message);
    const block = parsePieces(piecesOf(file, source, fail), fail);
    this.#files.set(file, block);
    return block;
  }

  get pc(): number {
    return this.#statementPc;
  }

  symbol(name: string, column: number): number | undefined {
    const found = this.symbols.lookup(name);
    if (found) {
      return found.value ?? this.fail(column, `'${name}' has no value: it depends on itself or on something unknown`);
    }
    const guess = this.#pass > 1 && !this.#errors.isFull ? nearest(name, this.symbols.names()) : undefined;
    return this.fail(column, `'${name}' is not defined${guess ? `; did you mean ${guess}?` : ''}`);
  }

  isDefined(name: string): boolean {
    return this.symbols.lookup(name)?.defined === true;
  }

  anonymous(name: string, distance: number, column: number): number | undefined {
    const address = this.symbols.anonymous(name, distance);
    if (address !== undefined) return address;
    const sign = distance < 0 ? '-' : '+';
    const shown = (name === sign ? '' : name) + sign.repeat(Math.abs(distance));
    return this.fail(column, `there is no label '${shown}' ${distance < 0 ? 'before' : 'after'} this line`);
  }

  character(text: string, column: number): number | undefined {
    const bytes = this.#encode(text, this.#text.encoding, column);
    return bytes.length === 1
      ? bytes[0]
      : this.fail(column, 'a value is expected, not a string; one character is a value');
  }

  fail(column: number, message: string): undefined {
    this.#errors.add(this.#line, column, message + this.#where());
    return undefined;
  }

  #warn(column: number, message: string): void {
    this.#warnings.add(this.#line, column, message + this.#where());
  }

  #where(): string {
    return this.#calls.length === 0 ? '' : ` (in ${this.#calls.toReversed().join(', ')})`;
  }

  #evaluate(expression: Expression): number | undefined {
    return expression.evaluate(this);
  }

  #runBlock(block: Block): void {
    for (const node of block) this.#runNode(node);
  }

  #tire(effort: number): void {
    this.#effort += effort;
    if (this.#effort > (this.#options.mostEffort ?? Number.POSITIVE_INFINITY))
      throw new EffortExceeded('too much work');
    if (this.#effort > mostEffort) throw new TooMuch('this takes too long: a loop without end?');
  }

  #runNode(node: Node): void {
    if (++this.#statements > mostStatements)
      throw new TooMuch(`more than ${mostStatements} statements: a loop without end?`);
    this.#tire(1 + node.line.text.length / charsPerStatement);
    const before = this.output.size;
    this.#line = node.line;
    this.#statementPc = this.output.pc;
    this.output.mark(node.line);
    this.annotations.note(node.line);
    try {
      this.#dispatch(node);
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem;
      this.fail(problem.column, problem.message);
    }
    const { lastGlobal } = this.symbols;
    if (node.kind === 'label') {
      const isScoped = lastGlobal.endsWith(`.${node.name}`);
      this.annotations.attach(this.output.pc, isScoped ? lastGlobal : node.name);
    }
    // What makes no code, such as an origin, is not what a comment before it speaks of.
    if (this.output.size > before) this.annotations.attach(this.#statementPc, lastGlobal);
    this.#tire(Math.max(0, this.output.size - before) / bytesPerStatement);
    if (this.output.address > 0x10000) {
      throw new TooMuch(`the program runs past $FFFF (it is at $${hex(this.output.address)})`);
    }
  }

  #dispatch(node: Node): void {
    switch (node.kind) {
      case 'blank':
        break;
      case 'label':
        this.#define(node, this.output.pc, 'label');
        break;
      case 'anonymous':
        this.symbols.defineAnonymous(node.name, this.output.pc);
        break;
      case 'assign':
        this.#assign(node);
        break;
      case 'origin':
        this.#origin(this.#evaluate(node.value), node.value.column);
        break;
      case 'instruction':
        this.#instruction(node);
        break;
      case 'directive':
        directives.get(node.name)?.(this.#context(node), node.args);
        break;
      case 'call':
        this.#call(node);
        break;
      case 'macro':
        this.#macros.set(node.macro.name, node.macro);
        break;
      case 'if':
        this.#runBlock(node.branches.find(({ test }) => this.#evaluate(test))?.body ?? []);
        break;
      case 'repeat':
        this.#repeat(node);
        break;
      case 'loop':
        this.#loop(node);
        break;
      case 'scope':
        this.#scope(node.name, node.body, node);
        break;
      case 'zone': {
        const before = this.symbols.enterZone();
        if (!node.body) break;
        this.#runBlock(node.body);
        this.symbols.resumeZone(before);
        break;
      }
      case 'phase':
        this.#phase(node);
        break;
      case 'encoding':
        this.#convert(node);
        break;
    }
  }

  #define(node: Node & { name: string }, value: number | undefined, kind: 'label' | 'constant'): void {
    const before = this.symbols.define(node.name, value, kind, node.line);
    if (before) this.fail(node.column, `'${node.name}' is already defined in ${before.file}:${before.number}`);
  }

  #assign(node: Node & { kind: 'assign' }): void {
    const value = this.#evaluate(node.value);
    if (node.operator === '=') {
      this.#define(node, value, 'constant');
      if (value !== undefined && value >= 0 && value <= 0xffff) this.annotations.attach(value, node.name);
      return;
    }
    if (node.operator === ':=') {
      this.symbols.assign(node.name, value, node.line);
      return;
    }
    const before = this.symbol(node.name, node.column);
    const known = before !== undefined && value !== undefined;
    this.symbols.assign(
      node.name,
      known ? (node.operator === '+=' ? before + value : before - value) : undefined,
      node.line,
    );
  }

  #origin(address: number | undefined, column: number): void {
    if (address === undefined) return;
    if (address < 0 || address > 0xffff) this.fail(column, `${address} is not an address: $0000-$FFFF`);
    else this.output.origin(address);
  }

  #instruction(node: InstructionNode): void {
    const site = this.#site++;
    const value = node.operand ? this.#evaluate(node.operand) : undefined;
    const encoded = encodeInstruction(
      node,
      value,
      this.output.pc,
      this.#pass >= growOnlyPass && this.#wide[site] === true,
    );
    if (encoded.wide) this.#wide[site] = true;
    if (encoded.error) this.fail(encoded.column ?? node.column, encoded.error);
    if (encoded.warning) this.#warn(encoded.column ?? node.column, encoded.warning);
    for (const byte of encoded.bytes) this.output.emit(byte);
  }

  #call(node: CallNode): void {
    const macro = this.#macros.get(node.name) ?? this.#macros.get(node.name.replace(/^\./, ''));
    if (!macro) {
      const name = node.name.toLowerCase();
      const builtIn = { basicupstart: 'basicstub', basicupstart2: 'basicstub', scrcode: 'scr' }[name];
      if (builtIn) {
        const args = node.args.map((tokens) => argumentOf(tokens, node.column));
        directives.get(builtIn)?.(this.#context({ ...node, prefix: '.' }), args);
        return;
      }
      if (node.otherwise) this.#runBlock(node.otherwise);
      else this.fail(node.column, unknownStatement(node.name, this.#macros.keys()));
      return;
    }
    const args = joinIndexes(node.args, macro.parameters.length);
    if (
      args.length > macro.parameters.length &&
      !macro.body.some(({ tokens }) => tokens.some(({ text }) => /^\\\d/.test(text)))
    ) {
      this.fail(node.column, `macro ${macro.name} takes ${macro.parameters.length} arguments, not ${args.length}`);
    }
    if (++this.#depth > deepest) throw new TooMuch(`macros are nested more than ${deepest} deep`);
    this.#tire(effortOfRound * (1 + macro.body.reduce((sum, { tokens }) => sum + tokens.length, 0)));
    const fail = (line: SourceLine, column: number, message: string) => this.#syntax.add(line, column, message);
    if (node.expansion?.macro !== macro) node.expansion = { macro, body: parsePieces(expandMacro(macro, args), fail) };
    this.#calls.push(`macro ${macro.name}, called at ${node.line.file}:${node.line.number}`);
    this.symbols.enter(`${macro.name}#`);
    this.#runBlock(node.expansion.body);
    this.symbols.leave();
    this.#calls.pop();
    this.#depth--;
  }

  #repeat(node: Node & { kind: 'repeat' }): void {
    const count = this.#evaluate(node.count) ?? 0;
    if (count < 0 || count > mostRounds) {
      this.fail(node.count.column, `a count of ${count} is not in 0-${mostRounds}`);
      return;
    }
    for (let index = 0; index < count; index++) {
      this.#tire(effortOfRound);
      this.symbols.enter('repeat#');
      if (node.counter) this.symbols.setVariable(node.counter, index, node.line);
      this.#runBlock(node.body);
      this.symbols.leave();
    }
  }

  #loop(node: Node & { kind: 'loop' }): void {
    if (node.first) this.#runNode(node.first);
    for (let round = 0; ; round++) {
      this.#tire(effortOfRound);
      this.#line = node.line;
      if (!this.#evaluate(node.test)) return;
      if (round >= mostRounds) throw new TooMuch(`more than ${mostRounds} rounds: the loop does not end`);
      this.symbols.enter('for#');
      this.#runBlock(node.body);
      this.symbols.leave();
      if (node.step) this.#runNode(node.step);
    }
  }

  #scope(name: string, body: Block, node: Node & { kind: 'scope' }): void {
    if (name !== '' && /:\s*\{/.test(node.line.text)) this.#define({ ...node, name }, this.output.pc, 'label');
    this.symbols.enter(name);
    this.#runBlock(body);
    this.symbols.leave();
  }

  #phase(node: Node & { kind: 'phase' }): void {
    const before = this.output.phase;
    const address = this.#evaluate(node.value);
    if (address !== undefined) this.output.phase = address - this.output.address;
    this.#runBlock(node.body);
    this.output.phase = before;
  }

  #convert(node: Node & { kind: 'encoding' }): void {
    const before = this.#text.encoding;
    const wanted = ownValue(encodingNames, node.name.toLowerCase());
    if (!wanted) {
      this.fail(node.column, `'${node.name}' is not an encoding; known are pet, scr, raw`);
      return;
    }
    this.#text.choose(wanted);
    if (!node.body) return;
    this.#runBlock(node.body);
    this.#text.choose(before);
  }

  #encode(text: string, encoding: TextEncoding, column: number): number[] {
    const { bytes, error, warning } = this.#text.encode(text, encoding);
    if (error !== undefined) this.fail(column, error);
    if (warning !== undefined) this.#warn(column, warning);
    return bytes;
  }

  #context(node: { line: SourceLine; column: number; prefix: string }): DirectiveContext {
    return directiveContext(this, node, {
      isUntouched: this.output.isUntouched,
      encode: (text, encoding, column) => this.#encode(text, encoding, column),
      encoding: () => this.#text.encoding,
      setEncoding: (encoding) => this.#text.choose(encoding),
      origin: (address, column) => this.#origin(address, column),
      include: (path, column) => this.#include(path, column),
      binary: (path) => this.#options.includeBinary?.(path),
      define: (name, value) => this.#define({ kind: 'label', ...node, name }, value, 'constant'),
      warn: (column, message) => this.#warn(column, message),
    });
  }

  #include(path: string, column: number): void {
    const text = this.#files.has(path) ? '' : this.#options.include?.(path);
    if (text === undefined) {
      this.fail(column, `"${path}" cannot be read`);
      return;
    }
    if (++this.#depth > deepest) throw new TooMuch(`"${path}" is included by itself, or more than ${deepest} deep`);
    this.#runBlock(this.#parsed(path, text));
    this.#depth--;
  }
}
