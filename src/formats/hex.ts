/** A number in capital hexadecimal digits, with zeros in front up to that many. */
export function hex(value: number | bigint, digits = 1): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** The same in small letters, as Unix programs write it. */
export function lowerHex(value: number | bigint, digits = 1): string {
  return value.toString(16).padStart(digits, '0');
}
