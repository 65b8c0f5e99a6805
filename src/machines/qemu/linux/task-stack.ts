import type { LinuxCall } from '../../../machine/linux.ts';
import type { KernelPlaces } from './places.ts';
import type { Structures } from './structures.ts';

const stackBytes = 16 * 1024;
const maxCalls = 40;

/** The calls that a task which does not run is in, the innermost first. */
export async function taskCalls(
  s: Structures,
  places: KernelPlaces,
  task: bigint,
): Promise<{ calls: LinuxCall[]; isGuess: boolean }> {
  if (s.find('task_struct', 'thread.cpu_context.fp') !== undefined) {
    return { calls: await framesOf(s, places, task), isGuess: false };
  }
  return { calls: await scanOf(s, places, task), isGuess: true };
}

/** AArch64 keeps frame pointers. */
async function framesOf(s: Structures, places: KernelPlaces, task: bigint): Promise<LinuxCall[]> {
  const calls: LinuxCall[] = [];
  const stack = await s.pointer(task, 'task_struct', 'stack');
  let frame = await s.pointer(task, 'task_struct', 'thread.cpu_context.fp');
  const pc = await s.pointer(task, 'task_struct', 'thread.cpu_context.pc');
  for (let at = withoutSignature(pc); calls.length < maxCalls; ) {
    const call = places.describe(at, calls.length > 0);
    if (!call) break;
    calls.push(call);
    if (frame < stack || frame >= stack + BigInt(stackBytes)) break;
    const [next, back] = [await s.memory.number(frame, 8), await s.memory.number(frame + 8n, 8)];
    if (next === undefined || back === undefined || next <= frame) break;
    at = withoutSignature(back);
    frame = next;
  }
  return calls;
}

/** Bits above those of an address of the kernel may sign it. */
function withoutSignature(address: bigint): bigint {
  return (address & (1n << 55n)) === 0n ? address : address | 0xffff000000000000n;
}

/** Elsewhere what is on the stack and follows a call may be where that call returns to. */
async function scanOf(s: Structures, places: KernelPlaces, task: bigint): Promise<LinuxCall[]> {
  const stack = await s.pointer(task, 'task_struct', 'stack');
  const sp = await s.pointer(task, 'task_struct', 'thread.sp');
  const end = stack + BigInt(stackBytes);
  if (sp < stack || sp >= end) return [];
  const bytes = await s.memory.read(sp, Number(end - sp));
  if (!bytes) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const calls: LinuxCall[] = [];
  for (let at = 0; at + 8 <= bytes.length && calls.length < maxCalls; at += 8) {
    const value = view.getBigUint64(at, true);
    if (value < 0xffffffff80000000n) continue;
    const call = places.describe(value, true);
    if (call && (await followsCall(s, value))) calls.push(call);
  }
  return calls;
}

/** E8 with four bytes, or FF with its second byte's middle bits 010, two to seven bytes before. */
async function followsCall({ memory }: Structures, address: bigint): Promise<boolean> {
  const before = await memory.read(address - 7n, 7);
  if (!before) return false;
  if (before[2] === 0xe8) return true;
  return [2, 3, 4, 6, 7].some((length) => before[7 - length] === 0xff && ((before[8 - length] ?? 0) & 0x38) === 0x10);
}
