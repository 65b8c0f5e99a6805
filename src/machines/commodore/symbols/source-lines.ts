import { MachineError } from '../../../machine/errors.ts';
import type { FileLine } from './symbol-file.ts';

const lineForm = /^(.+\.\w+):(\d{1,6})$/;
const mostListed = 8;

/** Which code belongs to which lines of source. */
export class SourceLines {
  #lines: readonly FileLine[];

  constructor(lines: readonly FileLine[]) {
    this.#lines = lines;
  }

  copy(): SourceLines {
    return new SourceLines(this.#lines);
  }

  /** Forgets lines whose code lies in this range, which is another program's now. */
  drop(first: number, last: number): void {
    this.#lines = this.#lines.filter(({ address, length }) => address + length <= first || address > last);
  }

  /** Names of the files that a person can mean by this one. */
  filesNamed(wanted: string): readonly string[] {
    const files = [...new Set(this.#lines.map(({ file }) => file))];
    const end = `/${wanted.replaceAll('\\', '/')}`.toLowerCase();
    return files.filter((file) => `/${file.replaceAll('\\', '/')}`.toLowerCase().endsWith(end));
  }

  /** Where the code of this line begins, or of the next that has some. */
  addressOf(file: string, line: number): number | undefined {
    const following = this.#lines.filter((each) => each.file === file && each.line >= line && each.length > 0);
    const next = Math.min(...following.map((each) => each.line));
    const addresses = following.filter((each) => each.line === next).map(({ address }) => address);
    return addresses.length === 0 ? undefined : Math.min(...addresses);
  }

  /** `sieve.c:20`; of C and what the compiler made of it, C. */
  at(address: number): string | undefined {
    const here = this.#lines.filter((each) => address >= each.address && address < each.address + each.length);
    const best = here.sort((a, b) => Number(b.isHigh ?? false) - Number(a.isHigh ?? false) || a.length - b.length)[0];
    return best && `${best.file.split(/[\\/]/).at(-1)}:${best.line}`;
  }
}

/** `main.s:41` in any of these; undefined when that is no line, or of no file there is. */
export function addressOfLine(text: string, tables: readonly SourceLines[]): number | undefined {
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
    const address = table.addressOf(name, Number(line));
    if (address !== undefined) return address;
  }
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${name} has no code at line ${line} or after it.`,
    'Use an earlier line, or a symbol.',
  );
}
