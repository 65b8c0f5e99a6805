/** Keys that the original names otherwise than we do, in lower case. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ leftshift: 'shift', rightshift: 'right shift', leftctrl: 'ctrl', rightctrl: 'right ctrl' },
  ...{ leftalt: 'alt', rightalt: 'right alt', leftgui: 'left windows', rightgui: 'right windows' },
  ...{ capslock: 'caps lock', scrolllock: 'scroll lock', numlock: 'num lock', printscreen: 'print screen' },
  ...{ pageup: 'page up', pagedown: 'page down', grave: '`', minus: '-', equals: '=', backslash: '\\' },
  ...{ leftbracket: '[', rightbracket: ']', semicolon: ';', quote: "'", oem102: '<' },
  ...{ period: '.', comma: ',', slash: '/', kpdivide: 'keypad /', kpmultiply: 'keypad *', kpminus: 'keypad -' },
  ...{ kpplus: 'keypad +', kpenter: 'keypad enter', kpperiod: 'keypad .' },
};

/** Our name of a key: `D1` is the 1 above the letters, `Kp1` (its texts say `NumPad1`) that of the keypad. */
export function ownKeyName(name: string): string {
  const lower = name.toLowerCase();
  const digit = /^(d|kp|numpad)([0-9])$/.exec(lower);
  if (digit) return digit[1] === 'd' ? `${digit[2]}` : `keypad ${digit[2]}`;
  return Object.hasOwn(otherNames, lower) ? (otherNames[lower] ?? name) : name;
}
