import type { AddressCapability } from '../../machine/addresses.ts';
import type { CodePlace } from '../../machine/functions.ts';

/** A place in code with its symbol. */
export function showPlace({ address, where }: CodePlace, { symbols }: AddressCapability): string {
  const symbol = symbols.describe(address);
  return symbol ? `${where} ${symbol}` : where;
}

/** An address in the same segment as a place, where there are segments. */
export function showWithin(address: bigint, { segment }: CodePlace, { format, within }: AddressCapability): string {
  return segment === undefined ? format(address) : (within?.(segment, address) ?? format(address));
}

/** The first few of several places, and how many others there are. */
export function showPlaces(places: readonly CodePlace[], addresses: AddressCapability, most = 4): string {
  const shown = places.slice(0, most).map((place) => showPlace(place, addresses));
  const left = places.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 run`, `1,204 runs`. */
export function counted(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}
