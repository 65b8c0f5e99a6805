import { buildKernel } from '../kernel/build-kernel.ts';
import type { Call, Task } from './task.ts';

interface KernelFault {
  readonly fault: string;
  readonly question: string;
  /** It ends in its own handler, resets itself, or never ends. */
  readonly end: 'panics' | 'resets' | 'hangs';
  /** What is looked at after the explanation. */
  readonly looks: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  readonly expected: RegExp;
}

const machine = 'kernel';

/** One of the faults of our kernel, found by what explains crashes and one or two looks at its data. */
export function kernelTask({ fault, question, end, looks, expected }: KernelFault): Task {
  return {
    name: `kernel-${fault}`,
    question,
    mostCalls: 6,
    expected,
    prepare: async () => ({ kernel: buildKernel() }),
    script: async (call: Call, { kernel = '' }) => {
      const options = { memory: 32, gpu: 'none', kernel, append: fault, on_reset: 'pause', paused: true };
      await call('machine_start', { kind: 'qemu', name: machine, options });
      await call('symbols_load', { machine, path: kernel });
      const until =
        end === 'panics' ? { until: 'stop' } : end === 'hangs' ? { timeout_ms: 3000 } : { timeout_ms: 20_000 };
      await call('run', { machine, ...until });
      const found = [await call('crash_explain', { machine })];
      for (const [tool, args] of looks) found.push(await call(tool, { machine, ...args }));
      return found.join('\n');
    },
  };
}
