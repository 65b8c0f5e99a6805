import { fromCodePage } from '../../../../formats/code-page-437.ts';
import { lowerHex } from '../../../../formats/hex.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';

/** Text up to a zero byte, one character per byte. Offsets wrap within the segment. */
export function readAsciz(memory: GuestMemory, segment: number, offset: number, limit = 128): string {
  let text = '';
  for (let i = 0; i < limit; i++) {
    const byte = memory.read8(linear(segment, offset + i));
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return text;
}

export function writeAsciz(memory: GuestMemory, address: number, text: string): void {
  writeText(memory, address, text);
  memory.write8(address + text.length, 0);
}

export function writeText(memory: GuestMemory, address: number, text: string): void {
  for (let i = 0; i < text.length; i++) memory.write8(address + i, text.charCodeAt(i));
}

export function readText(memory: GuestMemory, address: number, length: number): string {
  return binaryText(memory.bytes(address, length));
}

export function binaryText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** For the call log: in quotes, Unicode, control characters escaped. */
export function quoted(text: string, limit = 64): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return `"${Array.from(shown, (character) => (character === '…' ? character : printable(character))).join('')}"`;
}

function printable(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `\\x${lowerHex(code, 2)}`;
  return fromCodePage(character);
}
