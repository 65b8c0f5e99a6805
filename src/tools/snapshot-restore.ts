import { z } from 'zod';
import { defineTool } from './tool.ts';

export const snapshotRestore = defineTool({
  name: 'snapshot_restore',
  title: 'Restore a snapshot',
  description: 'Put a machine back to a snapshot, or start a new one from it ("into":"name").',
  toolset: 'snapshots',
  needs: ['snapshots'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    name: z.string(),
    into: z.string().optional(),
  }),
  async run(machine, { name, into }, { rack, handle, signal }) {
    if (into === undefined) {
      const restored = await machine.snapshots.restore(name);
      const past = machine.control?.canRewind ? '; steps back begin here, the past before it is gone' : '';
      return { text: `back at ${restored.name}, ${restored.time}${past}`, data: { ...restored } };
    }
    const { options, image } = await machine.snapshots.fork(name);
    const { startOptions } = rack.get(handle);
    const fork = await rack.start(machine.kind, { ...startOptions, ...options }, into);
    try {
      if (image) await fork.machine.snapshots?.unpack?.(image, 'here', signal);
    } catch (error) {
      await rack.stop(fork.handle, 'its snapshot could not be used');
      throw error;
    }
    return { text: `${fork.stateLine}\nforked from ${handle} at ${name}`, data: { fork: fork.handle, name } };
  },
});
