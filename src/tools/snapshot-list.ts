import { z } from 'zod';
import { defineTool } from './tool.ts';

export const snapshotList = defineTool({
  name: 'snapshot_list',
  title: 'List snapshots',
  description: 'The snapshots of a machine.',
  toolset: 'snapshots',
  needs: ['snapshots'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ snapshots }) {
    const all = await snapshots.list();
    const lines = all.map(({ name, bytes, time }) => `${name}: ${bytes} bytes, ${time}`);
    return { text: lines.join('\n') || 'No snapshots.', data: { snapshots: all } };
  },
});
