import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { strokesOf } from '../../src/machines/qemu/input/layout.ts';
import { type LayoutName, layouts } from '../../src/machines/qemu/input/layouts.ts';

/** What X and Wayland call the layouts. */
const names: Readonly<Record<LayoutName, string>> = { us: 'us', uk: 'gb', de: 'de', fr: 'fr' };

/** What they call the places of keys. */
const places: Readonly<Record<string, string>> = {
  ...row('AE', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'minus', 'equal']),
  ...row('AD', [...'qwertyuiop', 'bracket_left', 'bracket_right']),
  ...row('AC', [...'asdfghjkl', 'semicolon', 'apostrophe']),
  ...row('AB', [...'zxcvbnm', 'comma', 'dot', 'slash']),
  ...{ grave_accent: 'TLDE', backslash: 'BKSL', less: 'LSGT', spc: 'SPCE' },
};

/** Signs by the names that keys have for them; letters and digits are named on their own. */
const signs: Readonly<Record<string, string>> = {
  ...{ space: ' ', exclam: '!', quotedbl: '"', numbersign: '#', dollar: '$', percent: '%', ampersand: '&' },
  ...{ apostrophe: "'", parenleft: '(', parenright: ')', asterisk: '*', plus: '+', comma: ',', minus: '-' },
  ...{ period: '.', slash: '/', colon: ':', semicolon: ';', less: '<', equal: '=', greater: '>', question: '?' },
  ...{ at: '@', bracketleft: '[', backslash: '\\', bracketright: ']', asciicircum: '^', underscore: '_' },
  ...{ grave: '`', braceleft: '{', bar: '|', braceright: '}', asciitilde: '~', notsign: '¬', sterling: '£' },
  ...{ EuroSign: '€', currency: '¤', section: '§', degree: '°', mu: 'µ', twosuperior: '²', threesuperior: '³' },
  ...{ ssharp: 'ß', ccedilla: 'ç' },
};
/** As they stand after a letter in Unicode, which puts the two together. */
const marks: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circumflex: '\u0302',
  diaeresis: '\u0308',
};
const spacing: Readonly<Record<string, string>> = { circumflex: '^', grave: '`' };

test.for(Object.keys(layouts) as LayoutName[])('%s types what X and Wayland would', (layout) => {
  const keymap = execFileSync('xkbcli', ['compile-keymap', '--layout', names[layout]], { encoding: 'utf8' });
  const keys = new Map(
    [...keymap.matchAll(/key <(\w+)>\s*\{([^;]*?)\};/g)].map(([, place = '', body = '']) => [place, levels(body)]),
  );
  const wrong: string[] = [];
  for (const [character, strokes] of strokesOf(layouts[layout])) {
    if (character < ' ' || character === '\u007f') continue;
    const symbols = strokes.map(({ key, held }) => {
      const level = held.includes('alt_r') ? 2 : held.includes('shift') ? 1 : 0;
      return keys.get(places[key] ?? '')?.[level] ?? '';
    });
    if (given(symbols) !== character) wrong.push(`${character}: ${symbols.join(' ')}`);
  }
  expect(wrong).toEqual([]);
});

function levels(body: string): string[] {
  const lists = [...body.matchAll(/\[([^\]]*)\]/g)].map(([, list = '']) => list.trim());
  const [symbols = ''] = lists.filter((list) => !/^Group\d$/.test(list));
  return symbols.split(',').map((symbol) => symbol.trim());
}

/** The character that these symbols give one after the other. */
function given(symbols: readonly string[]): string {
  const [first = '', second = ''] = symbols;
  const accent = /^dead_(\w+)$/.exec(first)?.[1];
  if (accent === undefined) return named(first);
  return second === 'space' ? (spacing[accent] ?? '') : (named(second) + (marks[accent] ?? '')).normalize('NFC');
}

function named(symbol: string): string {
  if (symbol.length === 1) return symbol;
  const sign = signs[symbol];
  if (sign !== undefined) return sign;
  const [, letter = '', accent = ''] = /^([A-Za-z])(acute|grave|circumflex|diaeresis)$/.exec(symbol) ?? [];
  return (letter + (marks[accent] ?? '')).normalize('NFC');
}

function row(name: string, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key, at) => [key, `${name}${String(at + 1).padStart(2, '0')}`]));
}
