import type { AssemblyResult } from '../assembler/assembly.ts';
import type { Annotation } from './annotation.ts';
import { readOscarDebug } from './read-oscar-debug.ts';
import type { FileLine, FileSymbol, SymbolFile } from './symbol-file.ts';

/** Our own format: everything the assembler knows, for another session. */
interface SymbolJson {
  readonly format: 'frontpanel-symbols';
  readonly version: 1;
  readonly symbols: readonly FileSymbol[];
  readonly lines: readonly FileLine[];
  readonly annotations: readonly Annotation[];
}

export function writeSymbolJson({ symbols, lines, annotations }: AssemblyResult): string {
  const labels = [...symbols.values()].filter(({ kind }) => kind === 'label');
  const content: SymbolJson = {
    format: 'frontpanel-symbols',
    version: 1,
    symbols: labels.map(({ name, value, file, line }) => ({ name, address: value, file, line })),
    lines,
    annotations,
  };
  return `${JSON.stringify(content, undefined, 1)}\n`;
}

/** Our own format, or Oscar64's. */
export function readJson(text: string): SymbolFile {
  const content: unknown = JSON.parse(text);
  if (typeof content === 'object' && content !== null && 'functions' in content && 'memory' in content) {
    return { format: 'oscar64', annotations: [], ...readOscarDebug(content) };
  }
  if (!isSymbolJson(content)) {
    throw new SyntaxError(
      'the JSON is neither a symbol file of ours ("format":"frontpanel-symbols") nor a .dbj of Oscar64',
    );
  }
  const { symbols, lines, annotations } = content;
  return { format: 'json', symbols, lines, annotations };
}

function isSymbolJson(content: unknown): content is SymbolJson {
  if (typeof content !== 'object' || content === null) return false;
  const { format, symbols, lines, annotations } = content as Partial<Record<keyof SymbolJson, unknown>>;
  return (
    format === 'frontpanel-symbols' &&
    isListOf(symbols, { name: 'string', address: 'number' }) &&
    isListOf(lines, { address: 'number', length: 'number', file: 'string', line: 'number' }) &&
    isListOf(annotations, { type: 'string', description: 'string', file: 'string', line: 'number' })
  );
}

function isListOf(list: unknown, shape: Readonly<Record<string, string>>): boolean {
  const fits = (item: unknown) =>
    typeof item === 'object' &&
    item !== null &&
    Object.entries(shape).every(([key, type]) => typeof Object.getOwnPropertyDescriptor(item, key)?.value === type);
  return Array.isArray(list) && list.every(fits);
}
