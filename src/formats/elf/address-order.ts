const digitValues = 0x10000;

/**
 * Positions of 64-bit numbers in rising order, equal ones in the order they came. By digits of 16 bits: comparing
 * bigints would keep the process busy for half a second with the names of a kernel. Yields between the digits.
 */
export function* risingOrder(values: BigUint64Array): Generator<void, Uint32Array> {
  const { length } = values;
  // The lowest digit comes first: Node runs on little-endian machines only.
  const digits = new Uint16Array(values.buffer, values.byteOffset, length * 4);
  let from = new Uint32Array(length);
  let to = new Uint32Array(length);
  for (let n = 0; n < length; n++) from[n] = n;
  for (let digit = 0; digit < 4; digit++) {
    yield;
    const next = new Uint32Array(digitValues);
    for (let n = digit; n < length * 4; n += 4) {
      const value = digits[n] ?? 0;
      next[value] = (next[value] ?? 0) + 1;
    }
    if (next[digits[digit] ?? 0] === length) continue;
    let start = 0;
    for (let value = 0; value < digitValues; value++) {
      const count = next[value] ?? 0;
      next[value] = start;
      start += count;
    }
    for (let n = 0; n < length; n++) {
      const index = from[n] ?? 0;
      const value = digits[index * 4 + digit] ?? 0;
      const place = next[value] ?? 0;
      to[place] = index;
      next[value] = place + 1;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** How many of the rising numbers from `first` on are at most `limit`; `count` is how many there are. */
export function countUpTo(values: BigUint64Array, limit: bigint, first = 0, count = values.length): number {
  let low = first;
  let high = first + count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0n) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - first;
}
