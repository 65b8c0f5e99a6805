/** A row of QEMU's answer to `query-qmp-schema`. */
interface SchemaRow {
  readonly name: string;
  readonly 'meta-type': string;
  readonly 'arg-type'?: string;
  readonly 'element-type'?: string;
  readonly 'json-type'?: string;
  readonly tag?: string;
  readonly members?: readonly { readonly name?: string; readonly type: string; readonly default?: unknown }[];
  readonly variants?: readonly { readonly case: string; readonly type: string }[];
  readonly values?: readonly string[];
}

const maxDepth = 6;
const maxVariants = 80;

/** Arguments for every command of a QEMU, with one text wherever it takes text: made from what it says of itself. */
export class QmpGuesses {
  readonly #rows: ReadonlyMap<string, SchemaRow>;

  constructor(schema: readonly SchemaRow[]) {
    this.#rows = new Map(schema.map((row) => [row.name, row]));
  }

  get commands(): readonly string[] {
    return [...this.#rows.values()].filter((row) => row['meta-type'] === 'command').map(({ name }) => name);
  }

  /** With all arguments and with those that it cannot do without, in all variants. */
  of(command: string, text: string): readonly Record<string, unknown>[] {
    const type = this.#rows.get(command)?.['arg-type'] ?? '';
    const all = [...this.#values(type, text, false, maxDepth), ...this.#values(type, text, true, maxDepth)];
    return all.slice(0, maxVariants).map((value) => ({ ...Object(value) }));
  }

  #values(type: string, text: string, sparse: boolean, depth: number): unknown[] {
    const row = this.#rows.get(type);
    if (!row || depth === 0) return [text];
    switch (row['meta-type']) {
      case 'object':
        return this.#objects(row, text, sparse, depth);
      case 'array':
        return this.#values(row['element-type'] ?? '', text, sparse, depth - 1).map((each) => [each]);
      case 'enum':
        return [(row.values ?? row.members?.map(({ name = '' }) => name) ?? [])[0]];
      case 'alternate':
        return (row.members ?? []).flatMap((each) => this.#values(each.type, text, sparse, depth - 1)).slice(0, 12);
      default:
        return [{ string: text, int: 512, number: 512, boolean: true, null: null }[row['json-type'] ?? ''] ?? text];
    }
  }

  #objects(row: SchemaRow, text: string, sparse: boolean, depth: number): unknown[] {
    const common: Record<string, unknown> = {};
    for (const { name = '', type, default: optional } of row.members ?? []) {
      if (sparse && optional !== undefined) continue;
      common[name] = this.#values(type, text, sparse, depth - 1)[0];
    }
    if (row.tag === undefined) return [common];
    const tag = row.tag;
    return (row.variants ?? []).flatMap(({ case: name, type }) =>
      this.#values(type, text, sparse, depth - 1)
        .slice(0, 4)
        .map((more) => ({ ...common, [tag]: name, ...Object(more) })),
    );
  }
}
