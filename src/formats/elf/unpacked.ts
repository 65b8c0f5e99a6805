import { promisify } from 'node:util';
import zlib from 'node:zlib';

const [zlibType, zstdType] = [1, 2];
const maxBytes = 512 * 1024 * 1024;

type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

/** Not in every Node that this runs on. */
const zstd: unknown = Reflect.get(zlib, 'zstdDecompress');

/** The bytes of a packed section of an ELF file. Rejects with a RangeError that names what cannot be unpacked here. */
export async function unpacked(packed: Uint8Array, type: number, section: string): Promise<Uint8Array> {
  if (type !== zlibType && type !== zstdType) {
    throw new RangeError(`section ${section} is packed in a way that is not known (${type})`);
  }
  const unpack: Unpack | undefined = type === zlibType ? promisify(zlib.inflate) : zstdUnpack();
  if (unpack) return unpack(packed, { maxOutputLength: maxBytes });
  throw new RangeError(
    `section ${section} is packed with zstd, which Node ${process.version} cannot read: use Node 22.15 or newer, ` +
      'or unpack a copy with objcopy --decompress-debug-sections',
  );
}

function zstdUnpack(): Unpack | undefined {
  if (typeof zstd !== 'function') return undefined;
  return (packed, options) =>
    new Promise((resolve, reject) => {
      zstd(packed, options, (error: Error | null, bytes: Uint8Array) => (error ? reject(error) : resolve(bytes)));
    });
}
