import type { CommodoreSymbols } from './commodore-symbols.ts';

/** Directives of the assemblers that make bytes, or leave room for some. */
const directives = [
  ...['byte', 'byt', 'by', '8', 'word', 'wo', '16', 'addr', 'dbyt', 'dword', 'null', 'hex', 'binary', 'incbin', 'bin'],
  ...['text', 'tx', 'ptext', 'shift', 'pet', 'raw', 'scr', 'scrxor', 'asciiz', 'literal', 'string'],
  ...['res', 'fill', 'fi', 'skip', 'ds', 'align'],
].join('|');
const dataLine = new RegExp(String.raw`^\s*(?:[\w@!.]+:?\s+|\w+:\s*)?[.!](?:${directives})(?=\s|$)`, 'i');

/** What says that there is data at an address and no code; undefined where nothing is certain. */
export function dataAt(symbols: CommodoreSymbols, address: number): string | undefined {
  const at = BigInt(address);
  const variable = symbols.scopes
    .flatMap(({ variables }) => variables)
    .find(({ place, at: first, bytes = 1 }) => place === 'memory' && address >= first && address < first + bytes);
  if (variable) return `the variable ${variable.name} of C`;
  const annotation = symbols.annotations.list().find((each) => each.address === at && each.type === 'data');
  if (annotation) return `data by @mcp-data in ${annotation.file}:${annotation.line}`;
  const line = symbols.source(at);
  // Without a name it may be an opcode that the assembler does not know.
  if (line?.text === undefined || symbols.describe(at, 0n) === undefined || !dataLine.test(line.text)) return undefined;
  return `data in ${line.file}:${line.line} (${line.text.trim()})`;
}
