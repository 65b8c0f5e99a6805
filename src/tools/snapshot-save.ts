import { z } from 'zod';
import { defineTool } from './tool.ts';

export const snapshotSave = defineTool({
  name: 'snapshot_save',
  title: 'Save a snapshot',
  description: 'Keep the whole state of a machine under a name; the same name replaces it.',
  toolset: 'core',
  needs: ['snapshots'],
  effect: 'change',
  idempotent: true,
  input: z.object({ name: z.string().regex(/^[\w.-]{1,48}$/, 'letters, digits, _ . - only') }),
  async run({ snapshots }, { name }) {
    const saved = await snapshots.save(name);
    return { text: `snapshot ${saved.name}: ${saved.bytes} bytes, ${saved.time}`, data: { ...saved } };
  },
});
