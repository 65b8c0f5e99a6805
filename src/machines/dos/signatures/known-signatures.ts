import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { TimeSlice } from '../../shared/time-slice.ts';
import { type Recognised, SignatureBook } from './signature-book.ts';

/** A function of a library that a program was built with. */
export interface LibraryFunction extends Recognised {
  /** The library of those it could be from that most of the program is from. */
  readonly of: string;
}

/** That many bytes and one name leave no doubt. */
const sureBytes = 24;

let shipped: Promise<string> | undefined;

/** What the package brings along; unpacked when it is first needed. */
async function shippedText(): Promise<string> {
  const { shippedSignatures } = await import('./shipped-signatures.generated.ts');
  const bytes = await promisify(brotliDecompress)(Buffer.from(shippedSignatures, 'base64'));
  return bytes.toString('latin1');
}

/** The signatures that a machine knows: those of the package, and those that its user has made. */
export class KnownSignatures {
  readonly #own: () => Promise<readonly string[]>;
  #book: Promise<SignatureBook> | undefined;

  constructor(own: () => Promise<readonly string[]> = async () => []) {
    this.#own = own;
  }

  /** For each of these beginnings of functions, what it is. */
  async recognise(functions: readonly Uint8Array[]): Promise<readonly (LibraryFunction | undefined)[]> {
    this.#book ??= this.#read();
    const book = await this.#book;
    const slice = new TimeSlice();
    const found: (Recognised | undefined)[] = [];
    for (const bytes of functions) {
      if (slice.isOver) await slice.next();
      found.push(book.recognise(bytes));
    }
    const counts = new Map<string, number>();
    for (const name of found.flatMap((each) => each?.libraries ?? [])) counts.set(name, (counts.get(name) ?? 0) + 1);
    return found.map((each) => {
      if (!each) return undefined;
      const [of = ''] = each.libraries.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
      return { ...each, of };
    });
  }

  async #read(): Promise<SignatureBook> {
    shipped ??= shippedText();
    const book = new SignatureBook();
    const slice = new TimeSlice();
    for (const text of [await shipped, ...(await this.#own())]) await book.add(text, slice);
    return book;
  }
}

export function isSure({ names, bytes }: Recognised): boolean {
  return names.length === 1 && bytes >= sureBytes;
}
