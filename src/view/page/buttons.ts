import { keyAt } from './key-places.ts';

/** What a button holds down while it is pressed. */
export interface KeyButton {
  readonly label: string;
  readonly keys: readonly string[];
}

/** On PC keyboards, by the places of their keys: what browsers and systems keep for themselves. */
const pcChords: Readonly<Record<string, readonly string[]>> = {
  Esc: ['Escape'],
  Tab: ['Tab'],
  Ins: ['Insert'],
  Print: ['PrintScreen'],
  Win: ['MetaLeft'],
  'Alt+Tab': ['AltLeft', 'Tab'],
  'Alt+F4': ['AltLeft', 'F4'],
  'Ctrl+W': ['ControlLeft', 'KeyW'],
  'Ctrl+Alt+Del': ['ControlLeft', 'AltLeft', 'Delete'],
};

/** Keys of Commodore's keyboards that this one lacks, by the machine's names. */
const ownChords: Readonly<Record<string, readonly string[]>> = {
  'RUN/STOP': ['stop'],
  RESTORE: ['restore'],
  'STOP+RESTORE': ['stop', 'restore'],
  'C=': ['cbm'],
  CTRL: ['ctrl'],
  ESC: ['esc'],
  HELP: ['help'],
  'CLR/HOME': ['home'],
  '←': ['←'],
  '↑': ['↑'],
  '£': ['£'],
};

/** What people at a terminal need and a browser keeps. */
export const terminalKeys: Readonly<Record<string, string>> = {
  Esc: '\x1b',
  'Ctrl+C': '\x03',
  'Ctrl+D': '\x04',
  'Ctrl+N': '\x0e',
  'Ctrl+T': '\x14',
  'Ctrl+W': '\x17',
};

/** True for the keyboard of a PC, which has twelve function keys; home computers have fewer. */
export function isPcKeyboard(names: ReadonlySet<string>): boolean {
  return names.has('f12');
}

/** Keys that are hard to reach from here. */
export function keyButtons(names: ReadonlySet<string>): KeyButton[] {
  const isPc = isPcKeyboard(names);
  const chords = Object.entries(isPc ? pcChords : ownChords).map(([label, keys]) => ({
    label,
    keys: isPc ? keys.map((code) => keyAt(code, names) ?? '') : keys,
  }));
  const breakKey = names.has('break') ? 'break' : keyAt('Pause', names);
  if (isPc && breakKey !== undefined) chords.push({ label: 'Ctrl+Break', keys: ['ctrl', breakKey] });
  const functionKeys = Array.from({ length: 12 }, (_, index) => ({ label: `F${index + 1}`, keys: [`f${index + 1}`] }));
  return [...chords, ...functionKeys].filter(({ keys }) => keys.every((key) => names.has(key)));
}
