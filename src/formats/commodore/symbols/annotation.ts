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

/** The annotation in a line of source, wherever its comment starts. */
export function annotationIn(text: string): { type: string; description: string } | undefined {
  const [, type, description = ''] =
    /(?:;|\/\/|\/\*|\*|#).*?@mcp-([a-z][a-z0-9-]*)\s*:?\s*(.*?)\s*(?:\*\/)?$/i.exec(text) ?? [];
  return type === undefined ? undefined : { type: type.toLowerCase(), description };
}
