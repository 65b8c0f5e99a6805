import { readCa65Debug } from './read-ca65-debug.ts';
import { readAcmeLabels, readKickLabels, readTassDump, readViceLabels, readXaLabels } from './read-labels.ts';
import type { SymbolFile } from './symbol-file.ts';
import { readSymbolJson } from './symbol-json.ts';

/** Reads a symbol file of any known format, told by what is in it; undefined when it is none. */
export function readSymbols(text: string): SymbolFile | undefined {
  const nothing = { lines: [], annotations: [] };
  if (/^\s*\{/.test(text)) return readSymbolJson(text);
  if (/^version\s+major=/m.test(text)) return { format: 'ca65', annotations: [], ...readCa65Debug(text) };
  if (/^[\t ]*(?:al|add_label)[\t ]+(?:\w+:)?\$?[\da-f]+\s/im.test(text)) {
    return { format: 'vice', symbols: readViceLabels(text), ...nothing };
  }
  if (/^[\t ]*\.(label|namespace)\s/m.test(text))
    return { format: 'kickassembler', symbols: readKickLabels(text), ...nothing };
  const dumped = readTassDump(text);
  if (dumped.length > 0) return { format: '64tass', symbols: dumped, ...nothing };
  const listed = readXaLabels(text);
  if (listed.length > 0) return { format: 'xa', symbols: listed, ...nothing };
  const symbols = readAcmeLabels(text);
  return symbols.length > 0 ? { format: 'acme', symbols, ...nothing } : undefined;
}
