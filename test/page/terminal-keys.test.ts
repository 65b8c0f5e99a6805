import { expect, test } from 'vitest';
import { pasteText, terminalText } from '../../src/view/page/terminal-keys.ts';

type Modifier = 'shift' | 'ctrl' | 'alt' | 'meta' | 'altGraph';

function typed(key: string, held: readonly Modifier[] = [], applicationCursorKeys = false): string | undefined {
  const stroke = {
    key,
    code: '',
    shiftKey: held.includes('shift'),
    ctrlKey: held.includes('ctrl'),
    altKey: held.includes('alt'),
    metaKey: held.includes('meta'),
    getModifierState: (name: string) => name === 'AltGraph' && held.includes('altGraph'),
  };
  return terminalText(stroke, applicationCursorKeys);
}

const none: readonly Modifier[] = [];

test.each([
  ['a', none, 'a'],
  ['ä', none, 'ä'],
  ['Enter', none, '\r'],
  ['Backspace', none, '\x7f'],
  ['Tab', none, '\t'],
  ['Tab', ['shift'], '\x1b[Z'],
  ['Escape', none, '\x1b'],
  ['c', ['ctrl'], '\x03'],
  ['[', ['ctrl'], '\x1b'],
  [' ', ['ctrl'], '\0'],
  ['x', ['alt'], '\x1bx'],
  ['@', ['ctrl', 'alt', 'altGraph'], '@'],
  ['ArrowUp', none, '\x1b[A'],
  ['ArrowLeft', ['ctrl'], '\x1b[1;5D'],
  ['Home', none, '\x1b[H'],
  ['Delete', none, '\x1b[3~'],
  ['PageDown', ['shift'], '\x1b[6;2~'],
  ['F1', none, '\x1bOP'],
  ['F1', ['shift'], '\x1b[1;2P'],
  ['F12', none, '\x1b[24~'],
  ['Shift', ['shift'], undefined],
  ['c', ['meta'], undefined],
  ['V', ['ctrl', 'shift'], undefined],
] as const)('%s with %j', (key, held, text) => {
  expect(typed(key, held)).toBe(text);
});

test('cursor keys follow the mode that the guest has set', () => {
  expect(typed('ArrowUp', [], true)).toBe('\x1bOA');
  expect(typed('ArrowUp', ['ctrl'], true)).toBe('\x1b[1;5A');
});

test('a paste is lines with Enter, marked where the guest wants it, and cannot end its own marks', () => {
  expect(pasteText('a\r\nb\n', false)).toBe('a\rb\r');
  expect(pasteText('a\x1b[201~b', true)).toBe('\x1b[200~a[201~b\x1b[201~');
  expect(pasteText('a\x00\x03\tb\x7f\x9bc', false)).toBe('a\tbc');
});
