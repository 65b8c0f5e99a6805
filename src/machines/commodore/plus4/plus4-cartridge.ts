import { bigLong, bigWord, latin, MediaError } from '../../../formats/commodore/media/byte-fields.ts';
import type { CartridgeImages } from './memory-map.ts';

const signature = 'PLUS/4 CARTRIDGE';
const bankBytes = 0x4000;

export const isPlus4Crt = (file: Uint8Array): boolean => latin(file, 0, signature.length).startsWith('PLUS');

/**
 * The images of a cartridge: a CRT file with chips at $8000 and $C000 (bank 0 is cartridge 1, bank 1 cartridge 2), or bare bytes: the
 * first 16 KiB belong at $8000, what follows at $C000, and 16 KiB more each to the second cartridge.
 */
export function readPlus4Cartridge(file: Uint8Array): CartridgeImages {
  return isPlus4Crt(file) ? chipsOf(file) : bareImages(file);
}

function chipsOf(file: Uint8Array): CartridgeImages {
  const hardware = bigWord(file, 22);
  if (hardware !== 0)
    throw new MediaError(`a Plus/4 cartridge of type ${hardware}: only plain ROMs (type 0) are supported`);
  const images = { low: [undefined, undefined], high: [undefined, undefined] } as {
    low: [Uint8Array | undefined, Uint8Array | undefined];
    high: [Uint8Array | undefined, Uint8Array | undefined];
  };
  let count = 0;
  for (let at = Math.max(0x40, bigLong(file, 16)); latin(file, at, 4) === 'CHIP'; count += 1) {
    const size = bigWord(file, at + 14);
    const bytes = file.subarray(at + 16, at + 16 + size);
    if (bytes.length < size || size === 0) throw new MediaError(`chip ${count} of the cartridge is cut short`);
    const [bank, address] = [bigWord(file, at + 10), bigWord(file, at + 12)];
    const isKnown = (bank === 0 || bank === 1) && (address === 0x8000 || address === 0xc000) && size <= bankBytes;
    if (!isKnown) throw new MediaError(`a chip of ${size} bytes at $${address.toString(16)} in bank ${bank}`);
    images[address === 0x8000 ? 'low' : 'high'][bank === 0 ? 0 : 1] = bytes;
    at += Math.max(16 + size, bigLong(file, at + 4));
  }
  if (count === 0) throw new MediaError('the cartridge image has no chips');
  return images;
}

function bareImages(file: Uint8Array): CartridgeImages {
  // A load address may stand before them.
  const body = (file.length & 0xff) === 2 ? file.subarray(2) : file;
  const isWhole =
    body.length >= 0x1000 &&
    body.length <= 4 * bankBytes &&
    (body.length & (body.length < bankBytes ? body.length - 1 : bankBytes - 1)) === 0;
  if (!isWhole) {
    throw new MediaError(
      `${file.length} bytes are not a Plus/4 cartridge: expected a CRT file or 4, 8, 16, 32, 48 or 64 KiB of ROM`,
    );
  }
  const image = (number: number) => {
    const bytes = body.subarray(number * bankBytes, (number + 1) * bankBytes);
    return bytes.length === 0 ? undefined : bytes;
  };
  return { low: [image(0), image(2)], high: [image(1), image(3)] };
}
