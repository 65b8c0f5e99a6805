import { lowerHex } from '../../formats/hex.ts';

const special = /[#$}*]/g;

/** A payload as it goes over the wire, one character a byte in both. */
export function encodePacket(payload: string): string {
  const escaped = payload.replace(special, (char) => `}${String.fromCharCode(char.charCodeAt(0) ^ 0x20)}`);
  let sum = 0;
  for (let at = 0; at < escaped.length; at++) sum += escaped.charCodeAt(at);
  return `$${escaped}#${hexByte(sum)}`;
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => lowerHex(byte, 2));

/** The lowest eight bits. */
export function hexByte(value: number): string {
  return hexBytes[value & 0xff] ?? '';
}

/** The payload between `$` and `#`, with escapes and run lengths resolved; undefined when it becomes too long. */
export function decodePayload(raw: string, maxLength: number): string | undefined {
  if (!raw.includes('}') && !raw.includes('*')) return raw.length > maxLength ? undefined : raw;
  const parts: string[] = [];
  let length = 0;
  let last = '';
  for (let at = 0; at < raw.length && length <= maxLength; at++) {
    const char = raw.charAt(at);
    if (char === '*' && last !== '') {
      const repeats = Math.max(0, raw.charCodeAt(++at) - 29) || 0;
      parts.push(last.repeat(repeats));
      length += repeats;
      continue;
    }
    last = char === '}' ? String.fromCharCode((raw.charCodeAt(++at) || 0) ^ 0x20) : char;
    parts.push(last);
    length++;
  }
  return length > maxLength ? undefined : parts.join('');
}

export function textToHex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

/** Undefined for anything that is not pairs of hex digits. */
export function hexToBytes(hex: string): Uint8Array | undefined {
  // Node stops at the first pair that is none.
  const bytes = Buffer.from(hex, 'hex');
  return bytes.length * 2 === hex.length ? bytes : undefined;
}
