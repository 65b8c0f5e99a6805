import { TimeSlice } from '../../shared/time-slice.ts';
import { comparedBytes, hashOf, headsOf, mostBytes, type Signature } from './signature.ts';

/** What is known of a function by its bytes. */
export interface Recognised {
  readonly names: readonly string[];
  readonly libraries: readonly string[];
  /** How many bytes were compared. */
  readonly bytes: number;
}

const title = 'signatures 1';
const mostLines = 200_000;
const longestLine = 2000;
const headChars = 3;
const hashChars = 7;

/** Signatures of libraries, by what they begin with. As text: the libraries, then one signature per line. */
export class SignatureBook {
  readonly #byHead = new Map<string, Signature[]>();
  readonly #libraries: string[] = [];

  /** Lines that cannot be understood are left out. False if this is none of ours. */
  async add(text: string, slice = new TimeSlice()): Promise<boolean> {
    const [first, ...lines] = text.split('\n', mostLines);
    if (first !== title) return false;
    const base = this.#libraries.length;
    for (const line of lines) {
      if (slice.isOver) await slice.next();
      if (line.length > longestLine) continue;
      if (line.startsWith('#')) this.#libraries.push(line.slice(1).trim());
      else this.#put(signatureIn(line, base));
    }
    return true;
  }

  #put(signature: Signature | undefined): void {
    if (!signature) return;
    const same = this.#byHead.get(signature.head);
    if (same) same.push(signature);
    else this.#byHead.set(signature.head, [signature]);
  }

  /** The function that begins with these bytes: that of which the most bytes agree. */
  recognise(bytes: Uint8Array): Recognised | undefined {
    let best: Signature | undefined;
    for (const head of headsOf(bytes)) {
      for (const each of this.#byHead.get(head) ?? []) {
        if (each.length > bytes.length || (best && comparedBytes(each) <= comparedBytes(best))) continue;
        if (hashOf(bytes, each.length, each.gaps) === each.hash) best = each;
      }
    }
    if (!best) return undefined;
    const libraries = best.of.flatMap((number) => this.#libraries[number] ?? []);
    return { names: best.names, libraries, bytes: comparedBytes(best) };
  }
}

/** As `SignatureBook.add` reads it. */
export function writeBook(libraries: readonly string[], signatures: readonly Signature[]): string {
  const lines = signatures.map(({ names, length, gaps, head, hash, of }) =>
    [names.join('|'), length, gapsText(gaps), head + hash, of.join(',')].join(' '),
  );
  return `${[title, ...libraries.map((name) => `#${name}`), ...lines].join('\n')}\n`;
}

function signatureIn(line: string, base: number): Signature | undefined {
  const [names = '', length, gaps = '', hash = '', of = ''] = line.split(' ');
  const bytes = Number(length);
  if (hash.length !== headChars + hashChars || !Number.isInteger(bytes) || bytes < 1 || bytes > mostBytes)
    return undefined;
  return {
    names: names.split('|'),
    length: bytes,
    gaps: gapsIn(gaps),
    head: hash.slice(0, headChars),
    hash: hash.slice(headChars),
    of: of.split(',').map((number) => Number(number) + base),
  };
}

/** Bytes between them, and how long they are where that is not two. */
function gapsText(gaps: Signature['gaps']): string {
  let end = 0;
  return gaps
    .map(([first, count]) => {
      const text = `${first - end}${count === 2 ? '' : `*${count}`}`;
      end = first + count;
      return text;
    })
    .join();
}

function gapsIn(text: string): Signature['gaps'] {
  let end = 0;
  return (text === '' ? [] : text.split(',')).map((gap) => {
    const [between, count = 2] = gap.split('*').map(Number);
    const first = end + (between ?? 0);
    end = first + count;
    return [first, count] as const;
  });
}
