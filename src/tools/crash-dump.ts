import { z } from 'zod';
import { defineTool } from './tool.ts';

export const crashDump = defineTool({
  name: 'crash_dump',
  title: 'Write a core file',
  description:
    'Write the memory and registers of a guest to a new ELF core file, for gdb, crash, drgn or Volatility; the guest is stopped meanwhile. ' +
    'Open it again with machine_start kind qemu, option "core"; to resume the machine later, use snapshot_save instead.',
  toolset: 'system',
  needs: ['crash'],
  effect: 'change',
  input: z.object({ path: z.string().describe('New file below an allowed path') }),
  async run({ crash }, { path }) {
    const core = await crash.dump(path);
    const text = `ELF core file ${core.path}, ${core.bytes} bytes of memory, by physical addresses`;
    return { text, data: { ...core } };
  },
});
