/**
 * Places on a keyboard (`KeyboardEvent.code`) and what machines call the key there: the names of PC keyboards first,
 * as the machines know them, then the key of another machine that stands in for it.
 */
const places: Readonly<Record<string, readonly string[]>> = {
  Backquote: ['grave_accent', '`', '←'],
  Minus: ['minus', '-'],
  Equal: ['equal', '='],
  BracketLeft: ['bracket_left', '['],
  BracketRight: ['bracket_right', ']'],
  Backslash: ['backslash', '\\', '£'],
  IntlBackslash: ['less', '<'],
  Semicolon: ['semicolon', ';'],
  Quote: ['apostrophe', "'"],
  Comma: ['comma', ','],
  Period: ['dot', '.'],
  Slash: ['slash', '/'],
  Space: ['spc', 'space'],
  Enter: ['ret', 'enter', 'return'],
  Backspace: ['backspace', 'del'],
  Tab: ['tab', 'ctrl'],
  Escape: ['esc', 'escape', 'stop'],
  ShiftLeft: ['shift', 'lshift'],
  ShiftRight: ['shift_r', 'right shift', 'rshift', 'shift'],
  ControlLeft: ['ctrl', 'control'],
  ControlRight: ['ctrl_r', 'right ctrl', 'ctrl'],
  AltLeft: ['alt', 'cbm'],
  AltRight: ['alt_r', 'right alt', 'cbm'],
  MetaLeft: ['meta_l', 'left windows'],
  MetaRight: ['meta_r', 'right windows'],
  ContextMenu: ['menu'],
  CapsLock: ['caps_lock', 'caps lock'],
  NumLock: ['num_lock', 'num lock'],
  ScrollLock: ['scroll_lock', 'scroll lock'],
  PrintScreen: ['print', 'print screen'],
  Pause: ['pause'],
  Insert: ['insert', 'inst'],
  Delete: ['delete', 'del'],
  Home: ['home'],
  End: ['end'],
  PageUp: ['pgup', 'page up', 'restore'],
  PageDown: ['pgdn', 'page down'],
  ArrowUp: ['up'],
  ArrowDown: ['down'],
  ArrowLeft: ['left'],
  ArrowRight: ['right'],
  NumpadAdd: ['kp_add', 'keypad +', '+'],
  NumpadSubtract: ['kp_subtract', 'keypad -', '-'],
  NumpadMultiply: ['kp_multiply', 'keypad *', '*'],
  NumpadDivide: ['kp_divide', 'keypad /', '/'],
  NumpadDecimal: ['kp_decimal', 'keypad .', '.'],
  NumpadEnter: ['kp_enter', 'keypad enter', 'enter', 'return'],
};

/** What a machine with these key names calls the key at a place; undefined where it has none. */
export function keyAt(code: string, names: ReadonlySet<string>): string | undefined {
  return candidates(code).find((name) => names.has(name));
}

function candidates(code: string): readonly string[] {
  const [, letterOrDigit] = /^(?:Key|Digit)(.)$/.exec(code) ?? [];
  if (letterOrDigit !== undefined) return [letterOrDigit.toLowerCase()];
  const [, keypad] = /^Numpad(\d)$/.exec(code) ?? [];
  if (keypad !== undefined) return [`kp_${keypad}`, `keypad ${keypad}`, keypad];
  if (/^F\d+$/.test(code)) return [code.toLowerCase()];
  return places[code] ?? [];
}
