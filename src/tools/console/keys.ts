import { nearestNames } from '../../formats/nearest-name.ts';
import { ownValue } from '../../formats/own-value.ts';
import { MachineError } from '../../machine/errors.ts';

/** Keys of a VT/xterm keyboard with their bytes, cursor keys in normal (not application) mode. */
const namedKeys: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  linefeed: '\n',
  tab: '\t',
  'shift-tab': '\x1b[Z',
  escape: '\x1b',
  esc: '\x1b',
  space: ' ',
  backspace: '\x7f',
  delete: '\x1b[3~',
  insert: '\x1b[2~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  'page-up': '\x1b[5~',
  'page-down': '\x1b[6~',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
  f5: '\x1b[15~',
  f6: '\x1b[17~',
  f7: '\x1b[18~',
  f8: '\x1b[19~',
  f9: '\x1b[20~',
  f10: '\x1b[21~',
  f11: '\x1b[23~',
  f12: '\x1b[24~',
  'ctrl-space': '\0',
};

/** Every name there is, with `ctrl-a` and `alt-x` standing for their families. */
export const keyNames: readonly string[] = [
  ...Object.keys(namedKeys),
  ...Array.from({ length: 26 }, (_, index) => `ctrl-${String.fromCharCode(0x61 + index)}`),
  ...['@', '[', '\\', ']', '^', '_', '?'].map((character) => `ctrl-${character}`),
  'alt-x',
];

/** The bytes a key sends. Names in any case, joined by `-` or `+`: `enter`, `ctrl-c`, `Ctrl+]`, `alt-x`, `q`. */
export function keyBytes(key: string): Uint8Array {
  const text = keyText(key);
  if (text === undefined) {
    const nearest = nearestNames(key.toLowerCase(), keyNames);
    throw new MachineError(
      'INVALID_ARGUMENT',
      `There is no key "${key}".`,
      `Use ${nearest.map((name) => `"${name}"`).join(', ')}, a single character, ctrl-a … ctrl-z or alt-<key>; ` +
        'whole words go into text.',
      { key, nearest },
    );
  }
  return new TextEncoder().encode(text);
}

function keyText(key: string): string | undefined {
  if ([...key].length === 1) return key;
  const name = key.toLowerCase().replace(/(?<=.)[+_](?=.)/g, '-');
  const named = ownValue(namedKeys, name);
  if (named !== undefined && Object.hasOwn(namedKeys, name)) return named;
  if (name.startsWith('ctrl-') || name.startsWith('c-')) return controlText(name.slice(name.indexOf('-') + 1));
  if (name.startsWith('alt-') || name.startsWith('meta-')) {
    const rest = keyText(key.slice(name.indexOf('-') + 1));
    return rest === undefined ? undefined : `\x1b${rest}`;
  }
  return undefined;
}

function controlText(rest: string): string | undefined {
  if (rest === '?') return '\x7f';
  return /^[@-_a-z]$/.test(rest) ? String.fromCharCode(rest.toUpperCase().charCodeAt(0) & 0x1f) : undefined;
}
