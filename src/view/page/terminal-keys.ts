import type { Stroke } from './held-keys.ts';

const plain: Readonly<Record<string, string>> = { Enter: '\r', Backspace: '\x7f', Tab: '\t', Escape: '\x1b' };
/** Final letters of CSI sequences, and of SS3 in application mode. */
const cursor: Readonly<Record<string, string>> = {
  ArrowUp: 'A',
  ArrowDown: 'B',
  ArrowRight: 'C',
  ArrowLeft: 'D',
  Home: 'H',
  End: 'F',
};
const firstFunctionKeys: Readonly<Record<string, string>> = { F1: 'P', F2: 'Q', F3: 'R', F4: 'S' };
/** Numbers of CSI sequences that end in `~`. */
const numbered: Readonly<Record<string, number>> = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};

/** What a terminal sends for a key, as xterm does it; undefined for keys that send nothing. */
export function terminalText(stroke: Stroke, applicationCursorKeys: boolean): string | undefined {
  const { key, ctrlKey, altKey, shiftKey, metaKey } = stroke;
  if (metaKey) return undefined;
  // Copy and paste, as terminals have them.
  if (ctrlKey && shiftKey && /^[cv]$/i.test(key)) return undefined;
  const isAltGraph = stroke.getModifierState('AltGraph');
  const special = specialText(
    key,
    1 + Number(shiftKey) + 2 * Number(altKey) + 4 * Number(ctrlKey),
    applicationCursorKeys,
  );
  if (special !== undefined) return special;
  const text = plain[key] ?? ([...key].length === 1 ? key : undefined);
  if (text === undefined) return undefined;
  if (key === 'Tab' && shiftKey) return '\x1b[Z';
  if (isAltGraph) return text;
  const typed = ctrlKey ? controlText(text) : text;
  return altKey ? `\x1b${typed}` : typed;
}

function specialText(key: string, modifier: number, applicationCursorKeys: boolean): string | undefined {
  const number = numbered[key];
  if (number !== undefined) return modifier === 1 ? `\x1b[${number}~` : `\x1b[${number};${modifier}~`;
  const final = cursor[key] ?? firstFunctionKeys[key];
  if (final === undefined) return undefined;
  if (modifier !== 1) return `\x1b[1;${modifier}${final}`;
  return key in firstFunctionKeys || applicationCursorKeys ? `\x1bO${final}` : `\x1b[${final}`;
}

function controlText(text: string): string {
  if (text === ' ' || text === '2') return '\0';
  if (text === '/') return '\x1f';
  if (text === '\x7f') return '\b';
  const code = text.toUpperCase().charCodeAt(0);
  return text.length === 1 && code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : text;
}

/**
 * A paste as a terminal sends it: ends of lines are Enter, and the guest may have asked for marks around it. Control
 * characters are left out: some would end the marks, others act at once, and nobody sees them in what was copied.
 */
export function pasteText(text: string, bracketed: boolean): string {
  const typed = [...text.replace(/\r?\n/g, '\r')].filter((character) => !isControl(character)).join('');
  return bracketed ? `\x1b[200~${typed}\x1b[201~` : typed;
}

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code < 0x20 && character !== '\t' && character !== '\r') || (code >= 0x7f && code < 0xa0);
}
