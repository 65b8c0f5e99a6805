import { demangle } from '../../../formats/demangle.ts';
import type { NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import { MachineError } from '../../../machine/errors.ts';

/** Longer names of templates are cut where they are shown; they can still be asked for in full. */
const maxShownChars = 160;
const maxListed = 8;

interface Overload {
  readonly text: string;
  readonly address: bigint;
}

/** Names of C++ and Rust as they are written in source, beside the mangled ones of the file. */
export class SourceNames {
  readonly #shown = new Map<string, string>();
  readonly #byText = new Map<string, bigint>();
  /** By name without parameters. */
  readonly #overloads = new Map<string, Overload[]>();

  add({ name: symbol, address }: NamedPlace): void {
    const found = demangle(symbol);
    if (!found) return;
    const { text, name } = found;
    this.#shown.set(symbol, text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text);
    this.#byText.set(withoutSpaces(text), address);
    const key = withoutSpaces(name);
    const overloads = this.#overloads.get(key);
    if (!overloads) this.#overloads.set(key, [{ text, address }]);
    else if (overloads.every((each) => each.text !== text)) overloads.push({ text, address });
  }

  /** For a symbol of the file. */
  nameOf(symbol: string): string {
    return this.#shown.get(symbol) ?? symbol;
  }

  /** Blanks do not matter. A name that several functions have is refused with their signatures. */
  address(name: string): bigint | undefined {
    const key = withoutSpaces(name);
    const exact = this.#byText.get(key);
    if (exact !== undefined) return exact;
    const overloads = this.#overloads.get(key);
    const [first] = overloads ?? [];
    if (!first || !overloads) return undefined;
    if (overloads.every(({ address }) => address === first.address)) return first.address;
    const listed = overloads.slice(0, maxListed).map(({ text }) => text);
    const more = overloads.length > maxListed ? ` and ${overloads.length - maxListed} more` : '';
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${overloads.length} functions are called ${name.slice(0, 100)}.`,
      `Write one with its parameters: ${listed.join(' | ')}${more}.`,
    );
  }
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
