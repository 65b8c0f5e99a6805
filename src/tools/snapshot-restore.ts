import { z } from 'zod';
import { defineTool } from './tool.ts';

export const snapshotRestore = defineTool({
  name: 'snapshot_restore',
  title: 'Restore a snapshot',
  description: 'Put a machine back to a snapshot, or start a new one from it ("into":"name").',
  toolset: 'core',
  needs: ['snapshots'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    name: z.string(),
    into: z.string().optional(),
  }),
  async run(machine, { name, into }, { rack, handle }) {
    if (into === undefined) {
      const restored = await machine.snapshots.restore(name);
      return { text: `back at ${restored.name}, ${restored.time}`, data: { ...restored } };
    }
    const { options, enter } = await machine.snapshots.fork(name);
    const { startOptions } = rack.get(handle);
    const fork = await rack.start(machine.kind, { ...startOptions, ...options }, into);
    await enter?.(fork.machine);
    return { text: `${fork.stateLine}\nforked from ${handle} at ${name}`, data: { fork: fork.handle, name } };
  },
});
