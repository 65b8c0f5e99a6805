import { z } from 'zod';
import type { FileScope, FileUse } from '../../../formats/commodore/symbols/symbol-file.ts';
import type { TimeSlice } from '../../shared/time-slice.ts';
import type { SavedSymbols } from '../symbols/commodore-symbols.ts';

const word = z.number().int().min(0).max(0xffff);
const text = z.string().max(1000);
const count = z.number().int().min(0);

/**
 * Rows of the part, by their only key: each a line of JSON, short enough to be read at once. `line`, `file` and `text` belong to what
 * came last.
 */
const shapes = {
  symbol: z.strictObject({
    symbol: z.strictObject({
      name: text,
      address: z.number().int(),
      isConstant: z.boolean().exactOptional(),
      file: text.exactOptional(),
      line: count.exactOptional(),
      source: text,
    }),
  }),
  line: z.strictObject({
    line: z.strictObject({
      address: word,
      length: z.number().int().min(0).max(0x10000),
      file: text,
      line: count,
      isHigh: z.boolean().exactOptional(),
    }),
  }),
  annotation: z.strictObject({
    annotation: z.strictObject({
      type: text,
      description: text,
      file: text,
      line: count,
      label: text.exactOptional(),
      address: word.exactOptional(),
      source: text,
    }),
  }),
  scopes_of: z.strictObject({ scopes_of: text }),
  scope: z.strictObject({
    scope: z.strictObject({
      ...{ name: text, address: word, length: word },
      variables: z
        .array(
          z.strictObject({
            name: z.string().max(100),
            place: z.enum(['stack', 'register', 'memory']),
            at: z.number().int().min(-0x8000).max(0xffff),
            bytes: word.exactOptional(),
          }),
        )
        .max(200),
    }),
  }),
  use: z.strictObject({ use: z.strictObject({ name: z.string().max(100), at: z.array(word).max(3000) }) }),
  lines_of: z.strictObject({ lines_of: text }),
  texts_of: z.strictObject({ texts_of: text }),
  file: z.strictObject({ file: text }),
  text: z.strictObject({ text: z.string() }),
};

type Row = z.output<(typeof shapes)[keyof typeof shapes]>;

const mostBytes = 32 * 1024 * 1024;
const longestRow = 32_768;
const textAtOnce = 4000;
const most = {
  symbols: 0x10000,
  lines: 0x10000,
  sources: 64,
  files: 0x10000,
  annotations: 1_000_000,
  scopes: 4096,
  uses: 500,
};

type Item<List extends readonly unknown[]> = List[number];
type Lines = Item<Item<SavedSymbols['lines']>[1]>;
type ReadScope = FileScope & { readonly uses: FileUse[] };
type Texts = [source: string, files: [file: string, text: string][]][];

export async function writeSymbols(symbols: SavedSymbols, slice: TimeSlice): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let rows: string[] = [];
  const flush = () => {
    if (rows.length > 0) pieces.push(Buffer.from(`${rows.join('\n')}\n`));
    rows = [];
  };
  for (const each of rowsOf(symbols)) {
    rows.push(JSON.stringify(each));
    if (!slice.isOver) continue;
    flush();
    await slice.next();
  }
  flush();
  return new Uint8Array(Buffer.concat(pieces));
}

function* rowsOf({ entries, lines, annotations, texts, scopes }: SavedSymbols): Generator<Row> {
  for (const symbol of entries) yield { symbol };
  for (const [source, table] of lines) {
    yield { lines_of: source };
    for (const line of table) yield { line };
  }
  for (const annotation of annotations) yield { annotation };
  for (const [source, list] of scopes) {
    yield { scopes_of: source };
    for (const { uses, variables, ...scope } of list) {
      yield { scope: { ...scope, variables: [...variables] } };
      for (const { name, at } of uses) yield { use: { name, at: [...at] } };
    }
  }
  for (const [source, files] of texts) {
    yield { texts_of: source };
    for (const [file, whole] of files) {
      yield { file };
      for (let at = 0; at < whole.length; at += textAtOnce) yield { text: whole.slice(at, at + textAtOnce) };
    }
  }
}

/** Throws an `Error` about what no machine here has written. */
export async function readSymbols(part: Uint8Array, slice: TimeSlice): Promise<SavedSymbols> {
  if (part.length > mostBytes) throw new Error(`${part.length} bytes, and ${mostBytes} are the limit`);
  const reader = new SymbolsReader();
  for (let at = 0; at < part.length; ) {
    const end = part.indexOf(10, at);
    if (end < 0 || end - at > longestRow) throw new Error('a row without end');
    reader.take(rowOf(JSON.parse(Buffer.from(part.buffer, part.byteOffset + at, end - at).toString('utf8'))));
    at = end + 1;
    if (slice.isOver) await slice.next();
  }
  return reader.end();
}

function rowOf(value: unknown): Row {
  const [key = ''] = Object.keys(Object(value));
  if (!Object.hasOwn(shapes, key)) throw new Error('a row of no sort');
  return shapes[key as keyof typeof shapes].parse(value);
}

class SymbolsReader {
  readonly #entries: Item<SavedSymbols['entries']>[] = [];
  readonly #lines: [source: string, lines: Lines[]][] = [];
  readonly #annotations: Item<SavedSymbols['annotations']>[] = [];
  readonly #texts: Texts = [];
  readonly #scopes: [source: string, scopes: ReadScope[]][] = [];
  #pieces: string[] = [];

  take(each: Row): void {
    if ('symbol' in each) add(this.#entries, each.symbol, most.symbols);
    else if ('lines_of' in each) add(this.#lines, [each.lines_of, []], most.sources);
    else if ('line' in each) add(last(this.#lines)[1], each.line, most.lines);
    else if ('annotation' in each) add(this.#annotations, each.annotation, most.annotations);
    else if ('scopes_of' in each) add(this.#scopes, [each.scopes_of, []], most.sources);
    else if ('scope' in each) add(last(this.#scopes)[1], { ...each.scope, uses: [] }, most.scopes);
    else if ('use' in each) add(last(last(this.#scopes)[1]).uses, each.use, most.uses);
    else if ('text' in each) this.#pieces.push(each.text);
    else this.#begin(each);
  }

  end(): SavedSymbols {
    this.#endText();
    const [entries, lines, annotations, texts] = [this.#entries, this.#lines, this.#annotations, this.#texts];
    return { entries, lines, annotations, texts, scopes: this.#scopes };
  }

  #begin(each: { readonly texts_of: string } | { readonly file: string }): void {
    this.#endText();
    if ('texts_of' in each) add(this.#texts, [each.texts_of, []], most.sources);
    else add(last(this.#texts)[1], [each.file, ''], most.files);
  }

  #endText(): void {
    if (this.#pieces.length === 0) return;
    last(last(this.#texts)[1])[1] = this.#pieces.join('');
    this.#pieces = [];
  }
}

function add<T>(list: T[], item: T, limit: number): void {
  if (list.length >= limit) throw new Error(`more than ${limit} rows of a sort`);
  list.push(item);
}

function last<T>(list: readonly T[]): T {
  const found = list.at(-1);
  if (found === undefined) throw new Error('a row that belongs to nothing');
  return found;
}
