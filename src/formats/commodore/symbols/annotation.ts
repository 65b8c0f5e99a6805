/** The types that annotations are known by; others are kept as well, since nothing is lost by it. */
export const annotationTypes = [
  'multiplex',
  'irq-handler',
  'irq-exit',
  'timing-critical',
  'state',
  'memory',
  'function',
  'bug-known',
  'optimization',
  'data',
] as const;

/** A hint for debuggers that a source comment carries: `; @mcp-irq-handler: Raster IRQ at line 100`. */
export interface Annotation {
  /** Without the prefix: `irq-handler`. */
  readonly type: string;
  readonly description: string;
  readonly file: string;
  readonly line: number;
  readonly label?: string;
  readonly address?: number;
}

const sign = '@mcp-';
const typeForm = /^([a-z][a-z0-9-]{0,39})[\t ]*:?[\t ]*/i;
const commentSigns = [';', '//', '/*', '*', '#'];
const longestDescription = 500;

/** The annotations in a line of source, wherever its comment starts. */
export function annotationsIn(text: string): readonly { readonly type: string; readonly description: string }[] {
  const [before = '', ...parts] = text.split(sign);
  if (parts.length === 0 || !commentSigns.some((each) => before.includes(each))) return [];
  return parts.flatMap((part) => {
    const [head, type] = typeForm.exec(part) ?? [];
    if (head === undefined || type === undefined) return [];
    const description = part
      .slice(head.length, head.length + longestDescription)
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .replace(/\*\/$/, '')
      .trim();
    return [{ type: type.toLowerCase(), description }];
  });
}
