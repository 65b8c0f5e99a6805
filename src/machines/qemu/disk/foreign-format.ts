import { open } from 'node:fs/promises';

interface Signature {
  readonly format: string;
  readonly at: number;
  readonly bytes: Buffer;
}

const headBytes = 512;
/** A VHD has its mark at the end, those that grow also at the beginning. */
const vhdMark = Buffer.from('conectix');

const signatures: readonly Signature[] = [
  { format: 'VMDK', at: 0, bytes: Buffer.from('KDMV') },
  { format: 'VMDK', at: 0, bytes: Buffer.from('COWD') },
  { format: 'VMDK', at: 0, bytes: Buffer.from('# Disk DescriptorFile') },
  { format: 'VDI', at: 64, bytes: Buffer.from([0x7f, 0x10, 0xda, 0xbe]) },
  { format: 'VHDX', at: 0, bytes: Buffer.from('vhdxfile') },
  { format: 'VHD', at: 0, bytes: vhdMark },
  { format: 'QED', at: 0, bytes: Buffer.from('QED\0') },
  { format: 'Parallels', at: 0, bytes: Buffer.from('WithoutFreeSpace') },
  { format: 'Parallels', at: 0, bytes: Buffer.from('WithouFreSpacExt') },
];

/** The format of an image that a guest would see as nonsense if it were taken for its raw bytes. */
export async function foreignFormat(path: string, sizeBytes: number): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    await file.read(head, 0, headBytes, 0);
    const found = signatures.find(({ at, bytes }) => head.subarray(at, at + bytes.length).equals(bytes));
    if (found) return found.format;
    const tail = Buffer.alloc(vhdMark.length);
    if (sizeBytes > headBytes) await file.read(tail, 0, tail.length, sizeBytes - headBytes);
    return tail.equals(vhdMark) ? 'VHD' : undefined;
  } finally {
    await file.close();
  }
}
