import { variableScopes } from './read-ca65-variables.ts';
import type { FileLine, FileScope, FileSymbol } from './symbol-file.ts';

type Row = ReadonlyMap<string, string>;

const cLine = '1';
const mostScopes = 64;
/** Labels that the compiler makes within a function. */
const generated = /^L[0-9A-F]{4}$/;

/** Reads the debug file of ld65 (`--dbgfile`): labels with their scopes, the lines of assembler and C sources, and the variables of C. */
export function readCa65Debug(text: string): { symbols: FileSymbol[]; lines: FileLine[]; scopes: FileScope[] } {
  const tables = new Map<string, Map<string, Row>>();
  for (const line of text.split(/\r?\n/)) {
    const [, kind, rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (!kind) continue;
    const row = new Map<string, string>();
    for (const [, key = '', quoted, plain = ''] of rest.matchAll(/(\w+)=(?:"([^"]*)"|([^,]*))/g))
      row.set(key, quoted ?? plain);
    const table = tables.get(kind) ?? new Map<string, Row>();
    tables.set(kind, table.set(row.get('id') ?? '', row));
  }
  const rows = (kind: string) => tables.get(kind) ?? new Map<string, Row>();
  const symbols = symbolsOf(rows);
  return { symbols: [...symbols, ...namesInC(rows, symbols)], lines: linesOf(rows), scopes: variableScopes(rows) };
}

function symbolsOf(rows: (kind: string) => ReadonlyMap<string, Row>): FileSymbol[] {
  const path = (id: string | undefined): string[] => {
    const names: string[] = [];
    let scope = id === undefined ? undefined : rows('scope').get(id);
    for (let depth = 0; scope !== undefined; depth += 1) {
      if (depth >= mostScopes) throw new Error(`more than ${mostScopes} scopes within each other`);
      const name = scope.get('name') ?? '';
      if (name !== '') names.unshift(name);
      scope = rows('scope').get(scope.get('parent') ?? '');
    }
    return names;
  };
  const functions = new Set([...rows('csym').values()].map((row) => row.get('scope') ?? ''));
  const isInC = (row: Row) => {
    const scope = row.get('scope') ?? '';
    return functions.has(scope) && (rows('scope').get(scope)?.get('name') ?? '') !== '';
  };
  return [...rows('sym').values()].flatMap((row): FileSymbol[] => {
    const value = row.get('val');
    const name = row.get('name');
    if (value === undefined || name === undefined || row.get('type') === 'imp') return [];
    const parent = row.get('parent');
    const owner = parent === undefined ? undefined : rows('sym').get(parent);
    if (generated.test(name) && isInC(row)) return [];
    const isConstant = row.get('type') === 'equ';
    const scopes = owner ? [...path(owner.get('scope')), owner.get('name') ?? ''] : path(row.get('scope'));
    const full = name.startsWith('@') ? `${scopes.join('.')}${name}` : [...scopes, name].join('.');
    return [{ name: full, address: Number(value), ...(isConstant && { isConstant }), ...definitionOf(row, rows) }];
  });
}

/**
 * Of functions and variables of C, whose labels begin with an underscore. Where a label has such a name already, it stays that label's.
 * The file does not tell of all variables that they are C's; in a program with C labels like these are.
 */
function namesInC(rows: (kind: string) => ReadonlyMap<string, Row>, symbols: readonly FileSymbol[]): FileSymbol[] {
  if (rows('csym').size === 0) return [];
  const taken = new Set(symbols.map(({ name }) => name));
  return symbols.flatMap((symbol) => {
    const name = /^_([A-Za-z]\w*)$/.exec(symbol.name)?.[1];
    return name === undefined || taken.has(name) || symbol.isConstant ? [] : [{ ...symbol, name }];
  });
}

function definitionOf(row: Row, rows: (kind: string) => ReadonlyMap<string, Row>): { file?: string; line?: number } {
  const line = rows('line').get(row.get('def')?.split('+')[0] ?? '');
  const file = rows('file')
    .get(line?.get('file') ?? '')
    ?.get('name');
  return line && file ? { file, line: Number(line.get('line')) } : {};
}

function linesOf(rows: (kind: string) => ReadonlyMap<string, Row>): FileLine[] {
  const lines = [...rows('line').values()].flatMap((row): FileLine[] => {
    const file = rows('file')
      .get(row.get('file') ?? '')
      ?.get('name');
    const spans = row.get('span')?.split('+') ?? [];
    if (!file) return [];
    return spans.flatMap((id) => {
      const span = rows('span').get(id);
      const segment = rows('seg').get(span?.get('seg') ?? '');
      if (!span || !segment) return [];
      const address = Number(segment.get('start')) + Number(span.get('start'));
      const isHigh = row.get('type') === cLine;
      const line = { address, length: Number(span.get('size')), file, line: Number(row.get('line')) };
      return [isHigh ? { ...line, isHigh } : line];
    });
  });
  return lines.sort((a, b) => a.address - b.address);
}
