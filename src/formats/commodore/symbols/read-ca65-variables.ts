import type { FileScope, FileUse, FileVariable } from './symbol-file.ts';

type Row = ReadonlyMap<string, string>;
interface Use {
  readonly name: string;
  readonly at: number;
}

/** Functions of a hostile file may lie over each other. */
const mostUsed = 200;
const mostUses = 1000;
/** And a line may be named by every symbol, with all spans: places that are looked at. */
const mostPlaces = 500_000;
/** Those of a function lie on a stack or in a few bytes; for others there is no more memory than this. */
const mostLocals = 1000;
const mostGlobals = 0x10000;

type Rows = (kind: string) => ReadonlyMap<string, Row>;

/** Variables of C as ld65 tells them: where they are, and of those in memory how large. It knows no types. */
export function variableScopes(rows: Rows): FileScope[] {
  const byScope = new Map<string, Row[]>();
  for (const row of rows('csym').values()) {
    const scope = row.get('scope') ?? '';
    const known = byScope.get(scope);
    if (known) known.push(row);
    else byScope.set(scope, [row]);
  }
  const uses = importsOf(rows);
  const globals: FileVariable[] = [];
  const functions: FileScope[] = [];
  for (const [id, all] of byScope) {
    const scope = rows('scope').get(id);
    const label = scope?.get('sym');
    const owner = all.find((row) => label !== undefined && row.get('sym') === label);
    const place = label === undefined ? undefined : memoryOf(label, rows);
    const most = place ? mostLocals : mostGlobals - globals.length;
    const variables = variablesOf(all, owner, rows, most);
    if (place) {
      const length = place.bytes ?? Number(scope?.get('size') ?? 0);
      const name = owner?.get('name') ?? scope?.get('name') ?? '';
      functions.push({ name, address: place.at, length, variables, uses: usesIn(uses, place.at, length) });
    } else for (const variable of variables) globals.push(variable);
  }
  return globals.length > 0
    ? [...functions, { name: '', address: 0, length: 0, variables: globals, uses: [] }]
    : functions;
}

/** Where names of other modules are used, by the instructions of the lines that do. */
function importsOf(rows: Rows): Use[] {
  const found: Use[] = [];
  let looked = 0;
  for (const row of rows('sym').values()) {
    if (row.get('type') !== 'imp') continue;
    const name = row.get('name') ?? '';
    for (const id of row.get('ref')?.split('+') ?? []) {
      for (const part of rows('line').get(id)?.get('span')?.split('+') ?? []) {
        if (++looked > mostPlaces) return inOrder(found);
        const span = rows('span').get(part);
        const segment = rows('seg').get(span?.get('seg') ?? '');
        if (span && segment) found.push({ name, at: Number(segment.get('start')) + Number(span.get('start')) });
      }
    }
  }
  return inOrder(found);
}

function inOrder(uses: Use[]): Use[] {
  return uses.sort((a, b) => a.at - b.at);
}

function usesIn(uses: readonly Use[], first: number, length: number): FileUse[] {
  let [low, high] = [0, uses.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((uses[middle]?.at ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  const found = new Map<string, number[]>();
  for (let use = uses[low]; use && use.at < first + length && found.size < mostUsed; use = uses[++low]) {
    const known = found.get(use.name);
    if (!known) found.set(use.name, [use.at]);
    else if (known.length < mostUses) known.push(use.at);
  }
  return [...found].map(([name, at]) => ({ name, at }));
}

function variablesOf(all: readonly Row[], owner: Row | undefined, rows: Rows, most: number): FileVariable[] {
  const found: FileVariable[] = [];
  for (const row of all) {
    if (found.length >= most) break;
    if (row !== owner) found.push(...variableOf(row, rows));
  }
  return found;
}

function variableOf(row: Row, rows: Rows): FileVariable[] {
  const name = row.get('name') ?? '';
  const offset = Number(row.get('offs') ?? 0);
  if (name === '') return [];
  if (row.get('sc') === 'auto') return [{ name, place: 'stack', at: offset }];
  if (row.get('sc') === 'reg') return [{ name, place: 'register', at: offset }];
  const found = memoryOf(row.get('sym') ?? '', rows);
  return found ? [{ name, place: 'memory', ...found }] : [];
}

/** Of a symbol, or of the one that it was imported from. */
function memoryOf(id: string, rows: Rows): { readonly at: number; readonly bytes?: number } | undefined {
  const first = rows('sym').get(id);
  const row = first?.get('type') === 'imp' ? rows('sym').get(first.get('exp') ?? '') : first;
  const value = row?.get('val');
  const size = row?.get('size');
  if (value === undefined) return undefined;
  return { at: Number(value), ...(size !== undefined && { bytes: Number(size) }) };
}
