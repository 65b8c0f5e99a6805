import { bigLong, bigWord, latin, MediaError, word } from '../../../formats/commodore/media/byte-fields.ts';
import { ramBlocks, spanOf } from './memory-expansion.ts';

export interface CartridgeRom {
  readonly address: number;
  readonly bytes: Uint8Array;
}

const signature = 'VIC20 CARTRIDGE ';
/** Where a program starts that the KERNAL is to run instead of BASIC: A0CBM four bytes after this. */
export const autostartAddress = 0xa000;

export const isVic20Crt = (file: Uint8Array): boolean => latin(file, 0, signature.length) === signature;

/**
 * The ROMs of a cartridge image: a CRT file with its chips, a file with a load address as BASIC saves it, or bare bytes, which
 * belong at $A000 (more than 8 KiB of them: the first 8 KiB do, and the rest at $6000, $2000 and $4000, which is how they were sold).
 */
export function readVic20Cartridge(file: Uint8Array): readonly CartridgeRom[] {
  const roms = isVic20Crt(file) ? chipsOf(file) : bareRoms(file);
  for (const { address, bytes } of roms) {
    const fits = ramBlocks.some(
      (block) => address >= spanOf[block].start && address + bytes.length <= spanOf[block].end,
    );
    if (!fits || (address & 255) !== 0 || bytes.length === 0) {
      throw new MediaError(
        `a cartridge of ${bytes.length} bytes at $${address.toString(16)}: ROMs lie in $2000-$7FFF or $A000-$BFFF, at most 8 KiB each`,
      );
    }
  }
  return roms;
}

function chipsOf(file: Uint8Array): CartridgeRom[] {
  const hardware = bigWord(file, 22);
  if (hardware !== 0)
    throw new MediaError(`a VIC-20 cartridge of type ${hardware}: only plain ROMs (type 0) are supported`);
  const roms: CartridgeRom[] = [];
  for (let at = Math.max(0x40, bigLong(file, 16)); latin(file, at, 4) === 'CHIP'; ) {
    const size = bigWord(file, at + 14);
    const bytes = file.subarray(at + 16, at + 16 + size);
    if (bytes.length < size || size === 0) throw new MediaError(`chip ${roms.length} of the cartridge is cut short`);
    roms.push({ address: bigWord(file, at + 12), bytes });
    at += Math.max(16 + size, bigLong(file, at + 4));
  }
  if (roms.length === 0) throw new MediaError('the cartridge image has no chips');
  return roms;
}

function bareRoms(file: Uint8Array): CartridgeRom[] {
  const blocks = ramBlocks.map((block) => spanOf[block].start);
  const hasAddress = (file.length & 0xff) === 2 || (file.length > 2 && blocks.includes(word(file, 0)));
  const body = hasAddress ? file.subarray(2) : file;
  const places = hasAddress ? [word(file, 0)] : [autostartAddress, 0x6000, 0x2000, 0x4000];
  if (body.length === 0 || body.length > (hasAddress ? 0x4000 : 0x8000)) {
    throw new MediaError(`${file.length} bytes are not a VIC-20 cartridge: expected a CRT file or 2 to 32 KiB of ROM`);
  }
  const roms: CartridgeRom[] = [];
  for (let at = 0; at < body.length; at += 0x2000) {
    const place = hasAddress ? (places[0] ?? 0) + at : (places[at >> 13] ?? 0);
    roms.push({ address: place, bytes: body.subarray(at, at + 0x2000) });
  }
  return roms;
}
