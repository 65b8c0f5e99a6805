const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 8;
  for (let bit = 0; bit < 8; bit++) sum = (sum & 0x8000) !== 0 ? (sum << 1) ^ 0x1021 : sum << 1;
  return sum;
});

/** The checksum of MFM sectors (x^16 + x^12 + x^5 + 1) with another byte in it. */
export function withByte(crc: number, byte: number): number {
  return ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ byte];
}

/** After the three marks that everything begins with. */
export const crcOfMarks = [0xa1, 0xa1, 0xa1].reduce((crc, byte) => withByte(crc, byte), 0xffff);
