/** PETSCII control codes and the names magazines, petcat and other tools print in braces; the first name is ours. */
const names: Readonly<Record<number, string>> = {
  3: 'stop',
  5: 'white wht',
  7: 'bell',
  8: 'dish',
  9: 'ensh',
  10: 'lf linefeed',
  13: 'return cr ret',
  14: 'swlc lower lowercase',
  17: 'down crsrdown',
  18: 'rvon rvson reverseon revon rvs',
  19: 'home hom',
  20: 'del delete',
  27: 'esc escape',
  28: 'red',
  29: 'right rght rt crsrright',
  30: 'green grn',
  31: 'blue blu',
  32: 'space spc sp',
  129: 'orange orng org',
  131: 'run shiftrunstop',
  133: 'f1',
  134: 'f3',
  135: 'f5',
  136: 'f7',
  137: 'f2',
  138: 'f4',
  139: 'f6',
  140: 'f8',
  141: 'sret shiftreturn sreturn',
  142: 'swuc upper uppercase',
  144: 'black blk',
  145: 'up crsrup',
  146: 'rvof rvsoff reverseoff revoff off',
  147: 'clr clear clearscreen shifthome',
  148: 'inst insert ins',
  149: 'brown brn',
  150: 'lred lightred pink ltred',
  151: 'gray1 gry1 grey1 darkgray darkgrey',
  152: 'gray2 gry2 grey2 mediumgray mediumgrey',
  153: 'lgrn lightgreen lgreen ltgreen',
  154: 'lblu lightblue lblue ltblue',
  155: 'gray3 gry3 grey3 lightgray lightgrey',
  156: 'purple pur',
  157: 'left crsrleft',
  158: 'yellow yel',
  159: 'cyan cyn',
  160: 'shiftspace sspace ssp nbsp',
  255: 'pi',
};

// What the Commodore key gives with each letter.
const commodoreKey =
  'A176B191C188D172E177F187G165H180I162J181K161L182M167N170O185P175Q171R178S174T163U184V190W179X189Y183Z173+166-220@164*223';

const byName = new Map<string, number>();
for (const [code, list] of Object.entries(names)) for (const name of list.split(' ')) byName.set(name, Number(code));
for (const [, key = '', code] of commodoreKey.matchAll(/(\D)(\d{3})/g)) {
  for (const prefix of ['cbm', 'cm', 'c=', 'commodore']) byName.set(prefix + key.toLowerCase(), Number(code));
}
for (let letter = 0; letter < 26; letter++) {
  const name = String.fromCharCode(97 + letter);
  for (const prefix of ['shift', 'sh']) byName.set(prefix + name, 193 + letter);
  for (const prefix of ['ctrl', 'ct', 'control']) byName.set(prefix + name, 1 + letter);
}

/** The name of a control code for listings, without braces. */
export function controlName(code: number): string | undefined {
  return code === 32 || code === 255 ? undefined : names[code]?.split(' ')[0];
}

/**
 * The codes that the inside of a pair of braces means: `clr`, `red`, `$93`, `147`, `space*5`, `5 down`, `cbm-a`.
 * Undefined when it names nothing.
 */
export function parseControl(inside: string): number[] | undefined {
  const text = inside.trim().toLowerCase();
  const single = codeOf(text);
  if (single !== undefined) return [single];
  const [, before, name1, name2, after] = /^(?:(\d{1,3})[ *]+(\S.*)|(.*\S)[ *]+(\d{1,3}))$/.exec(text) ?? [];
  const code = codeOf(name1 ?? name2 ?? '');
  return code === undefined ? undefined : new Array<number>(Number(before ?? after)).fill(code);
}

function codeOf(text: string): number | undefined {
  const [, hex, decimal] = /^(?:(?:\$|0x)([\da-f]{1,2})|(\d{1,3}))$/.exec(text) ?? [];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (decimal !== undefined) return Number(decimal) < 256 ? Number(decimal) : undefined;
  return byName.get(text) ?? byName.get(text.replace(/[ _-]/g, ''));
}
