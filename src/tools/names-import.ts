import { z } from 'zod';
import type { AddressCapability } from '../machine/addresses.ts';
import { MachineError } from '../machine/errors.ts';
import type { NamedPlace } from '../machine/names.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { parseAddress } from './debug/parse-address.ts';
import { fileLimits } from './file-limits.ts';
import { parseSymbolLine } from './names/symbol-lines.ts';
import { defineTool } from './tool.ts';

const shownProblems = 10;
const mostBytes = 8 * 1024 * 1024;
const mostLineChars = 1000;

export const namesImport = defineTool({
  name: 'names_import',
  title: 'Import names',
  description:
    'Names from a file or text with one per line: name, address, optionally f or l, optionally a comment after ";", as ' +
    'names_export and exports of Ghidra write them. They are kept like those of names_write.',
  toolset: 'names',
  needs: ['names', 'addresses'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    path: z.string().optional().describe('File below an allowed path'),
    text: z.string().max(100_000).optional().describe('Or the lines themselves'),
  }),
  async run({ names, addresses }, { path, text }, { rack, signal }) {
    if ((path === undefined) === (text === undefined)) {
      throw new MachineError('INVALID_ARGUMENT', 'Nothing to import.', 'Give exactly one of path and text.');
    }
    const source = text ?? textOf(await rack.files.read(path ?? '', fileLimits.names));
    const slice = new TimeSlice(unlessAborted(signal));
    const problems: string[] = [];
    const found: NamedPlace[] = [];
    const lines: number[] = [];
    let number = 0;
    for (const line of linesIn(source)) {
      number++;
      if (slice.isOver) await slice.next();
      if (/^\s*([;#].*)?$/.test(line)) continue;
      try {
        found.push(placeOf(line, addresses));
        lines.push(number);
      } catch (error) {
        if (!(error instanceof MachineError)) throw error;
        problems.push(`line ${number}: ${error.message}`);
      }
    }
    const errors = await names.setAll(found);
    let added = 0;
    for (let index = 0; index < errors.length; index++) {
      const error = errors[index];
      if (slice.isOver) await slice.next();
      if (error) problems.push(`line ${lines[index]}: ${error.message}`);
      else added++;
    }
    const left = problems.length - shownProblems;
    return {
      text: [
        `${added} names imported${problems.length > 0 ? `, ${problems.length} lines refused:` : ''}`,
        ...problems.slice(0, shownProblems),
        ...(left > 0 ? [`and ${left} more`] : []),
      ].join('\n'),
      data: { added, refused: problems.length, problems: problems.slice(0, shownProblems) },
    };
  },
});

function textOf(bytes: Uint8Array): string {
  if (bytes.length <= mostBytes) return new TextDecoder().decode(bytes);
  const message = `The file has ${bytes.length} bytes, and ${mostBytes} is the limit.`;
  throw new MachineError('LIMIT_REACHED', message, 'Divide it into several.');
}

function* linesIn(text: string): Generator<string> {
  for (let at = 0; at <= text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (end < 0) return;
    at = end + 1;
  }
}

function placeOf(line: string, addresses: AddressCapability): NamedPlace {
  if (line.length > mostLineChars) {
    throw new MachineError('INVALID_ARGUMENT', `A line of ${line.length} characters.`, `Up to ${mostLineChars}.`);
  }
  const { name, address, comment } = parseSymbolLine(line) ?? {};
  if (name !== undefined && address !== undefined) return { name, address: parseAddress(address, addresses), comment };
  throw new MachineError('INVALID_ARGUMENT', 'Not a name and an address.', 'Write a line like: main 0x10000 f');
}
