/** Hints for debuggers that sources and label files carry: `; @mcp-irq-handler: Raster IRQ at line 100`. */
export interface AnnotationsCapability {
  /** In order of address; those without one last. */
  list(): readonly Annotation[];
  /** The last one at or before an address, if it is near: what the code there belongs to. */
  nearest(address: bigint): Annotation | undefined;
}

export interface Annotation {
  /** Without the prefix: `irq-handler`. */
  readonly type: string;
  readonly description: string;
  /** Missing where nothing that was loaded says where the code lies. */
  readonly address?: bigint;
  readonly label?: string;
  readonly file: string;
  readonly line: number;
}
