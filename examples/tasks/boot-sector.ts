import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';

/** What every boot sector begins with, and a routine `say` that prints the text at SI on the first serial port. */
const frame = (body: string) => `org 7c00h
  cli
  xor ax,ax
  mov ds,ax
  mov es,ax
  mov ss,ax
  mov sp,7c00h
  sti
${body}
say: lodsb
  test al,al
  jz said
  mov dx,3f8h
  out dx,al
  jmp say
said: ret
`;

/** Writes a bootable disk of one sector and returns its path. */
export async function bootSector(folder: string, name: string, body: string): Promise<string> {
  const { bytes, errors } = assemble(frame(body));
  if (errors[0]) throw new Error(`line ${errors[0].line}: ${errors[0].message}`);
  const sector = new Uint8Array(512 * 2880);
  sector.set(bytes);
  sector.set([0x55, 0xaa], 510);
  const path = join(folder, `${name}.img`);
  await writeFile(path, sector);
  return path;
}
