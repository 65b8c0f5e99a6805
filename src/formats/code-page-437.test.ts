import { expect, test } from 'vitest';
import { fromCodePage, glyphs437, toCodePage } from './code-page-437.ts';

test('the screen shows a picture for every byte', () => {
  expect(glyphs437.length).toBe(256);
  const shown = [0, 1, 0x20, 0x41, 0x7e, 0x7f, 0x80, 0xc9, 0xdb, 0xfe, 0xff].map((code) => glyphs437[code]).join('');
  expect(shown).toBe(' ☺ A~⌂Ç╔█■ ');
});

test('text goes there and back, control codes as they are', () => {
  const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
  const text = fromCodePage(bytes);
  expect(text.slice(0, 0x80)).toBe(bytes.slice(0, 0x80));
  expect([...text].map(toCodePage).join('')).toBe(bytes);
  expect(toCodePage('€')).toBeUndefined();
});
