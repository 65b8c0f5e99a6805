import { open } from 'node:fs/promises';

/** How far QEMU and other loaders look for the header. */
const reach = 8192;
/** A header that lies beyond is worth telling. */
const looked = 1024 * 1024;
const [first, second] = [0x1badb002, 0xe85250d6];

/** Why QEMU takes an ELF file for no kernel of a PC, and what to do about it. `kernel` is the file as QEMU was given it. */
export async function multibootAdvice(kernel: string): Promise<string> {
  const bytes = await start(kernel);
  const at = placeOf(bytes, first, 3);
  if (at !== undefined) {
    return `The multiboot header of this file begins at byte ${at}: it must be aligned to 4 bytes and lie within the first ${reach}. Make its section the first one, with ALIGN(4), in the linker script.`;
  }
  if (placeOf(bytes, second, 4) !== undefined) {
    return 'This is a multiboot 2 kernel, and QEMU itself loads only multiboot 1: add such a header, or put the kernel on an image with GRUB and give that as "drives".';
  }
  return `A PC's kernel in an ELF file needs a multiboot 1 header (magic, flags, and a checksum that makes their sum 0) within its first ${reach} bytes, or a PVH note as Linux's vmlinux has it.`;
}

async function start(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(looked), 0, looked, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Where a header begins: the magic number, which stands in tables of symbols as well, with words that add up to 0. */
function placeOf(bytes: Buffer, magic: number, words: number): number | undefined {
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32LE(magic);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (at + 4 * words > bytes.length) return undefined;
    let sum = 0;
    for (let word = 0; word < words; word++) sum += bytes.readUInt32LE(at + 4 * word);
    if (sum % 2 ** 32 === 0) return at;
  }
  return undefined;
}
