import type { X86 } from '../../../chips/x86/x86.ts';

/** Writes memory as a debugger does: also where programs cannot, and the graph hears of changed code. */
export function pokeMemory(cpu: X86, address: number, bytes: Uint8Array): void {
  const { memory } = cpu;
  for (const [index, byte] of bytes.entries()) {
    const at = memory.physical(address + index);
    if (isVideo(at)) memory.write8(at, byte);
    else memory.ram[at] = byte;
  }
  cpu.memoryReplaced(address, address + bytes.length - 1);
}

/** Video memory is not plain bytes: what is written there goes the way a program's writes go. */
function isVideo(address: number): boolean {
  return address >= 0xa0000 && address < 0xc0000;
}
