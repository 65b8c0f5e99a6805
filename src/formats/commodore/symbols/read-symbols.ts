import { viceBreakpoints } from './build-breakpoints.ts';
import { labelAnnotations } from './label-annotations.ts';
import { readCa65Debug } from './read-ca65-debug.ts';
import { readKickDebug } from './read-kick-debug.ts';
import { readAcmeLabels, readKickLabels, readTassDump, readViceLabels, readXaLabels } from './read-labels.ts';
import { isAcmeReport, isTassListing, readAcmeReport, readTassListing } from './read-listing.ts';
import type { FileSymbol, SymbolFile } from './symbol-file.ts';
import { readJson } from './symbol-json.ts';

/** Lists of labels, each told by what it has to hold; the last one that fits is what nearly every assembler can write. */
const lists: readonly {
  readonly format: SymbolFile['format'];
  readonly sign?: RegExp;
  read(text: string): FileSymbol[];
}[] = [
  { format: 'vice', sign: /^[\t ]*(?:al|add_label)[\t ]+(?:\w+:)?\$?[\da-f]+\s/im, read: readViceLabels },
  { format: 'kickassembler', sign: /^[\t ]*\.(label|namespace)\s/m, read: readKickLabels },
  { format: '64tass', read: readTassDump },
  { format: 'xa', read: readXaLabels },
  { format: 'acme', read: readAcmeLabels },
];

/** Reads a symbol file of any known format, told by what is in it; undefined when it is none. */
export function readSymbols(text: string, fileName = ''): SymbolFile | undefined {
  if (/^\s*\{/.test(text)) return readJson(text);
  if (/^version\s+major=/m.test(text)) return { format: 'ca65', annotations: [], ...readCa65Debug(text) };
  if (/<C64debugger\b/i.test(text)) return { format: 'kickassembler', annotations: [], ...readKickDebug(text) };
  if (isAcmeReport(text)) return { format: 'acme', lines: [], annotations: [], ...readAcmeReport(text) };
  if (isTassListing(text)) return { format: '64tass', lines: [], annotations: [], ...readTassListing(text) };
  for (const { format, sign, read } of lists) {
    if (sign && !sign.test(text)) continue;
    const symbols = read(text);
    if (symbols.length === 0 && !sign) continue;
    const addressOf = (name: string) => symbols.find((each) => each.name === name)?.address;
    return {
      format,
      symbols,
      lines: [],
      annotations: labelAnnotations(text, fileName, symbols, read),
      ...(format === 'vice' && { breakpoints: viceBreakpoints(text, addressOf) }),
    };
  }
  return undefined;
}
