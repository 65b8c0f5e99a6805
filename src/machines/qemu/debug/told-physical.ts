import type { Target } from './target.ts';

/** Zero is written without its prefix. */
const physicalForm = /gpa:\s*(?:0x)?([0-9a-f]+)/i;

/** Where QEMU itself says that a virtual address leads, for the processor in question. */
export async function toldPhysical(
  target: Target,
  address: bigint,
): Promise<{ readonly said: string; readonly physical: bigint | undefined }> {
  const said = await target.qmp.hmp(`gva2gpa 0x${address.toString(16)}`, { cpuIndex: target.cpuIndex });
  const digits = physicalForm.exec(said)?.[1];
  return { said, physical: digits === undefined ? undefined : BigInt(`0x${digits}`) };
}
