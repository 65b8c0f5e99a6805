import { splitArguments, wholeExpression, withoutParentheses } from './arguments.ts';
import type { SourceLine } from './assembly.ts';
import type { Expression } from './expression.ts';
import { SyntaxProblem, type Token } from './lexer.ts';
import type { Block, Macro, Node, Piece } from './nodes.ts';

/** What a block directive sees of its place and of what follows. */
export interface BlockContext {
  readonly line: SourceLine;
  readonly column: number;
  readonly name: string;
  readonly prefix: '.' | '!';
  /** The body is in braces. */
  readonly braced: boolean;
  /** The name in front of it: `draw .macro`. */
  readonly label?: string;
  readonly head: readonly Token[];
  body(ends: ReadonlySet<string>): { body: Block; end: string; rest: readonly Token[] };
  raw(opens: ReadonlySet<string>, ends: ReadonlySet<string>): Piece[];
  statement(tokens: readonly Token[]): Node | undefined;
  peek(): readonly Token[];
  skip(): readonly Token[];
}

type BlockDirective = (context: BlockContext) => Node[];

const ifEnds = new Set(['elseif', 'elsif', 'elif', 'else', 'endif', 'fi']);
const repeatEnds = new Set(['endrepeat', 'endrep', 'endrept', 'endr', 'next']);
const loopEnds = new Set(['endfor', 'endwhile', 'next']);
const scopeEnds = new Set(['endproc', 'pend', 'endscope', 'endblock', 'bend', 'endnamespace', 'endn']);
const phaseEnds = new Set(['endlogical', 'dephase', 'realpc', 'here']);
const macroOpens = new Set(['macro', 'mac']);
const macroEnds = new Set(['endmacro', 'endmac', 'endm']);
const allEnds = new Set([...ifEnds, ...repeatEnds, ...loopEnds, ...scopeEnds, ...phaseEnds, ...macroEnds]);

export const isBlockEnd = (name: string): boolean => allEnds.has(name);

const always: Expression = { column: 1, wide: false, evaluate: () => 1 };

function conditionOf(name: string, head: readonly Token[], column: number): Expression {
  const wanted = head[0];
  if (name === 'ifdef' || name === 'ifndef') {
    if (!wanted) throw new SyntaxProblem(column, `.${name} needs a name`);
    const yes = name === 'ifdef' ? 1 : 0;
    return { column, wide: false, evaluate: (environment) => (environment.isDefined(wanted.text) ? yes : 1 - yes) };
  }
  if (name === 'ifblank' || name === 'ifnblank') {
    const value =
      (head.length === 0 || head.every(({ text }) => text === '{' || text === '}')) === (name === 'ifblank') ? 1 : 0;
    return { column, wide: false, evaluate: () => value };
  }
  return wholeExpression(head);
}

const conditional: BlockDirective = (context) => {
  const { line, column } = context;
  const branches: { test: Expression; body: Block }[] = [];
  let test = conditionOf(context.name, context.head, column);
  for (;;) {
    const { body, end, rest } = context.body(ifEnds);
    branches.push({ test, body });
    if (context.braced) {
      const following = elseOf(context.peek());
      if (!following) break;
      context.skip();
      test = following.length > 0 ? wholeExpression(following) : always;
    } else if (end === 'else') test = always;
    else if (end.startsWith('el')) test = wholeExpression(rest);
    else break;
  }
  return [{ kind: 'if', line, column, branches }];
};

/** The condition of `else {` (empty), `else if … {`; undefined when the chain ends here. */
function elseOf(tokens: readonly Token[]): readonly Token[] | undefined {
  const [first, second] = tokens;
  const word = first?.text.toLowerCase();
  if (tokens.at(-1)?.text !== '{' || (word !== 'else' && word !== 'elseif' && word !== 'elif')) return undefined;
  const skip = word === 'else' && second?.text.toLowerCase() === 'if' ? 2 : 1;
  return tokens.slice(skip, -1);
}

const repeat: BlockDirective = (context) => {
  const { line, column } = context;
  const [count = [], counter] = splitArguments(context.head);
  const { body } = context.body(repeatEnds);
  const name = counter?.[0]?.text;
  return [{ kind: 'repeat', line, column, count: wholeExpression(count), ...(name ? { counter: name } : {}), body }];
};

/** ACME: `!for i, 1, 10 {`; 64tass: `.for i = 0, i < 10, i = i + 1`; KickAssembler: `.for (var i = 0; i < 10; i++) {`. */
const forLoop: BlockDirective = (context) => {
  const { line, column, head } = context;
  const place = { line, column };
  if (context.prefix === '!') {
    const [name = [], ...limits] = splitArguments(head);
    const from = limits.length > 1 ? wholeExpression(limits[0] ?? []) : always;
    const to = wholeExpression(limits.at(-1) ?? []);
    const counter = name[0]?.text ?? '';
    const current: Expression = { column, wide: false, evaluate: (env) => env.symbol(counter, column) };
    const test: Expression = {
      column,
      wide: false,
      evaluate: (env) => {
        const [i, first, last] = [current.evaluate(env), from.evaluate(env), to.evaluate(env)];
        if (i === undefined || first === undefined || last === undefined) return 0;
        return (first <= last ? i <= last && i >= first : i >= last && i <= first) ? 1 : 0;
      },
    };
    const stepBy: Expression = {
      column,
      wide: false,
      evaluate: (env) => ((from.evaluate(env) ?? 0) <= (to.evaluate(env) ?? 0) ? 1 : -1),
    };
    return [
      {
        kind: 'loop',
        ...place,
        first: { kind: 'assign', ...place, name: counter, operator: ':=', value: from },
        test,
        step: { kind: 'assign', ...place, name: counter, operator: '+=', value: stepBy },
        body: context.body(loopEnds).body,
      },
    ];
  }
  const inside = withoutParentheses(head);
  const parts = splitArguments(
    inside,
    inside.some(({ kind, text }) => kind === 'operator' && text === ';') ? ';' : ',',
  );
  const [init = [], test = [], step = []] = parts;
  const variable = (tokens: readonly Token[]) => {
    const node =
      tokens.length > 0
        ? context.statement(/^\.?var$/i.test(tokens[0]?.text ?? '') ? tokens.slice(1) : tokens)
        : undefined;
    if (node && node.kind !== 'assign')
      throw new SyntaxProblem(tokens[0]?.column ?? column, 'an assignment is expected');
    return node?.kind === 'assign' && node.operator === '=' ? { ...node, operator: ':=' } : node;
  };
  const first = variable(init);
  const next = variable(step);
  return [
    {
      kind: 'loop',
      ...place,
      ...(first ? { first } : {}),
      test: wholeExpression(test),
      ...(next ? { step: next } : {}),
      body: context.body(loopEnds).body,
    },
  ];
};

const whileLoop: BlockDirective = (context) => {
  const { line, column } = context;
  const test = wholeExpression(context.head);
  return [{ kind: 'loop', line, column, test, body: context.body(loopEnds).body }];
};

const macro: BlockDirective = (context) => {
  const { line, column, label } = context;
  const [named, ...others] = context.head;
  const name = label ?? named?.text;
  const body = context.raw(macroOpens, macroEnds);
  if (!name) throw new SyntaxProblem(column, 'a macro needs a name');
  const list = label === undefined ? others : context.head;
  const parameters = splitArguments(withoutParentheses(list)).flatMap((tokens): Macro['parameters'][number][] => {
    // ACME marks parameters by reference with ~.
    const [parameter, equals, ...fallback] = tokens[0]?.text === '~' ? tokens.slice(1) : tokens;
    return parameter ? [{ name: parameter.text, fallback: equals?.text === '=' ? fallback : [] }] : [];
  });
  return [{ kind: 'macro', line, column, macro: { name, parameters, body } }];
};

const scope: BlockDirective = (context) => {
  const { line, column, label } = context;
  const name = label ?? context.head[0]?.text ?? '';
  const { body } = context.body(scopeEnds);
  const nodes: Node[] = [{ kind: 'scope', line, column, name, body }];
  const opensLabel = context.name === 'proc' || label !== undefined;
  return opensLabel && name !== '' ? [{ kind: 'label', line, column, name }, ...nodes] : nodes;
};

const zone: BlockDirective = (context) => {
  const { line, column } = context;
  const name = context.head[0]?.text ?? '';
  return [{ kind: 'zone', line, column, name, ...(context.braced ? { body: context.body(new Set()).body } : {}) }];
};

const phase: BlockDirective = (context) => {
  const { line, column } = context;
  const value = wholeExpression(context.head);
  return [{ kind: 'phase', line, column, value, body: context.body(phaseEnds).body }];
};

const conversion: BlockDirective = (context) => {
  const { line, column } = context;
  const name = context.head[0]?.text ?? '';
  return [{ kind: 'encoding', line, column, name, ...(context.braced ? { body: context.body(new Set()).body } : {}) }];
};

/** The directives that take a block, by name. */
export const blockDirectives: ReadonlyMap<string, BlockDirective> = new Map(
  Object.entries({
    if: conditional,
    ifdef: conditional,
    ifndef: conditional,
    ifblank: conditional,
    ifnblank: conditional,
    repeat: repeat,
    rept: repeat,
    rep: repeat,
    for: forLoop,
    while: whileLoop,
    macro,
    mac: macro,
    proc: scope,
    block: scope,
    scope,
    namespace: scope,
    zone,
    zn: zone,
    logical: phase,
    pseudopc: phase,
    phase,
    ct: conversion,
    convtab: conversion,
  }),
);
