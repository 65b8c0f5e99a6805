import { advice, call, MachineError } from '../../machine/errors.ts';
import type { NameChange, NamedPlace, NamedProgram, NameStore, NamesCapability } from '../../machine/names.ts';
import type { PlainSymbols } from './plain-symbols.ts';
import { TimeSlice } from './time-slice.ts';

const namePattern = /^[A-Za-z_.?@][\w.?@$]{0,79}$/;
const maxCommentChars = 500;
const maxPlaces = 50_000;
const maxLineChars = 1000;
/** Kept breakpoints stand before the names, and a book that is no longer than this is read at once. */
const startBytes = 128 * 1024;
/** What is kept beside names: one per line. */
const keptSign = '!';
const maxKept = 256;
const maxKeptChars = 10_000;

function isName(text: string): boolean {
  return namePattern.test(text);
}

/** Names for one machine: in its table of symbols, so that they work wherever an address is taken. */
export class NameBook implements NamesCapability {
  readonly #symbols: PlainSymbols;
  readonly #store: NameStore | undefined;
  readonly #places = new Map<bigint, NamedPlace>();
  #program: NamedProgram | undefined;
  #kept: readonly string[] = [];
  /** Told of a program that was opened, and what is kept with it beside names, before it runs. */
  opened: ((program: NamedProgram, kept: readonly string[]) => void) | undefined;
  /** Until then not all names are there, and what is written would be less than what was. */
  #opening: Promise<unknown> = Promise.resolve();
  /** Saves follow each other, so that the last one is what stays. */
  #saving: Promise<void> = Promise.resolve();

  constructor(symbols: PlainSymbols, store?: NameStore) {
    this.#symbols = symbols;
    this.#store = store;
  }

  get program(): NamedProgram | undefined {
    return this.#program;
  }

  /** Another program is there now: its names take the place of those of the last one. */
  async open(program: NamedProgram): Promise<number> {
    this.#forgetAll();
    this.#program = program;
    const start = this.#store?.loadStart?.(program.hash, startBytes);
    this.#kept = start === undefined ? [] : keptIn(start);
    const isAll = start !== undefined && Buffer.byteLength(start) < startBytes;
    if (isAll) for (const place of readBook(start, program.first)) this.#put(place);
    this.opened?.(program, this.#kept);
    if (!isAll) {
      const reading = this.#read(program);
      this.#opening = reading.catch(() => undefined);
      await reading;
    }
    return this.#places.size;
  }

  async #read(program: NamedProgram): Promise<void> {
    const text = await this.#store?.load(program.hash);
    const slice = new TimeSlice();
    for (const place of text === undefined ? [] : readBook(text, program.first)) {
      if (slice.isOver) await slice.next();
      if (this.#program !== program || this.#places.size >= maxPlaces) break;
      this.#put(place);
    }
  }

  /** What else is kept with the program, one line each. */
  async keep(lines: readonly string[]): Promise<void> {
    this.#kept = lines;
    await this.#save();
  }

  async list(): Promise<readonly NamedPlace[]> {
    return [...this.#places.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  async set(address: bigint, change: NameChange): Promise<NamedPlace> {
    const place = this.#change(address, change);
    await this.#save();
    return place;
  }

  async setAll(places: readonly NamedPlace[]): Promise<readonly (MachineError | undefined)[]> {
    const errors: (MachineError | undefined)[] = [];
    const slice = new TimeSlice();
    for (const { address, ...change } of places) {
      if (slice.isOver) await slice.next();
      try {
        this.#change(address, change);
        errors.push(undefined);
      } catch (error) {
        if (!(error instanceof MachineError)) throw error;
        errors.push(error);
      }
    }
    await this.#save();
    return errors;
  }

  async remove(address: bigint): Promise<NamedPlace> {
    const old = this.#places.get(address);
    if (!old)
      throw new MachineError(
        'NOT_FOUND',
        'This address has no name and no comment.',
        advice`${call('names_write')} lists all.`,
      );
    this.#drop(address);
    await this.#save();
    return old;
  }

  #change(address: bigint, { name, comment }: NameChange): NamedPlace {
    const old = this.#places.get(address);
    if (name !== undefined) this.#check(name, address);
    if (old === undefined && this.#places.size >= maxPlaces) {
      throw new MachineError('LIMIT_REACHED', `${maxPlaces} addresses have names.`, 'Remove some first.');
    }
    const place = { address, name: name ?? old?.name, comment: comment === undefined ? old?.comment : clean(comment) };
    this.#drop(address);
    this.#put(place);
    return place;
  }

  #check(name: string, address: bigint): void {
    if (!isName(name)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${JSON.stringify(name.slice(0, 60))} cannot be a name.`,
        'Use letters, digits, _ . ? @ $, at most 80, the first neither a digit nor $.',
      );
    }
    const other = this.#symbols.address(name);
    if (other === undefined || other === address) return;
    throw new MachineError(
      'NAME_TAKEN',
      `${name} is the name of another address.`,
      'Choose another name, or remove that one first.',
      { address: `0x${other.toString(16)}` },
    );
  }

  #put(place: NamedPlace): void {
    this.#places.set(place.address, place);
    if (place.name !== undefined) this.#symbols.add([[place.name, place.address]]);
  }

  #drop(address: bigint): void {
    const { name } = this.#places.get(address) ?? {};
    if (name !== undefined) this.#symbols.remove(name);
    this.#places.delete(address);
  }

  #forgetAll(): void {
    for (const address of [...this.#places.keys()]) this.#drop(address);
  }

  async #save(): Promise<void> {
    const program = this.#program;
    const store = this.#store;
    if (program === undefined || store === undefined) return;
    await this.#opening;
    if (this.#program !== program) return;
    const places = [...this.#places.values()];
    const kept = this.#kept;
    const saved = this.#saving.then(async () => store.save(program.hash, await writeBook(program, places, kept)));
    this.#saving = saved.catch(() => undefined);
    await saved;
  }
}

/** One per line: `+offset` from the program's start or `=address`, the name or `-`, the comment. */
async function writeBook(
  program: NamedProgram,
  places: readonly NamedPlace[],
  kept: readonly string[],
): Promise<string> {
  const lines = kept.map((line) => `${keptSign}${line}`);
  const slice = new TimeSlice();
  for (const { address, name, comment } of places) {
    if (slice.isOver) await slice.next();
    const inside = address >= program.first && address <= program.last;
    const at = inside ? `+${(address - program.first).toString(16)}` : `=${address.toString(16)}`;
    lines.push(`${at} ${name ?? '-'} ${comment ?? ''}`.trimEnd());
  }
  return `${lines.join('\n')}\n`;
}

function keptIn(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; text.startsWith(keptSign, at) && found.length < maxKept; ) {
    const end = text.indexOf('\n', at);
    if (end < 0) break;
    if (end - at <= maxKeptChars) found.push(text.slice(at + keptSign.length, end));
    at = end + 1;
  }
  return found;
}

/** Lines that cannot be understood are left out: the file may have been edited by hand. */
function* readBook(text: string, base: bigint): Generator<NamedPlace> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    const line = text.slice(at, Math.min(end, at + maxLineChars));
    at = end + 1;
    const [, sign, digits = '', name = '-', comment] = /^([+=])([0-9a-f]{1,16}) (\S+)(?: (.*))?$/.exec(line) ?? [];
    if (sign === undefined || (name !== '-' && !isName(name))) continue;
    const address = BigInt(`0x${digits}`) + (sign === '+' ? base : 0n);
    yield { address, name: name === '-' ? undefined : name, comment: comment && clean(comment) };
  }
}

/** One line without control characters. */
function clean(comment: string): string {
  return comment
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, maxCommentChars);
}
