import { open } from 'node:fs/promises';

export interface ForeignFormat {
  readonly name: string;
  /** For `qemu-img convert -f`. */
  readonly option: string;
}

interface Signature {
  readonly format: ForeignFormat;
  readonly at: number;
  readonly bytes: Buffer;
}

const headBytes = 512;
/** A VHD has its mark at the end, those that grow also at the beginning. */
const vhdMark = Buffer.from('conectix');

const vmdk = { name: 'VMDK', option: 'vmdk' };
const vhd = { name: 'VHD', option: 'vpc' };
const parallels = { name: 'Parallels', option: 'parallels' };

const signatures: readonly Signature[] = [
  { format: vmdk, at: 0, bytes: Buffer.from('KDMV') },
  { format: vmdk, at: 0, bytes: Buffer.from('COWD') },
  { format: vmdk, at: 0, bytes: Buffer.from('# Disk DescriptorFile') },
  { format: { name: 'VDI', option: 'vdi' }, at: 64, bytes: Buffer.from([0x7f, 0x10, 0xda, 0xbe]) },
  { format: { name: 'VHDX', option: 'vhdx' }, at: 0, bytes: Buffer.from('vhdxfile') },
  { format: vhd, at: 0, bytes: vhdMark },
  { format: { name: 'QED', option: 'qed' }, at: 0, bytes: Buffer.from('QED\0') },
  { format: parallels, at: 0, bytes: Buffer.from('WithoutFreeSpace') },
  { format: parallels, at: 0, bytes: Buffer.from('WithouFreSpacExt') },
];

/** The format of an image that a guest would see as nonsense if it were taken for its raw bytes. */
export async function foreignFormat(path: string, sizeBytes: number): Promise<ForeignFormat | undefined> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    await file.read(head, 0, headBytes, 0);
    const found = signatures.find(({ at, bytes }) => head.subarray(at, at + bytes.length).equals(bytes));
    if (found) return found.format;
    const tail = Buffer.alloc(vhdMark.length);
    if (sizeBytes > headBytes) await file.read(tail, 0, tail.length, sizeBytes - headBytes);
    return tail.equals(vhdMark) ? vhd : undefined;
  } finally {
    await file.close();
  }
}
