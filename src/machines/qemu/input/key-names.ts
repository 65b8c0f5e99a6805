import { ownValue } from '../../../formats/own-value.ts';

/** Names that people use, beside QEMU's own. */
const aliases: Readonly<Record<string, string>> = {
  enter: 'ret',
  return: 'ret',
  escape: 'esc',
  space: 'spc',
  control: 'ctrl',
  altgr: 'alt_r',
  alt_gr: 'alt_r',
  option: 'alt',
  super: 'meta_l',
  win: 'meta_l',
  windows: 'meta_l',
  cmd: 'meta_l',
  command: 'meta_l',
  meta: 'meta_l',
  del: 'delete',
  ins: 'insert',
  pageup: 'pgup',
  page_up: 'pgup',
  pagedown: 'pgdn',
  page_down: 'pgdn',
  capslock: 'caps_lock',
  numlock: 'num_lock',
  scrolllock: 'scroll_lock',
  printscreen: 'print',
  prtsc: 'print',
  bksp: 'backspace',
  period: 'dot',
};

const functionKeys = Array.from({ length: 12 }, (_, at) => `f${at + 1}`);
const digits = [...'0123456789'];
const keypad = ['add', 'subtract', 'multiply', 'divide', 'enter', 'decimal', ...digits].map((name) => `kp_${name}`);

/** QEMU's names, those of a PC's keyboard. */
export const keyNames: readonly string[] = [
  ...'shift shift_r ctrl ctrl_r alt alt_r meta_l meta_r menu'.split(' '),
  ...'esc tab ret spc backspace caps_lock num_lock scroll_lock'.split(' '),
  ...'up down left right home end pgup pgdn insert delete print pause sysrq'.split(' '),
  ...functionKeys,
  ...'abcdefghijklmnopqrstuvwxyz',
  ...digits,
  ...'minus equal bracket_left bracket_right backslash semicolon apostrophe grave_accent comma dot slash less'.split(
    ' ',
  ),
  ...keypad,
  ...'volumeup volumedown audiomute power sleep wake'.split(' '),
];

const known: ReadonlySet<string> = new Set(keyNames);

/** QEMU's name for a place on the keyboard, single letters and digits too. */
export function placeNamed(name: string): string | undefined {
  const lower = name.toLowerCase();
  const found = ownValue(aliases, lower) ?? lower;
  return known.has(found) ? found : undefined;
}

/** QEMU's name for a key, if it is one; single characters belong to a layout. */
export function keyNamed(name: string): string | undefined {
  return name.length > 1 ? placeNamed(name) : undefined;
}
