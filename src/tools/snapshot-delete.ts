import { z } from 'zod';
import { defineTool } from './tool.ts';

export const snapshotDelete = defineTool({
  name: 'snapshot_delete',
  title: 'Delete a snapshot',
  description: 'Delete a snapshot of a machine.',
  toolset: 'snapshots',
  needs: ['snapshots'],
  effect: 'destroy',
  idempotent: true,
  input: z.object({ name: z.string() }),
  async run({ snapshots }, { name }) {
    await snapshots.delete(name);
    const left = (await snapshots.list()).map((each) => each.name);
    return { text: `${name} deleted; ${left.length > 0 ? `left: ${left.join(', ')}` : 'none left'}`, data: { left } };
  },
});
