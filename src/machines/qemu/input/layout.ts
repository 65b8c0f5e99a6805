import { ownValue } from '../../../formats/own-value.ts';

/** A key of the keyboard, by QEMU's name for its place, with what must be held. */
export interface Stroke {
  readonly key: string;
  readonly held: readonly ('shift' | 'alt_r')[];
}

/** Key, then what it gives alone, with shift, and with AltGr. A dead key is written as `dead` and its accent. */
type LayoutRow = readonly [key: string, plain: string, shifted: string, altGr?: string];

export interface Layout {
  readonly rows: readonly LayoutRow[];
}

/** Letters under dead keys, by the accent: what is typed for `ê` is the accent and then `e`. */
const accents: Readonly<Record<string, { readonly bases: string; readonly composed: string }>> = {
  '^': { bases: 'aeiouAEIOU', composed: 'âêîôûÂÊÎÔÛ' },
  '´': { bases: 'aeiouyAEIOUY', composed: 'áéíóúýÁÉÍÓÚÝ' },
  '`': { bases: 'aeiouAEIOU', composed: 'àèìòùÀÈÌÒÙ' },
  '¨': { bases: 'aeiouyAEIOU', composed: 'äëïöüÿÄËÏÖÜ' },
  '~': { bases: 'anoANO', composed: 'ãñõÃÑÕ' },
};

const everywhere: readonly LayoutRow[] = [
  ['spc', ' ', ''],
  ['ret', '\n', ''],
  ['tab', '\t', ''],
  ['backspace', '\b', ''],
  ['esc', '\u001b', ''],
  ['delete', '\u007f', ''],
];

const deadMark = 'dead';
/** Accents that a space after them brings out everywhere. Of `´` and `¨` Linux makes `'` and `"`. */
const aloneWithSpace = '^`~';

/** For each character the strokes that type it. */
export function strokesOf({ rows }: Layout): ReadonlyMap<string, readonly Stroke[]> {
  const strokes = new Map<string, readonly Stroke[]>();
  const dead = new Map<string, Stroke>();
  for (const [key, plain, shifted, altGr = ''] of [...rows, ...everywhere]) {
    const levels = [
      { gives: plain, held: [] },
      { gives: shifted, held: ['shift'] },
      { gives: altGr, held: ['alt_r'] },
    ] as const;
    for (const { gives, held } of levels) {
      if (gives.startsWith(deadMark)) dead.set(gives.slice(deadMark.length), { key, held });
      else if (gives !== '' && !strokes.has(gives)) strokes.set(gives, [{ key, held }]);
    }
  }
  strokes.set('\r', strokes.get('\n') ?? []);
  for (const [accent, stroke] of dead) addDead(strokes, accent, stroke);
  return strokes;
}

function addDead(strokes: Map<string, readonly Stroke[]>, accent: string, stroke: Stroke): void {
  const space = strokes.get(' ') ?? [];
  if (aloneWithSpace.includes(accent) && !strokes.has(accent)) strokes.set(accent, [stroke, ...space]);
  const { bases = '', composed = '' } = ownValue(accents, accent) ?? {};
  const letters = [...composed];
  for (const [at, base] of [...bases].entries()) {
    const letter = letters[at] ?? '';
    const baseStrokes = strokes.get(base);
    if (baseStrokes && !strokes.has(letter)) strokes.set(letter, [stroke, ...baseStrokes]);
  }
}

/** Rows for keys that give a letter and, with shift, the same in upper case. */
export function letters(keys: Readonly<Record<string, string>>): LayoutRow[] {
  return Object.entries(keys).map(([key, letter]) => [key, letter, letter.toUpperCase()]);
}
