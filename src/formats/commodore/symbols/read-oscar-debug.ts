import type { FileLine, FileSymbol } from './symbol-file.ts';

/** Reads what Oscar64 writes with `-g` (.dbj): objects in memory, and the lines of C that functions were made of. */
export function readOscarDebug(content: object): { symbols: FileSymbol[]; lines: FileLine[] } {
  const memory = rowsOf(content, 'memory');
  const functions = rowsOf(content, 'functions');
  const variables = rowsOf(content, 'variables');
  const symbols = [...memory, ...variables, ...functions].flatMap((row): FileSymbol[] => {
    const [name, address, file, line] = [
      textOf(row, 'name'),
      numberOf(row, 'start'),
      textOf(row, 'source'),
      numberOf(row, 'line'),
    ];
    if (name === undefined || address === undefined) return [];
    return [{ name, address, ...(file !== undefined && line !== undefined && { file, line }) }];
  });
  const lines = functions
    .flatMap((row) => rowsOf(row, 'lines'))
    .flatMap((row): FileLine[] => {
      const [first, end, file, line] = [
        numberOf(row, 'start'),
        numberOf(row, 'end'),
        textOf(row, 'source'),
        numberOf(row, 'line'),
      ];
      if (first === undefined || end === undefined || file === undefined || line === undefined) return [];
      return [{ address: first, length: end - first, file, line, isHigh: true }];
    });
  return { symbols: onceEach(symbols), lines: lines.sort((a, b) => a.address - b.address) };
}

/** Functions are in the list of memory as well, and variables have their start only once. */
function onceEach(symbols: readonly FileSymbol[]): FileSymbol[] {
  return [...new Map(symbols.map((symbol) => [`${symbol.name} ${symbol.address}`, symbol])).values()];
}

function rowsOf(content: object, key: string): readonly object[] {
  const list: unknown = Object.getOwnPropertyDescriptor(content, key)?.value;
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
}

function textOf(row: object, key: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(row, key)?.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(row: object, key: string): number | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(row, key)?.value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
