export function bytesToValue(bytes: Uint8Array, bigEndian: boolean): bigint {
  const hex = Buffer.from(bigEndian ? bytes : bytes.toReversed()).toString('hex');
  return hex === '' ? 0n : BigInt(`0x${hex}`);
}

export function valueToBytes(value: bigint, bytes: number, bigEndian: boolean): Uint8Array {
  const hex = BigInt.asUintN(bytes * 8, value)
    .toString(16)
    .padStart(bytes * 2, '0');
  const big = new Uint8Array(Buffer.from(hex, 'hex'));
  return bigEndian ? big : big.toReversed();
}
