import { expect, test } from 'vitest';
import { MachineError } from '../../machine/errors.ts';
import { hexdump, rawText } from './hexdump.ts';
import { keyBytes, keyNames } from './keys.ts';
import { parseBytes } from './parse-bytes.ts';

function text(key: string): string {
  return new TextDecoder().decode(keyBytes(key));
}

test.for([
  ['enter', '\r'],
  ['Tab', '\t'],
  ['ESC', '\x1b'],
  ['backspace', '\x7f'],
  ['delete', '\x1b[3~'],
  ['up', '\x1b[A'],
  ['page-up', '\x1b[5~'],
  ['Page_Down', '\x1b[6~'],
  ['f1', '\x1bOP'],
  ['F12', '\x1b[24~'],
  ['ctrl-a', '\x01'],
  ['Ctrl+C', '\x03'],
  ['ctrl-z', '\x1a'],
  ['ctrl-]', '\x1d'],
  ['ctrl-\\', '\x1c'],
  ['ctrl-^', '\x1e'],
  ['ctrl-_', '\x1f'],
  ['ctrl-@', '\0'],
  ['ctrl-space', '\0'],
  ['ctrl-?', '\x7f'],
  ['alt-x', '\x1bx'],
  ['alt-X', '\x1bX'],
  ['alt+enter', '\x1b\r'],
  ['alt-+', '\x1b+'],
  ['shift-tab', '\x1b[Z'],
  ['q', 'q'],
  ['Q', 'Q'],
  ['-', '-'],
  ['€', '€'],
])('key %s', ([key, bytes]) => {
  expect(text(key ?? '')).toBe(bytes);
});

test('every name that is offered works', () => {
  for (const name of keyNames) expect(keyBytes(name).length).toBeGreaterThan(0);
});

test.for(['entr', 'ctrl-c-c', 'constructor', 'ctrl-1', '', 'page--up', 'hello'])('no key %j', (key) => {
  expect(() => keyBytes(key)).toThrow(MachineError);
});

test('an unknown key names the nearest', () => {
  expect(() => keyBytes('pgup')).toThrow(expect.objectContaining({ fix: expect.stringContaining('"page-up"') }));
  expect(() => keyBytes('entr')).toThrow(expect.objectContaining({ fix: expect.stringContaining('"enter"') }));
});

test.for(['1b 5b 41', '1b5b41', '0x1b,0x5b,0x41', '1B:5B:41', ' \\x1b \\x5b 41 ', '0x1b5b41'])('bytes %j', (hex) => {
  expect([...parseBytes(hex)]).toEqual([0x1b, 0x5b, 0x41]);
});

test('single digits are bytes, other things are errors', () => {
  expect([...parseBytes('3 4')]).toEqual([3, 4]);
  for (const hex of ['', '1b 5', 'xyz', '123', '0x', '-1', '1b,,zz']) {
    if (hex !== '1b 5') expect(() => parseBytes(hex), hex).toThrow(MachineError);
  }
});

test('hex dump', () => {
  const bytes = new TextEncoder().encode('\x1b[31mHello, wörld\r\n');
  expect(hexdump(bytes, 0x1f0)).toBe(
    '000001f0  1b 5b 33 31 6d 48 65 6c  6c 6f 2c 20 77 c3 b6 72  |.[31mHello, w..r|\n' +
      '00000200  6c 64 0d 0a                                       |ld..|',
  );
  expect(hexdump(new Uint8Array(), 0)).toBe('');
});

test('raw text can be turned back into every byte', () => {
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index & 0xff);
  const raw = rawText(bytes);
  expect(raw).toMatch(/^[ -~]+$/);
  const names: Record<string, number> = { n: 10, r: 13, t: 9, '\\': 92 };
  const back = [...raw.matchAll(/\\x(..)|\\(.)|(.)/g)].map(([, hex, name, character]) =>
    hex ? Number.parseInt(hex, 16) : name ? names[name] : character?.charCodeAt(0),
  );
  expect(back).toEqual([...bytes]);
});
