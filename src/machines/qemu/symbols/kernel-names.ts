import { basename } from 'node:path';
import { ElfFile } from '../../../formats/elf/elf.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { HostFiles } from '../../../machine/files.ts';
import type { SymbolsCapability } from '../../../machine/symbols.ts';

/** A Linux with its debug information is larger, and who starts it does not always want to wait for that. */
const mostBytes = 64 * 1024 * 1024;

/** Loads what a kernel names, if it is an ELF file: who boots one writes its names at once. Answers what to tell. */
export async function loadKernelNames(
  path: string | undefined,
  files: HostFiles,
  symbols: SymbolsCapability,
): Promise<string[]> {
  if (path === undefined) return [];
  const name = basename(path);
  const file = await files.open(path, 'read');
  try {
    if (!ElfFile.isElf(await file.read(0, 4))) return [];
    if (file.size > mostBytes) return [`Names of ${name}: not read, it is large; load them when they are needed`];
    const { added, notes } = await symbols.load({ name: path, bytes: await file.read(0, file.size) }, 0n);
    return [`Names of ${name}: ${[`${added} ${added === 1 ? 'symbol' : 'symbols'}`, ...notes].join('; ')}`];
  } catch (error) {
    // It boots all the same: QEMU reads less of it.
    if (error instanceof MachineError) return [`Names of ${name}: none. ${error.message}`];
    throw error;
  } finally {
    file.close();
  }
}
