import { type Annotation, annotationsIn } from './annotation.ts';
import type { FileSymbol } from './symbol-file.ts';

/** Of a comment in a label file: of the label on its line, or of the next one. `read` reads labels as the format has them. */
export function labelAnnotations(
  text: string,
  file: string,
  symbols: readonly FileSymbol[],
  read: (line: string) => readonly FileSymbol[],
): Annotation[] {
  if (!text.includes('@mcp-')) return [];
  const found: Annotation[] = [];
  let waiting: Annotation[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const own = annotationsIn(line).map((each) => ({ ...each, file, line: index + 1 }));
    waiting.push(...own);
    const [symbol] = waiting.length > 0 ? read(line) : [];
    if (symbol === undefined) continue;
    const { name, address } = symbol;
    // A line alone does not tell the scopes around it.
    const full = symbols.find((each) => each.address === address && each.name.endsWith(name))?.name ?? name;
    found.push(...waiting.map((each) => ({ ...each, label: full, address })));
    waiting = [];
  }
  return [...found, ...waiting];
}
