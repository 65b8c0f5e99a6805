import { parseAst, transformWithEsbuild } from 'vite';

export interface SourceText {
  /** With … where a value is put in. */
  readonly text: string;
  /** The property it is the value of, or `describe()` for an argument of that method. */
  readonly place: string | undefined;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

/** Every string and template of a TypeScript source, but for the name of the tool in `call('…')`. */
export async function textsIn(source: string): Promise<SourceText[]> {
  const { code } = await transformWithEsbuild(source, 'source.ts', { loader: 'ts', target: 'esnext' });
  return [...texts(parseAst(code), undefined)];
}

function* texts(node: unknown, place: string | undefined): Generator<SourceText> {
  if (Array.isArray(node)) for (const each of node) yield* texts(each, place);
  if (!isNode(node)) return;
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string') yield { text: node.value, place };
      return;
    case 'TemplateLiteral':
      yield { text: templateText(node), place };
      return yield* texts(node.expressions, undefined);
    case 'Property':
      if (node.computed === true) yield* texts(node.key, undefined);
      return yield* texts(node.value, nameOf(node.key));
    case 'BinaryExpression':
    case 'ConditionalExpression':
      for (const part of [node.test, node.left, node.consequent, node.right, node.alternate]) yield* texts(part, place);
      return;
    case 'CallExpression': {
      const [first, ...rest] = node.arguments as unknown[];
      const name = nameOf(node.callee);
      yield* texts(node.callee, undefined);
      const isDescription = name === undefined && isNode(node.callee) && nameOf(node.callee.property) === 'describe';
      yield* texts(name === 'call' ? rest : [first, ...rest], isDescription ? 'describe()' : undefined);
      return;
    }
    default:
      for (const part of Object.values(node)) yield* texts(part, undefined);
  }
}

function templateText(node: Node): string {
  const quasis = node.quasis as { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('…');
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'Literal' ? String(node.value) : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
