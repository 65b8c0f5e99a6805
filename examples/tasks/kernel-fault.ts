import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildKernelIn, kernelFolder, kernelSources } from '../kernel/build-kernel.ts';
import { type Task, wants } from './task.ts';

interface KernelFault {
  /** As the command line of the kernel names it. */
  readonly fault: string;
  /** What a person sees of it. */
  readonly seen: string;
  /** It ends in its own handler, resets itself, or never ends. */
  readonly end: 'panics' | 'resets' | 'hangs';
  /** What is looked at after the explanation. */
  readonly looks: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  /** What an answer has to say. */
  readonly expected: RegExp;
}

const machine = 'kernel';
const ends = { panics: { until: 'stop' }, hangs: { timeout_ms: 1500 }, resets: { timeout_ms: 20_000 } } as const;
/** On a busy computer a kernel takes its time to begin. */
const bootMs = 50_000;

/** One of the faults of our kernel, found by what explains crashes and one or two looks at its data. */
export function kernelFault({ fault, seen, end, looks, expected }: KernelFault): Task {
  return {
    prompt:
      `Boot kernel.elf under QEMU with the command line "${fault}". ${seen} ` +
      'Its symbols are in the file, its source is beside it. Name the place in the source, and the value that is wrong.',
    mostCalls: 6,
    async prepare(folder) {
      for (const file of kernelSources) copyFileSync(join(kernelFolder, file), join(folder, file));
      buildKernelIn(folder, join(folder, 'kernel.elf'));
    },
    async solve({ call, folder }) {
      const kernel = join(folder, 'kernel.elf');
      const options = { memory: 32, gpu: 'none', kernel, append: fault, on_reset: 'pause', paused: end !== 'hangs' };
      await call('machine_start', { kind: 'qemu', name: machine, options });
      await call('symbols_load', { machine, path: kernel });
      if (end === 'hangs') await call('console_read', { machine, expect: `READY ${fault}`, timeout_ms: bootMs });
      await call('run', { machine, ...ends[end] });
      const found = [await call('crash_explain', { machine })];
      for (const [tool, args] of looks) found.push(await call(tool, { machine, ...args }));
      return found.join('\n');
    },
    check: ({ answer }) => wants(answer, expected),
  };
}
