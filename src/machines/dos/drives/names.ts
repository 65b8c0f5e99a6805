/** Bytes that no name of DOS may hold. */
const forbidden = new Set(Array.from('"*+,/:;<=>?[\\]|', (character) => character.charCodeAt(0)));

/** Upper case as code page 437 has it: a-z and the letters with marks that have a capital. */
const accents: Readonly<Record<number, number>> = {
  129: 0x9a,
  130: 0x90,
  132: 0x8e,
  134: 0x8f,
  135: 0x80,
  145: 0x92,
  148: 0x99,
  164: 0xa5,
};

export function upperByte(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : (accents[byte] ?? byte);
}

/** Text of one character per byte, in capitals. */
export function upperCase(text: string): string {
  let result = '';
  for (let i = 0; i < text.length; i++) result += String.fromCharCode(upperByte(text.charCodeAt(i)));
  return result;
}

/** `readme.txt` as `README  TXT`; undefined for what cannot be a name. Longer parts are cut, as DOS does. */
export function parseName(text: string, wildcards = false): string | undefined {
  if (text === '.' || text === '..') return text.padEnd(11);
  const dot = text.indexOf('.');
  const stem = dot < 0 ? text : text.slice(0, dot);
  const extension = dot < 0 ? '' : text.slice(dot + 1);
  if (stem === '' || extension.includes('.')) return undefined;
  const left = parsePart(stem, 8, wildcards);
  const right = parsePart(extension, 3, wildcards);
  return left === undefined || right === undefined ? undefined : left + right;
}

function parsePart(text: string, length: number, wildcards: boolean): string | undefined {
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const byte = text.charCodeAt(i);
    if (wildcards && byte === 0x2a) return result.slice(0, length).padEnd(length, '?');
    if (byte <= 0x20 || byte > 0xff || (forbidden.has(byte) && !(wildcards && byte === 0x3f))) return undefined;
    result += String.fromCharCode(upperByte(byte));
  }
  return result.slice(0, length).padEnd(length);
}

/** `README  TXT` as `README.TXT`. */
export function formatName(name: string): string {
  const stem = name.slice(0, 8).trimEnd();
  const extension = name.slice(8).trimEnd();
  return extension === '' ? stem : `${stem}.${extension}`;
}

/** Whether an 11-byte name fits an 11-byte pattern with question marks. */
export function nameMatches(pattern: string, name: string): boolean {
  for (let i = 0; i < 11; i++) if (pattern[i] !== '?' && pattern[i] !== name[i]) return false;
  return true;
}

/** The new name a pattern makes of an old one: question marks keep what is there. */
export function nameFromPattern(pattern: string, name: string): string {
  let result = '';
  for (let i = 0; i < 11; i++) result += pattern[i] === '?' ? name[i] : pattern[i];
  return result;
}
