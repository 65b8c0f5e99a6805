import { ownValue } from '../../../formats/own-value.ts';

/** A key's place on the two ports that the keyboard is on. */
export interface KeyPlace {
  readonly column: number;
  readonly row: number;
}

const aliases: Readonly<Record<string, string>> = {
  shift: 'lshift',
  enter: 'return',
  backspace: 'del',
  delete: 'del',
  'c=': 'cbm',
  commodore: 'cbm',
  control: 'ctrl',
  ' ': 'space',
  runstop: 'stop',
  'run/stop': 'stop',
  run_stop: 'stop',
  escape: 'stop',
  '\n': 'return',
  '\r': 'return',
  '^': '↑',
  _: '←',
  pound: '£',
};

/** Keys that are two: the second of a pair is the first with shift. */
const usuallyShifted: Readonly<Record<string, string>> = {
  left: 'right',
  up: 'down',
  f2: 'f1',
  f4: 'f3',
  f6: 'f5',
  f8: 'f7',
  clr: 'home',
  inst: 'del',
  '!': '1',
  '"': '2',
  '#': '3',
  $: '4',
  '%': '5',
  '&': '6',
  "'": '7',
  '(': '8',
  ')': '9',
  '<': ',',
  '>': '.',
  '?': '/',
  '[': ':',
  ']': ';',
};

/** The keyboard of the home computers, whose keys are nearly the same from the VIC-20 to the C128; their places differ. */
export class KeyMatrix {
  readonly keyNames: readonly string[];
  readonly #places: ReadonlyMap<string, KeyPlace>;
  readonly #shifted: Readonly<Record<string, string>>;

  /** Names by column and row; `shifted`: keys that are another one with shift, where they are not the usual ones. */
  constructor(matrix: readonly (readonly string[])[], shifted?: Readonly<Record<string, string>>) {
    this.#places = new Map(
      matrix.flatMap((names, column) => names.map((name, row) => [name, { column, row }] as const)),
    );
    const others = Object.entries({ ...usuallyShifted, ...shifted });
    this.#shifted = Object.fromEntries(
      others.filter(([name, base]) => !this.#places.has(name) && this.#places.has(base)),
    );
    this.keyNames = [
      ...this.#places.keys(),
      ...Object.keys(this.#shifted),
      ...Object.keys(aliases).filter((name) => name.trim() === name && name !== ''),
      ...(shifted ? [] : ['restore']),
    ];
  }

  /** What a key or a character is called among `keyNames`, if there is such a key. */
  plainName(name: string): string {
    const lower = name.toLowerCase();
    return this.#places.has(lower) ? lower : (ownValue(aliases, name) ?? ownValue(aliases, lower) ?? lower);
  }

  /** The keys to hold for a name or a character, shift included; undefined when the keyboard has none. */
  keysFor(name: string): readonly KeyPlace[] | undefined {
    const plain = this.plainName(name);
    const base = this.#shifted[plain];
    const place = this.#places.get(base ?? plain);
    const shift = this.#places.get('lshift');
    if (!place || !shift) return undefined;
    return base === undefined ? [place] : [shift, place];
  }
}
