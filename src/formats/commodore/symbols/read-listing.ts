import { instructions } from '../assembler/instructions.ts';
import type { FileSymbol, ListedLine } from './symbol-file.ts';

const acmeFile = /^; \*{8} Source: (.+)$/;
const acmeLine = /^ {0,6}(\d{1,7}) {2}([\da-f]{4,6}) ([\da-f]+)(\.\.\.)? *(.*)$/;
/** A line that became no bytes; of these, labels alone, zones, comments and empty ones leave the address as it is. */
const acmeBare = /^ {0,6}(\d{1,7}) {3,}(.*)$/;
const acmeLabel = /^([A-Za-z_]\w*):?\s*(?:;.*)?$/;
const acmeNothing = /^\s*(?:(?:[.@]\w+|!zone\b[^{]*|!zn\b[^{]*)\s*)?(?:;.*)?$/;
const tassFile = /^(?::\d+\t)?;\*{6} {2}(?:Processing (?:input )?file|Return to file): (.+)$/;
const tassLine = /^(?:(\d*)\t)?([.>])([\da-f]{4,6})\t([\da-f ]*)(.*)$/;
const tassHeading = /^((?:;Line\t+)?;Offset\t+;Hex(\t*)(?:;Monitor\t+)?);Source$/m;
/** Indented, a name is a label if a colon says so. */
const labelForm = /^([A-Za-z_]\w*):?(?:\s|$)|^\s+([A-Za-z_]\w*):(?:\s|$)/;

interface Listing {
  readonly symbols: FileSymbol[];
  readonly listed: ListedLine[];
}

/** `acme --report`: the number of each line, its address, its bytes, and the line itself. */
export function readAcmeReport(text: string): Listing {
  const listed: ListedLine[] = [];
  /** Labels without anything else on their line, until it is known what follows them. */
  let waiting: { readonly line: number; readonly text: string }[] = [];
  let file = '';
  let isCut = false;
  for (const row of text.split(/\r?\n/)) {
    const begun = acmeFile.exec(row)?.[1];
    if (begun !== undefined) waiting = [];
    file = begun ?? file;
    const [, line, hex = '', bytes = '', cut, source = ''] = acmeLine.exec(row) ?? [];
    if (line === undefined) {
      const [, number, bare = ''] = acmeBare.exec(row) ?? [];
      if (number === undefined) continue;
      if (acmeLabel.test(bare)) waiting.push({ line: Number(number), text: bare.trimEnd() });
      else if (!acmeNothing.test(bare)) waiting = [];
      continue;
    }
    const address = Number.parseInt(hex, 16);
    if (isCut) extendTo(listed, address);
    for (const label of waiting.splice(0)) listed.push({ address, length: 0, file, ...label });
    isCut = cut !== undefined;
    listed.push({ address, length: bytes.length / 2, file, line: Number(line), text: source.trimEnd() });
  }
  return { symbols: labelsOf(listed), listed };
}

/** `64tass --list`: addresses, bytes, and lines, whose numbers are missing in the first file or altogether. */
export function readTassListing(text: string): Listing {
  const listed: ListedLine[] = [];
  const columns = new TassColumns(text);
  let file = '';
  for (const row of text.split(/\r?\n/)) {
    file = tassFile.exec(row)?.[1] ?? file;
    const [, number, , hex, bytes = '', rest = ''] = tassLine.exec(row) ?? [];
    if (hex === undefined) continue;
    const address = Number.parseInt(hex, 16);
    const length = bytes.trim() === '' ? 0 : bytes.trim().split(/\s+/).length;
    const source = rest.trim() === '' ? '' : columns.sourceOf(row);
    const last = listed.at(-1);
    // More bytes of the same line.
    if (source === '' && last && last.address + last.length === address)
      listed[listed.length - 1] = longer(last, length);
    else listed.push({ address, length, file, ...(number && { line: Number(number) }), text: source });
  }
  return { symbols: labelsOf(listed), listed };
}

/** Where the columns of a 64tass listing end and its sources begin, by its heading. */
class TassColumns {
  readonly #tab: number;
  readonly #source: number;

  constructor(text: string) {
    const [, before = '', tabs = ''] = tassHeading.exec(text) ?? [];
    // From the end of ";Hex", twelve columns on.
    this.#tab = tabs.length > 2 ? Math.round(12 / tabs.length) : 8;
    this.#source = this.#passed(before, Number.POSITIVE_INFINITY).width;
  }

  sourceOf(row: string): string {
    return row.slice(this.#passed(row, this.#source).length).trimEnd();
  }

  #passed(text: string, column: number): { readonly length: number; readonly width: number } {
    let [length, width] = [0, 0];
    for (; length < text.length && width < column; length += 1) {
      width += text[length] === '\t' ? this.#tab - (width % this.#tab) : 1;
    }
    return { length, width };
  }
}

export function isAcmeReport(text: string): boolean {
  return /^; \*{8} Source: /m.test(text);
}

export function isTassListing(text: string): boolean {
  return /^; 64tass .* listing file/m.test(text);
}

function extendTo(listed: ListedLine[], address: number): void {
  const last = listed.at(-1);
  if (last && address > last.address + last.length)
    listed[listed.length - 1] = { ...last, length: address - last.address };
}

function longer(line: ListedLine, by: number): ListedLine {
  return { ...line, length: line.length + by };
}

/** Names that begin a line. A listing does not tell scopes: a name that comes twice is left out. */
function labelsOf(listed: readonly ListedLine[]): FileSymbol[] {
  const counts = new Map<string, number>();
  const found = listed.flatMap(({ address, file, line, text }): FileSymbol[] => {
    const [, first, indented] = labelForm.exec(text) ?? [];
    const name = first ?? indented;
    if (name === undefined || instructions.has(name.toLowerCase())) return [];
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [{ name, address, file, ...(line !== undefined && { line }) }];
  });
  return found.filter(({ name }) => counts.get(name) === 1);
}
