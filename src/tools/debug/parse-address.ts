import { suggestion } from '../../formats/nearest-name.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';

const plain = /^(?:\$([0-9a-f]+)|0x([0-9a-f]+)|([0-9][0-9a-f]*)h|([0-9]+))$/i;
const segmentedForm = /^([0-9a-f]{1,4}):([0-9a-f]{1,8})$/i;
/** A difference of two addresses is hardly meant. */
const rangeForm = /^((?:\$|0x)[0-9a-f]{3,})\s*(?:-|\.\.+)\s*((?:\$|0x)?[0-9a-f]{3,})$/i;
const withOffset = /^(.+?)\s*([+-])\s*(\$[0-9a-f]+|0x[0-9a-f]+|[0-9]+)$/i;

/** Symbols of a kernel are too many to compare a misspelt one with. */
const mostCompared = 10_000;

/** An address as people write them: `$C000`, `0xC000`, `C000h`, `1000:0234`, decimal, a symbol, any of these and an offset. */
export function parseAddress(text: string, addresses: AddressCapability): bigint {
  const trimmed = text.trim();
  refuseTwoReadings(text, trimmed, addresses);
  refuseRange(trimmed, addresses);
  const found =
    parsePlain(trimmed) ??
    addresses.symbols.address(trimmed) ??
    parseSegmented(trimmed, addresses) ??
    addresses.resolve?.(trimmed);
  if (found !== undefined) return found;
  const sum = withOffset.exec(trimmed);
  const base = sum?.[1] === undefined ? undefined : baseOf(sum[1].trim(), addresses);
  if (sum && base !== undefined) {
    const moved = base + (sum[2] === '-' ? -1n : 1n) * (parsePlain(sum[3] ?? '') ?? 0n);
    if (moved >= 0n) return moved;
  }
  const { symbols, segmented } = addresses;
  const known = symbols.size <= mostCompared ? symbols.all.map(([name]) => name) : [];
  const forms = `${addresses.format(0x1000n)}, 0x1000, 1000h, 4096${segmented ? ', 0100:0000, ds:si+8' : ''}`;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text.slice(0, 60))} is neither an address nor a known symbol.${suggestion(trimmed, known)}`,
    [
      advice`Write ${forms} or a symbol (${symbols.size} known).`,
      ...(segmented ? [] : [advice`${call('symbols_load')} loads those of a program.`]),
    ],
  );
}

function baseOf(text: string, addresses: AddressCapability): bigint | undefined {
  refuseTwoReadings(text, text, addresses);
  return addresses.symbols.address(text) ?? addresses.resolve?.(text) ?? parsePlain(text);
}

/** "0400" is 400 to one reader and $0400 to another. */
function refuseTwoReadings(text: string, trimmed: string, addresses: AddressCapability): void {
  if (!/^0[0-9]+$/.test(trimmed) || addresses.symbols.address(trimmed) !== undefined) return;
  const [decimal, hex] = [BigInt(trimmed), BigInt(`0x${trimmed}`)];
  if (decimal === hex) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text.slice(0, 60))} can be read in two ways: decimal ${decimal} or hexadecimal ${hex}.`,
    `Write "${decimal}" or "0x${trimmed}".`,
  );
}

function refuseRange(text: string, { symbols, resolve }: AddressCapability): void {
  const [, from, to] = rangeForm.exec(text) ?? [];
  if (from === undefined || to === undefined) return;
  if (symbols.address(text) !== undefined || resolve?.(text) !== undefined) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text.slice(0, 60))} is a range, and this takes one address.`,
    `Give ${from} and a length, where the tool has one.`,
  );
}

function parsePlain(text: string): bigint | undefined {
  const match = plain.exec(text);
  if (!match) return undefined;
  const hex = match[1] ?? match[2] ?? match[3];
  return BigInt(hex === undefined ? (match[4] ?? 0) : `0x${hex}`);
}

function parseSegmented(text: string, addresses: AddressCapability): bigint | undefined {
  const match = segmentedForm.exec(text);
  if (!match || !addresses.segmented) return undefined;
  return addresses.segmented(BigInt(`0x${match[1]}`), BigInt(`0x${match[2]}`));
}
