/** A number in capital hexadecimal digits, with zeros in front up to that many. */
export function hex(value: number | bigint, digits = 1): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** The same in small letters, as Unix programs write it. */
export function lowerHex(value: number | bigint, digits = 1): string {
  return value.toString(16).padStart(digits, '0');
}

/** As C writes it: `0xd020`. */
export function hex0x(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

/** As assemblers of the 6502 write it: `$0D`. */
export function hexByte(value: number): string {
  return `$${hex(value, 2)}`;
}

/** The same of an address: `$D020`. */
export function hexWord(value: number | bigint): string {
  return `$${hex(value, 4)}`;
}

/** A byte as it is written into texts: `\x1b`. */
export function hexEscape(byte: number): string {
  return `\\x${lowerHex(byte, 2)}`;
}
