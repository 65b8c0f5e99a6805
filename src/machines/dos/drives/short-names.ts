import { toCodePage } from '../../../formats/code-page-437.ts';
import { parseName, upperCase } from './names.ts';

const separators = new Set([...'"*+,/:;<=>?[\\]| ']);
/** Names that mean a device wherever they stand. */
const reserved = /^(CON|NUL|PRN|AUX|CLOCK\$|COM[1-4]|LPT[1-3])$/;

/**
 * A name of 8 and 3 characters for each of a folder's names, none twice. Names that are already short keep theirs; the
 * others get `LONGNA~1.TXT`, numbered in the order of the list, so the same folder always gives the same names.
 */
export function shortNames(longNames: readonly string[]): string[] {
  const ordered = longNames.map((name, index) => ({ name, index }));
  const taken = new Set<string>();
  const result: string[] = new Array(longNames.length).fill('');
  for (const { name, index } of ordered) {
    const short = exactName(name);
    if (short === undefined || taken.has(short)) continue;
    taken.add(short);
    result[index] = short;
  }
  const numbers = new Map<string, number>();
  for (const { name, index } of ordered) {
    if (result[index] !== '') continue;
    const short = numberedName(name, taken, numbers);
    taken.add(short);
    result[index] = short;
  }
  return result;
}

function exactName(name: string): string | undefined {
  const bytes: string[] = [];
  for (const character of name) {
    const byte = toCodePage(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  const text = bytes.join('');
  const [stem = '', extension = '', ...more] = text.split('.');
  if (more.length > 0 || stem.length > 8 || extension.length > 3 || text.endsWith('.')) return undefined;
  if (reserved.test(upperCase(stem))) return undefined;
  return parseName(text);
}

/** `numbers`: how far names that begin alike have been numbered. */
function numberedName(name: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const trimmed = name.replace(/^\.+|[. ]+$/g, '');
  const dot = trimmed.lastIndexOf('.');
  const stem = clean(dot < 0 ? trimmed : trimmed.slice(0, dot)) || '_';
  const extension = clean(dot < 0 ? '' : trimmed.slice(dot + 1)).slice(0, 3);
  const beginning = stem.slice(0, 6) + extension.padEnd(3);
  for (let number = (numbers.get(beginning) ?? 0) + 1; ; number++) {
    const tail = `~${number}`;
    const short = (stem.slice(0, 8 - tail.length) + tail).padEnd(8) + extension.padEnd(3);
    numbers.set(beginning, number);
    if (!taken.has(short)) return short;
  }
}

function clean(part: string): string {
  let result = '';
  for (const character of part) {
    if (character === '.' || character === ' ') continue;
    const byte = separators.has(character) || character < ' ' ? undefined : toCodePage(character);
    result += byte === undefined ? '_' : upperCase(byte);
  }
  return result;
}
