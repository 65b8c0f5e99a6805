/** A key's place: column is the bit of CIA 1 port A, row that of port B. */
export interface KeyPlace {
  readonly column: number;
  readonly row: number;
}

/** Row by row of port A; within a row by the bits of port B. */
const matrix: readonly (readonly string[])[] = [
  ['del', 'return', 'right', 'f7', 'f1', 'f3', 'f5', 'down'],
  ['3', 'w', 'a', '4', 'z', 's', 'e', 'lshift'],
  ['5', 'r', 'd', '6', 'c', 'f', 't', 'x'],
  ['7', 'y', 'g', '8', 'b', 'h', 'u', 'v'],
  ['9', 'i', 'j', '0', 'm', 'k', 'o', 'n'],
  ['+', 'p', 'l', '-', '.', ':', '@', ','],
  ['£', '*', ';', 'home', 'rshift', '=', '↑', '/'],
  ['1', '←', 'ctrl', '2', 'space', 'cbm', 'q', 'stop'],
];

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

const places: ReadonlyMap<string, KeyPlace> = new Map(
  matrix.flatMap((names, column) => names.map((name, row) => [name, { column, row }] as const)),
);

export const keyNames: readonly string[] = [
  ...places.keys(),
  ...Object.keys(shifted),
  ...Object.keys(aliases).filter((name) => name.trim() === name && name !== ''),
  'restore',
];

/** The keys to hold for a name or a character, shift included; undefined when the keyboard has none. */
export function keysFor(name: string): readonly KeyPlace[] | undefined {
  const plain = aliases[name] ?? aliases[name.toLowerCase()] ?? name.toLowerCase();
  const base = shifted[plain];
  const place = places.get(base ?? plain);
  const shift = places.get('lshift');
  if (!place || !shift) return undefined;
  return base === undefined ? [place] : [shift, place];
}
