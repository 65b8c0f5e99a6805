import { lowerHex } from '../../../formats/hex.ts';
import type { AddressCapability, SourceLine } from '../../../machine/addresses.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { evaluate } from './evaluate.ts';
import type { Rest } from './rest.ts';
import type { Target } from './target.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** How addresses of a guest are written, and what names and expressions mean. */
export function guestAddresses(
  rest: Rest,
  target: Target,
  names: QemuSymbols,
  vocabulary: TargetVocabulary,
): AddressCapability {
  const digits = (target.names.pc?.bits ?? 64) / 4;
  return {
    format: (address) => `0x${lowerHex(address, address > 0xffffffffn ? digits : 8)}`,
    resolve: (text) => names.lineAddress(text),
    evaluate: (text) => rest.atRest(() => evaluate(text, vocabulary, target.names)),
    symbols: names,
    source: (address) => sourceLine(names.lineOf(address)),
    lineMeant: (text) => names.lineMeant(text),
    codeLines: (file) => names.codeLines(file),
  };
}

/** `0x00100010 main+4` */
export function described({ format, symbols }: AddressCapability, address: bigint): string {
  const name = symbols.describe(address);
  return name ? `${format(address)} ${name}` : format(address);
}

/** `guest.c:41` */
function sourceLine(text: string | undefined): SourceLine | undefined {
  const colon = text?.lastIndexOf(':') ?? -1;
  return text === undefined || colon < 0
    ? undefined
    : { file: text.slice(0, colon), line: Number(text.slice(colon + 1)) };
}
