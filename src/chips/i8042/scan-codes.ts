/** Set 1 make codes of a 101-key keyboard by name; 0xE0xx are sent after an E0 byte. */
export const scanCodes: Readonly<Record<string, number>> = {
  escape: 0x01,
  '1': 0x02,
  '2': 0x03,
  '3': 0x04,
  '4': 0x05,
  '5': 0x06,
  '6': 0x07,
  '7': 0x08,
  '8': 0x09,
  '9': 0x0a,
  '0': 0x0b,
  '-': 0x0c,
  '=': 0x0d,
  backspace: 0x0e,
  tab: 0x0f,
  q: 0x10,
  w: 0x11,
  e: 0x12,
  r: 0x13,
  t: 0x14,
  y: 0x15,
  u: 0x16,
  i: 0x17,
  o: 0x18,
  p: 0x19,
  '[': 0x1a,
  ']': 0x1b,
  enter: 0x1c,
  ctrl: 0x1d,
  a: 0x1e,
  s: 0x1f,
  d: 0x20,
  f: 0x21,
  g: 0x22,
  h: 0x23,
  j: 0x24,
  k: 0x25,
  l: 0x26,
  ';': 0x27,
  "'": 0x28,
  '`': 0x29,
  shift: 0x2a,
  '\\': 0x2b,
  z: 0x2c,
  x: 0x2d,
  c: 0x2e,
  v: 0x2f,
  b: 0x30,
  n: 0x31,
  m: 0x32,
  ',': 0x33,
  '.': 0x34,
  '/': 0x35,
  'right shift': 0x36,
  'keypad *': 0x37,
  alt: 0x38,
  space: 0x39,
  'caps lock': 0x3a,
  f1: 0x3b,
  f2: 0x3c,
  f3: 0x3d,
  f4: 0x3e,
  f5: 0x3f,
  f6: 0x40,
  f7: 0x41,
  f8: 0x42,
  f9: 0x43,
  f10: 0x44,
  'num lock': 0x45,
  'scroll lock': 0x46,
  'keypad 7': 0x47,
  'keypad 8': 0x48,
  'keypad 9': 0x49,
  'keypad -': 0x4a,
  'keypad 4': 0x4b,
  'keypad 5': 0x4c,
  'keypad 6': 0x4d,
  'keypad +': 0x4e,
  'keypad 1': 0x4f,
  'keypad 2': 0x50,
  'keypad 3': 0x51,
  'keypad 0': 0x52,
  'keypad .': 0x53,
  '<': 0x56,
  f11: 0x57,
  f12: 0x58,
  'keypad enter': 0xe01c,
  'right ctrl': 0xe01d,
  'keypad /': 0xe035,
  'print screen': 0xe037,
  'right alt': 0xe038,
  break: 0xe046,
  home: 0xe047,
  up: 0xe048,
  'page up': 0xe049,
  left: 0xe04b,
  right: 0xe04d,
  end: 0xe04f,
  down: 0xe050,
  'page down': 0xe051,
  insert: 0xe052,
  delete: 0xe053,
  'left windows': 0xe05b,
  'right windows': 0xe05c,
  menu: 0xe05d,
  pause: 0xe11d45,
};

/** The bytes a key sends as it goes down or up. */
export function keyBytes(code: number, down: boolean): readonly number[] {
  if (code === scanCodes.pause) return down ? [0xe1, 0x1d, 0x45, 0xe1, 0x9d, 0xc5] : [];
  if (code === scanCodes['print screen']) return down ? [0xe0, 0x2a, 0xe0, 0x37] : [0xe0, 0xb7, 0xe0, 0xaa];
  // With Ctrl held the pause key is Break, which sends its release at once.
  if (code === scanCodes.break) return down ? [0xe0, 0x46, 0xe0, 0xc6] : [];
  const byte = (code & 0x7f) | (down ? 0 : 0x80);
  return code > 0xff ? [0xe0, byte] : [byte];
}

const shifted = new Map(
  [...'!@#$%^&*()_+{}:"~|<>?'].map((char, index) => [char, [..."1234567890-=[];'`\\,./"][index] as string]),
);

/** The keys of a US keyboard that type a character, the one to hold first; undefined where there are none. */
export function keysFor(character: string): readonly string[] | undefined {
  const named: Record<string, string> = { '\n': 'enter', '\r': 'enter', '\t': 'tab', ' ': 'space', '\b': 'backspace' };
  const name = named[character] ?? (character === '\x1b' ? 'escape' : character);
  if (name !== '<' && name in scanCodes) return [name];
  const base = shifted.get(character);
  if (base !== undefined) return ['shift', base];
  const lower = character.toLowerCase();
  return lower !== character && lower in scanCodes ? ['shift', lower] : undefined;
}
