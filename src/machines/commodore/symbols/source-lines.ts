import type { FileLine } from '../../../formats/commodore/symbols/symbol-file.ts';
import { MachineError } from '../../../machine/errors.ts';

const lineForm = /^(.+\.\w+):(\d{1,6})$/;
const mostListed = 8;
const addresses = 0x10000;

/** Which code belongs to which lines of source. */
export class SourceLines {
  #lines: readonly FileLine[];
  /** For each address the number of its line, counted from 1; made when it is first asked for. */
  #byAddress: Uint32Array | undefined;

  constructor(lines: readonly FileLine[]) {
    this.#lines = lines;
  }

  get all(): readonly FileLine[] {
    return this.#lines;
  }

  /** Forgets lines whose code lies in this range, which is another program's now. */
  drop(first: number, last: number): void {
    this.#lines = this.#lines.filter(({ address, length }) => address + length <= first || address > last);
    this.#byAddress = undefined;
  }

  /** Names of the files that a person can mean by this one. */
  filesNamed(wanted: string): readonly string[] {
    const { files } = this;
    const end = plainPath(wanted);
    const named = files.filter((file) => plainPath(file).endsWith(end));
    if (named.length > 0) return named;
    // With folders that the debug file does not have.
    const endings = files.filter((file) => end.endsWith(plainPath(file)));
    return endings.toSorted((a, b) => b.length - a.length).slice(0, 1);
  }

  get files(): readonly string[] {
    return [...new Set(this.#lines.map(({ file }) => file))];
  }

  /** This line where its code begins, or the next that has some. */
  lineMeant(file: string, line: number): FileLine | undefined {
    let best: FileLine | undefined;
    for (const each of this.#lines) {
      if (each.file !== file || each.line < line || each.length <= 0) continue;
      if (best && (each.line > best.line || (each.line === best.line && each.address >= best.address))) continue;
      best = each;
    }
    return best;
  }

  /** Of C and what the compiler made of it, the line of C. */
  at(address: number): FileLine | undefined {
    this.#byAddress ??= linesByAddress(this.#lines);
    return this.#lines[(this.#byAddress[address] ?? 0) - 1];
  }
}

/** The line that `main.s:41` stands for in any of these; undefined when that is no line, or of no file there is. */
export function lineMeant(text: string, tables: readonly SourceLines[]): FileLine | undefined {
  const [, file = '', line = ''] = lineForm.exec(text) ?? [];
  if (file === '') return undefined;
  const files = [...new Set(tables.flatMap((table) => table.filesNamed(file)))];
  const exact = files.filter((name) => name === file);
  const [name, another] = exact.length > 0 ? exact : files;
  if (name === undefined) return undefined;
  if (another !== undefined) {
    const listed = `${files.slice(0, mostListed).join(', ')}${files.length > mostListed ? ' …' : ''}`;
    throw new MachineError('INVALID_ARGUMENT', `${files.length} files are called ${file}.`, `Write one of: ${listed}.`);
  }
  for (const table of tables) {
    const found = table.lineMeant(name, Number(line));
    if (found !== undefined) return found;
  }
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${name} has no code at line ${line} or after it.`,
    'Use an earlier line, or a symbol.',
  );
}

function plainPath(file: string): string {
  return `/${file.replaceAll('\\', '/')}`.toLowerCase();
}

/** Where there are lines of other files, one of an unknown file is refused by its name. */
export function refuseUnknownFile(text: string, tables: readonly SourceLines[]): void {
  const [, file] = lineForm.exec(text) ?? [];
  const known = [...new Set(tables.flatMap((table) => table.files))];
  if (file === undefined || known.length === 0) return;
  const listed = `${known.slice(0, mostListed).join(', ')}${known.length > mostListed ? ' …' : ''}`;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No lines of ${file.slice(0, 100)} are known.`,
    `Lines of these files are: ${listed}.`,
  );
}

/** The best line of each address: of C, then the one with the least code. Each address is written once, however many lines it has. */
function linesByAddress(lines: readonly FileLine[]): Uint32Array {
  const found = new Uint32Array(addresses);
  // Where the next address without a line is to be looked for.
  const next = Uint32Array.from({ length: addresses + 1 }, (_, address) => address);
  const free = (address: number) => {
    let at = address;
    while (next[at] !== at) {
      next[at] = next[next[at] as number] as number;
      at = next[at] as number;
    }
    return at;
  };
  const order = lines.map((_, index) => index);
  const line = (index: number) => lines[index] as FileLine;
  order.sort(
    (a, b) => Number(line(b).isHigh ?? false) - Number(line(a).isHigh ?? false) || line(a).length - line(b).length,
  );
  for (const index of order) {
    const { address, length } = line(index);
    const end = Math.min(addresses, address + length);
    for (let at = address < end ? free(Math.max(0, address)) : end; at < end; at = free(at)) {
      found[at] = index + 1;
      next[at] = at + 1;
    }
  }
  return found;
}
