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
const shifted: Readonly<Record<string, string>> = {
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

/** The keyboard of the home computers, whose keys are the same from the VIC-20 to the C128; only their places differ. */
export class KeyMatrix {
  readonly keyNames: readonly string[];
  readonly #places: ReadonlyMap<string, KeyPlace>;

  /** Names by column and row. */
  constructor(matrix: readonly (readonly string[])[]) {
    this.#places = new Map(
      matrix.flatMap((names, column) => names.map((name, row) => [name, { column, row }] as const)),
    );
    this.keyNames = [
      ...this.#places.keys(),
      ...Object.keys(shifted),
      ...Object.keys(aliases).filter((name) => name.trim() === name && name !== ''),
      'restore',
    ];
  }

  /** What a key or a character is called among `keyNames`, if there is such a key. */
  plainName(name: string): string {
    return aliases[name] ?? aliases[name.toLowerCase()] ?? name.toLowerCase();
  }

  /** The keys to hold for a name or a character, shift included; undefined when the keyboard has none. */
  keysFor(name: string): readonly KeyPlace[] | undefined {
    const plain = this.plainName(name);
    const base = shifted[plain];
    const place = this.#places.get(base ?? plain);
    const shift = this.#places.get('lshift');
    if (!place || !shift) return undefined;
    return base === undefined ? [place] : [shift, place];
  }
}
