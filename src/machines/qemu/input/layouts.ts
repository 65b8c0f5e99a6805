import { type Layout, letters } from './layout.ts';

const latin = Object.fromEntries([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [letter, letter]));

const { m: _, ...withoutM } = latin;

const us: Layout = {
  rows: [
    ...letters(latin),
    ['grave_accent', '`', '~'],
    ['1', '1', '!'],
    ['2', '2', '@'],
    ['3', '3', '#'],
    ['4', '4', '$'],
    ['5', '5', '%'],
    ['6', '6', '^'],
    ['7', '7', '&'],
    ['8', '8', '*'],
    ['9', '9', '('],
    ['0', '0', ')'],
    ['minus', '-', '_'],
    ['equal', '=', '+'],
    ['bracket_left', '[', '{'],
    ['bracket_right', ']', '}'],
    ['backslash', '\\', '|'],
    ['semicolon', ';', ':'],
    ['apostrophe', "'", '"'],
    ['comma', ',', '<'],
    ['dot', '.', '>'],
    ['slash', '/', '?'],
  ],
};

const uk: Layout = {
  rows: [
    ...letters(latin),
    ['grave_accent', '`', '¬'],
    ['1', '1', '!'],
    ['2', '2', '"'],
    ['3', '3', '£'],
    ['4', '4', '$', '€'],
    ['5', '5', '%'],
    ['6', '6', '^'],
    ['7', '7', '&'],
    ['8', '8', '*'],
    ['9', '9', '('],
    ['0', '0', ')'],
    ['minus', '-', '_'],
    ['equal', '=', '+'],
    ['bracket_left', '[', '{'],
    ['bracket_right', ']', '}'],
    ['backslash', '#', '~'],
    ['less', '\\', '|'],
    ['semicolon', ';', ':'],
    ['apostrophe', "'", '@'],
    ['comma', ',', '<'],
    ['dot', '.', '>'],
    ['slash', '/', '?'],
  ],
};

const de: Layout = {
  rows: [
    ...letters({ ...latin, y: 'z', z: 'y', bracket_left: 'ü', semicolon: 'ö', apostrophe: 'ä' }),
    ['grave_accent', 'dead^', '°'],
    ['1', '1', '!'],
    ['2', '2', '"', '²'],
    ['3', '3', '§', '³'],
    ['4', '4', '$'],
    ['5', '5', '%'],
    ['6', '6', '&'],
    ['7', '7', '/', '{'],
    ['8', '8', '(', '['],
    ['9', '9', ')', ']'],
    ['0', '0', '=', '}'],
    ['minus', 'ß', '?', '\\'],
    ['equal', 'dead´', 'dead`'],
    ['q', 'q', 'Q', '@'],
    ['e', 'e', 'E', '€'],
    ['m', 'm', 'M', 'µ'],
    ['bracket_right', '+', '*', '~'],
    ['backslash', '#', "'"],
    ['less', '<', '>', '|'],
    ['comma', ',', ';'],
    ['dot', '.', ':'],
    ['slash', '-', '_'],
  ],
};

const fr: Layout = {
  rows: [
    ...letters({ ...withoutM, q: 'a', a: 'q', w: 'z', z: 'w', semicolon: 'm' }),
    ['grave_accent', '²', ''],
    ['1', '&', '1'],
    ['2', 'é', '2', '~'],
    ['3', '"', '3', '#'],
    ['4', "'", '4', '{'],
    ['5', '(', '5', '['],
    ['6', '-', '6', '|'],
    ['7', 'è', '7', '`'],
    ['8', '_', '8', '\\'],
    ['9', 'ç', '9', '^'],
    ['0', 'à', '0', '@'],
    ['minus', ')', '°', ']'],
    ['equal', '=', '+', '}'],
    ['bracket_left', 'dead^', 'dead¨'],
    ['bracket_right', '$', '£', '¤'],
    ['e', 'e', 'E', '€'],
    ['apostrophe', 'ù', '%'],
    ['backslash', '*', 'µ'],
    ['less', '<', '>'],
    ['m', ',', '?'],
    ['comma', ';', '.'],
    ['dot', ':', '/'],
    ['slash', '!', '§'],
  ],
};

export const layouts = { us, uk, de, fr } as const;
export type LayoutName = keyof typeof layouts;
