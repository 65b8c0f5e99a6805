import type { LinuxTask } from '../../../machine/linux.ts';
import type { Structures } from './structures.ts';

const maxTasks = 10_000;
const maxThreads = 10_000;
const kernelThread = 0x00200000n;
/** Uninterruptible, but not counted as load. */
const idle = 0x402n;
/** In the order of the bits of a state, with running as none. */
const letters = 'RSDTtXZPI';

/** All processes, the idle task first. */
export async function readTasks(s: Structures, initTask: bigint): Promise<LinuxTask[]> {
  const tasks = [await taskAt(s, initTask)];
  const head = initTask + s.offset('task_struct', 'tasks');
  for await (const address of s.list(head, 'task_struct', 'tasks', maxTasks)) tasks.push(await taskAt(s, address));
  return tasks;
}

export async function taskAt(s: Structures, address: bigint): Promise<LinuxTask> {
  const state = BigInt.asUintN(32, await s.number(address, 4, 'task_struct', '__state', 'state'));
  const exit = await s.number(address, 4, 'task_struct', 'exit_state');
  const parent = await s.pointer(address, 'task_struct', 'real_parent');
  const isOn =
    s.find('task_struct', 'on_cpu') !== undefined && (await s.number(address, 4, 'task_struct', 'on_cpu')) !== 0n;
  return {
    pid: Number(await s.number(address, 4, 'task_struct', 'pid')),
    parent: parent === 0n ? 0 : Number(await s.number(parent, 4, 'task_struct', 'tgid')),
    name: await s.text(address, 16, 'task_struct', 'comm'),
    state: letterOf(state, exit),
    isKernel: ((await s.number(address, 4, 'task_struct', 'flags')) & kernelThread) !== 0n,
    threads: await threadsOf(s, address),
    cpu: isOn ? Number(await s.number(address, 4, 'task_struct', 'thread_info.cpu', 'cpu')) : undefined,
    address,
  };
}

function letterOf(state: bigint, exit: bigint): string {
  if (state === idle) return 'I';
  const bits = Number((state | exit) & 0x7fn);
  return letters.charAt(bits === 0 ? 0 : 32 - Math.clz32(bits));
}

async function threadsOf(s: Structures, task: bigint): Promise<number> {
  const signal = await s.pointer(task, 'task_struct', 'signal');
  if (signal === 0n) return 1;
  return Math.min(maxThreads, Number(await s.number(signal, 4, 'signal_struct', 'nr_threads')) || 1);
}
