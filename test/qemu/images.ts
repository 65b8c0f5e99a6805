import { writeFileSync } from 'node:fs';

interface Wish {
  readonly sizeBytes?: number;
  /** The name of the image below, whatever stands there. */
  readonly backing?: string;
  /** What it is said to be; left out, that is left to be guessed. */
  readonly format?: string;
  /** Where the guest's bytes are said to lie. */
  readonly dataFile?: string;
}

const clusterBytes = 65_536;

/** A small qcow2 file that says of itself what it is told to, right or wrong. */
export function forgeQcow2(path: string, { sizeBytes = 1_048_576, backing = '', format, dataFile }: Wish): string {
  const file = Buffer.alloc(4 * clusterBytes);
  file.writeUInt32BE(0x514649fb, 0);
  file.writeUInt32BE(3, 4);
  file.writeUInt32BE(16, 20);
  file.writeBigUInt64BE(BigInt(sizeBytes), 24);
  file.writeUInt32BE(1, 36);
  file.writeBigUInt64BE(BigInt(3 * clusterBytes), 40);
  file.writeBigUInt64BE(BigInt(clusterBytes), 48);
  file.writeUInt32BE(1, 56);
  file.writeBigUInt64BE(dataFile === undefined ? 0n : 4n, 72);
  file.writeUInt32BE(4, 96);
  file.writeUInt32BE(104, 100);
  let at = 104;
  const extend = (type: number, text: string) => {
    file.writeUInt32BE(type, at);
    file.writeUInt32BE(Buffer.byteLength(text), at + 4);
    file.write(text, at + 8);
    at += 8 + Math.ceil(Buffer.byteLength(text) / 8) * 8;
  };
  if (format !== undefined) extend(0xe2792aca, format);
  if (dataFile !== undefined) extend(0x44415441, dataFile);
  at += 8;
  if (backing !== '') {
    file.writeBigUInt64BE(BigInt(at), 8);
    file.writeUInt32BE(Buffer.byteLength(backing), 16);
    file.write(backing, at);
  }
  file.writeBigUInt64BE(BigInt(2 * clusterBytes), clusterBytes);
  for (let cluster = 0; cluster < 4; cluster++) file.writeUInt16BE(1, 2 * clusterBytes + 2 * cluster);
  writeFileSync(path, file);
  return path;
}
