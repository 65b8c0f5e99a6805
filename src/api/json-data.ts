/** Data of an answer as JSON can carry it: a number where it is exact, else hexadecimal text. */
export function jsonData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, jsonValue(value)]));
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return jsonNumber(value);
  if (Array.isArray(value)) return value.map(jsonValue);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return jsonData(value as Record<string, unknown>);
}

function jsonNumber(value: bigint): number | string {
  const exact = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return exact ? Number(value) : `0x${value.toString(16)}`;
}
