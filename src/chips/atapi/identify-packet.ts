/** The 512 bytes of IDENTIFY PACKET DEVICE. */
export function identifyPacket(drive: number): Uint8Array {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  const put = (word: number, value: number) => view.setUint16(word * 2, value, true);
  const text = (word: number, words: number, value: string) => {
    const padded = value.padEnd(words * 2);
    // The first of two characters is the upper byte.
    for (let index = 0; index < words * 2; index++) bytes[word * 2 + (index ^ 1)] = padded.charCodeAt(index);
  };
  // A removable CD-ROM, ready for a packet in 50 µs without an interrupt, packets of 12 bytes.
  put(0, 0x85c0);
  text(10, 10, `FPCD${drive}`);
  text(23, 4, '1.0');
  text(27, 20, 'FRONTPANEL CD-ROM');
  // Addresses by number; no DMA.
  put(49, 0x0200);
  put(51, 0x0200);
  return bytes;
}
