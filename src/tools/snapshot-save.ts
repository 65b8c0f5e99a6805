import { z } from 'zod';
import { SnapshotFileError, writeSnapshotFile } from '../formats/snapshot/snapshot-file.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import { defineTool } from './tool.ts';

export const snapshotSave = defineTool({
  name: 'snapshot_save',
  title: 'Save a snapshot',
  description: 'Save the state of a machine under a name; "at": the state at that time.',
  toolset: 'snapshots',
  needs: ['snapshots'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    name: z.string().regex(/^[\w.-]{1,48}$/, 'letters, digits, _ . - only'),
    path: z.string().optional().describe('Also to a new file'),
    at: z.number().int().min(0).optional(),
  }),
  async run({ snapshots, kind }, { name, path, at }, { rack, signal }) {
    if (path !== undefined && !snapshots.pack) {
      throw new MachineError('MISSING_CAPABILITY', `Snapshots of a ${kind} machine cannot be written to one file.`, [
        advice`Leave path out.`,
        advice`A QEMU machine started with snapshot_dir keeps them in that folder.`,
        advice`Fork it with ${call('snapshot_restore', { name, into: 'copy' })}.`,
      ]);
    }
    if (path !== undefined) await rack.files.requireNew(path);
    const saved = await (at === undefined ? snapshots.save(name) : snapshots.saveAt?.(name, at, signal));
    if (!saved) {
      const message = `A ${kind} machine can only be saved in its current state.`;
      throw new MachineError('MISSING_CAPABILITY', message, 'Leave at out.');
    }
    const image = path === undefined ? undefined : await snapshots.pack?.(name);
    if (path === undefined || !image) {
      return { text: `snapshot ${saved.name}: ${saved.bytes} bytes, ${saved.time}`, data: { ...saved } };
    }
    const file = await packed(() => writeSnapshotFile({ kind, ...image }));
    await rack.writeFile(path, file);
    const text = `snapshot ${saved.name}: ${saved.bytes} bytes, ${saved.time}; ${file.length} bytes in ${path}`;
    return { text, data: { ...saved, path, file_bytes: file.length } };
  },
});

async function packed(write: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof SnapshotFileError)) throw error;
    throw new MachineError('LIMIT_REACHED', `The file would be too large: ${error.message}.`, 'Leave path out.');
  }
}
