import { ownValue } from '../../own-value.ts';
import { breakpointsOf, typesOf } from './build-breakpoints.ts';
import type { FileBreakpoint, FileLine, FileSymbol } from './symbol-file.ts';

/** What is in a part of the file: rows of values with commas between, however the part is nested. */
const partForm = /<(Sources|Segment|Labels|Breakpoints|Watchpoints)\b[^>]*>([\s\S]*?)<(?:\/\1|\1\/)>/gi;
const ownFiles = /^KickAss\.jar:/;

/** Reads the debug file that KickAssembler (`-debugdump`) and c64jasm write for C64Debugger. */
export function readKickDebug(text: string): {
  symbols: FileSymbol[];
  lines: FileLine[];
  breakpoints: FileBreakpoint[];
} {
  const files = new Map<string, string>();
  const symbols: FileSymbol[] = [];
  const lines: FileLine[] = [];
  const breakpoints: FileBreakpoint[] = [];
  const readers: Readonly<Record<string, (row: readonly string[]) => void>> = {
    sources: ([index = '', ...name]) => void files.set(index, name.join(',')),
    segment: ([first = '', last = '', file = '', line = '']) => {
      const name = files.get(file);
      const address = hex(first);
      if (name === undefined || ownFiles.test(name)) return;
      lines.push({ address, length: hex(last) - address + 1, file: name, line: Number(line) });
    },
    // The newer form has two columns more: SEGMENT,ADDRESS,NAME,START,END,FILE_IDX,LINE1,…
    labels: ([, address = '', name = '', ...place]) => {
      const [file = '', line = ''] = place.length > 5 ? place.slice(2) : place;
      const source = files.get(file);
      const known = source !== undefined && !ownFiles.test(source) && line !== '';
      if (name !== '')
        symbols.push({ name, address: hex(address), ...(known && { file: source, line: Number(line) }) });
    },
    breakpoints: ([, address = '', ...argument]) => {
      breakpoints.push(...breakpointsOf(['exec'], hex(address), hex(address), argument.join(',')));
    },
    watchpoints: ([, first = '', last = '', ...argument]) => {
      const types = typesOf(argument.join(' '), ['read', 'write']);
      breakpoints.push(...breakpointsOf(types, hex(first), last.trim() === '' ? hex(first) : hex(last)));
    },
  };
  for (const [, part = '', content = ''] of text.matchAll(partForm)) {
    const read = ownValue(readers, part.toLowerCase());
    for (const row of content.replace(/<[^>]*>/g, '\n').split('\n')) {
      if (row.includes(',')) read?.(row.trim().split(','));
    }
  }
  return { symbols, lines: lines.sort((a, b) => a.address - b.address), breakpoints };
}

function hex(text: string): number {
  return Number.parseInt(text.trim().replace(/^(?:\$|0x)/i, ''), 16);
}
