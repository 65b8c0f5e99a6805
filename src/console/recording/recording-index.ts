/** The time index: JSON lines, the header first, then what happened in order. `t` is in ms since the start. */
export interface IndexHeader {
  readonly version: 1;
  /** ISO 8601. */
  readonly started: string;
  readonly columns: number;
  readonly rows: number;
  readonly machine: string;
}

export type IndexEntry =
  /** `bytes` bytes of output from `offset` on lie in the recording from `file` on. */
  | { readonly t: number; readonly offset: number; readonly file: number; readonly bytes: number }
  | { readonly t: number; readonly mark: string }
  | { readonly t: number; readonly link: string }
  | { readonly t: number; readonly columns: number; readonly rows: number }
  /** So many bytes from `offset` on are not in the recording. */
  | { readonly t: number; readonly offset: number; readonly missing: number; readonly reason: string }
  | { readonly t: number; readonly end: true };

export function indexPathOf(path: string): string {
  return `${path}.index.jsonl`;
}

export function parseHeader(line: string): IndexHeader | undefined {
  const value = parse(line);
  const { version, started, columns, rows, machine } = value;
  if (version !== 1 || typeof started !== 'string' || typeof machine !== 'string') return undefined;
  if (typeof columns !== 'number' || typeof rows !== 'number') return undefined;
  return { version, started, columns, rows, machine };
}

/** Nothing for a line that is not whole: the last one, when the disk was full or is being written right now. */
export function parseEntry(line: string): IndexEntry | undefined {
  const { t, offset, file, bytes, mark, link, columns, rows, missing, reason, end } = parse(line);
  if (typeof t !== 'number') return undefined;
  if (typeof mark === 'string') return { t, mark };
  if (typeof link === 'string') return { t, link };
  if (typeof columns === 'number' && typeof rows === 'number') return { t, columns, rows };
  if (end === true) return { t, end };
  if (typeof offset !== 'number') return undefined;
  if (typeof missing === 'number' && typeof reason === 'string') return { t, offset, missing, reason };
  if (typeof file === 'number' && typeof bytes === 'number') return { t, offset, file, bytes };
  return undefined;
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
