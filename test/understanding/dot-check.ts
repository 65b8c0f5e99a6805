/** Reads a graph in the part of the DOT language that we write; throws at the first thing that is none of it. */
export function readDot(text: string): { readonly nodes: Map<string, string>; readonly edges: [string, string][] } {
  const token = /\s*(digraph\b|->|[{}[\]=,;]|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*)/y;
  const tokens: string[] = [];
  while (token.lastIndex < text.trimEnd().length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found) throw new Error(`not DOT: ${JSON.stringify(text.slice(at, at + 40))}`);
    tokens.push(found[1] ?? '');
  }
  let at = 0;
  const next = () => tokens[at++] ?? 'the end';
  const expect = (wanted: string) => {
    const found = next();
    if (found !== wanted) throw new Error(`${wanted} expected, ${found} found`);
  };
  const nodes = new Map<string, string>();
  const edges: [string, string][] = [];
  expect('digraph');
  next();
  expect('{');
  while (tokens[at] !== '}') {
    const first = next();
    let second: string | undefined;
    if (tokens[at] === '->') {
      next();
      second = next();
    }
    const attributes = new Map<string, string>();
    expect('[');
    while (tokens[at] !== ']') {
      const key = next();
      expect('=');
      attributes.set(key, next());
      if (tokens[at] === ',') next();
    }
    expect(']');
    expect(';');
    if (second !== undefined) edges.push([first, second]);
    else if (first !== 'node') nodes.set(first, attributes.get('label') ?? '');
  }
  expect('}');
  if (at !== tokens.length) throw new Error('something behind the end');
  return { nodes, edges };
}
