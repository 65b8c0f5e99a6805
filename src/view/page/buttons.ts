import { keyAt } from './key-places.ts';

/** What a button holds down while it is pressed. */
interface KeyButton {
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
  'CLR/HOME': ['home'],
  '←': ['←'],
  '↑': ['↑'],
  '£': ['£'],
};

/** What people at a terminal need and a browser keeps. */
const terminalKeys: Readonly<Record<string, string>> = {
  Esc: '\x1b',
  'Ctrl+C': '\x03',
  'Ctrl+D': '\x04',
  'Ctrl+N': '\x0e',
  'Ctrl+T': '\x14',
  'Ctrl+W': '\x17',
};

const pressMs = 120;

/** True for the keyboard of a PC, which has twelve function keys; home computers have fewer. */
export function isPcKeyboard(names: ReadonlySet<string>): boolean {
  return names.has('f12');
}

/** Buttons for keys that are hard to reach from here; `hold` is told what is down. */
export function machineButtons(names: readonly string[], hold: (keys: readonly string[]) => void): HTMLElement[] {
  return keyButtons(new Set(names)).map(({ label, keys }) => {
    const button = newButton(label);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const letGo = () => {
      clearTimeout(timer);
      hold([]);
    };
    button.onpointerdown = (event) => {
      // The keyboard stays with the screen.
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      hold(keys);
    };
    button.onpointerup = letGo;
    button.onpointercancel = letGo;
    button.onclick = ({ detail }) => {
      // Pressed from the keyboard, there is no pointer to let go.
      if (detail !== 0) return;
      hold(keys);
      timer = setTimeout(letGo, pressMs);
    };
    return button;
  });
}

export function terminalButtons(type: (text: string) => void, sendBreak: () => void): HTMLElement[] {
  const buttons = Object.entries(terminalKeys).map(([label, text]) => clickButton(label, () => type(text)));
  return [...buttons, clickButton('BREAK', sendBreak)];
}

function keyButtons(names: ReadonlySet<string>): KeyButton[] {
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

function clickButton(label: string, act: () => void): HTMLButtonElement {
  const button = newButton(label);
  button.onpointerdown = (event) => event.preventDefault();
  button.onclick = act;
  return button;
}

function newButton(label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  return button;
}
