import { expect, test } from 'vitest';
import { keyNamed, keyNames } from './key-names.ts';
import { strokesOf } from './layout.ts';
import { type LayoutName, layouts } from './layouts.ts';

/** `Z` for shift and z, `^q` for AltGr and q, keys in the order they are struck. */
function typed(layout: LayoutName, character: string): string {
  const strokes = strokesOf(layouts[layout]).get(character) ?? [];
  return strokes.map(({ key, held }) => [...held, key].join('+')).join(' ');
}

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

test.for(Object.keys(layouts) as LayoutName[])('%s types all of ASCII', (layout) => {
  const strokes = strokesOf(layouts[layout]);
  expect([...printable, '\n', '\t'].filter((character) => !strokes.has(character))).toEqual([]);
});

test.for(Object.keys(layouts) as LayoutName[])('%s gives every character strokes of its own', (layout) => {
  const strokes = strokesOf(layouts[layout]);
  const ways = [...strokes].filter(([character]) => character !== '\r').map(([, way]) => JSON.stringify(way));
  expect(new Set(ways).size).toBe(ways.length);
  for (const way of strokes.values()) for (const { key } of way) expect(keyNames).toContain(key);
});

test.for([
  ['us', 'A', 'shift+a'],
  ['us', '~', 'shift+grave_accent'],
  ['us', '"', 'shift+apostrophe'],
  ['uk', '"', 'shift+2'],
  ['uk', '@', 'shift+apostrophe'],
  ['uk', '#', 'backslash'],
  ['uk', '\\', 'less'],
  ['uk', '£', 'shift+3'],
  ['de', 'z', 'y'],
  ['de', 'Y', 'shift+z'],
  ['de', 'ß', 'minus'],
  ['de', '@', 'alt_r+q'],
  ['de', '{', 'alt_r+7'],
  ['de', '\\', 'alt_r+minus'],
  ['de', '|', 'alt_r+less'],
  ['de', '^', 'grave_accent spc'],
  ['de', 'é', 'equal e'],
  ['de', 'È', 'shift+equal shift+e'],
  ['de', '/', 'shift+7'],
  ['fr', 'a', 'q'],
  ['fr', 'M', 'shift+semicolon'],
  ['fr', '1', 'shift+1'],
  ['fr', 'é', '2'],
  ['fr', 'ê', 'bracket_left e'],
  ['fr', 'ï', 'shift+bracket_left i'],
  ['fr', '@', 'alt_r+0'],
  ['fr', '.', 'shift+comma'],
  ['fr', '^', 'alt_r+9'],
] as const)('%s: %s is %s', ([layout, character, strokes]) => {
  expect(typed(layout, character)).toBe(strokes);
});

test.for([
  ['uk', '¦'],
  ['de', '´'],
  ['fr', '¨'],
] as const)('%s: %s is another character on some systems and is refused', ([layout, character]) => {
  expect(strokesOf(layouts[layout]).has(character)).toBe(false);
});

test('keys have the names people use', () => {
  expect(['Enter', 'ESC', 'ctrl', 'PageUp', 'F12', 'altgr', 'win'].map(keyNamed)).toEqual([
    'ret',
    'esc',
    'ctrl',
    'pgup',
    'f12',
    'alt_r',
    'meta_l',
  ]);
  expect([keyNamed('a'), keyNamed('hyper')]).toEqual([undefined, undefined]);
});
