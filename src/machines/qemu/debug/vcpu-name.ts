import { cpuIndexOf } from './target.ts';

/** `vcpu1` for the thread of the second processor. */
export function vcpuName(thread: string): string {
  return `vcpu${cpuIndexOf(thread)}`;
}
