import { z } from 'zod';
import type { HostFiles } from '../machine/files.ts';
import { showSlots, slotNamed } from './debug/media-slots.ts';
import { fileLimits } from './file-limits.ts';
import { defineTool } from './tool.ts';

export const mediaAttach = defineTool({
  name: 'media_attach',
  title: 'Insert a disk or cartridge',
  description:
    'Insert a disk or cartridge image; without a path, lists what is inserted. The file itself is not changed.',
  toolset: 'media',
  needs: ['media'],
  effect: 'change',
  input: z.object({
    path: z.string().optional(),
    slot: z.string().optional().describe('e.g. drive8, cartridge'),
    readonly: z.boolean().default(false),
  }),
  async run({ media }, { path, slot, readonly }, { rack }) {
    if (path === undefined) return { text: showSlots(media), data: { slots: media.slots } };
    if (media.attachFile) {
      const { name } = slotNamed(media, slot ?? media.slotFor?.({ name: path, size: await sizeOf(rack.files, path) }));
      const found = await media.attachFile(name, path, readonly);
      return { text: `${name}: ${found}`, data: { slot: name, found } };
    }
    const bytes = await rack.files.read(path, fileLimits.medium);
    const { name } = slotNamed(media, slot ?? media.slotFor?.({ name: path, size: bytes.length, bytes }));
    const found = await media.attach(name, { name: path, bytes, readOnly: readonly });
    return { text: `${name}: ${found}`, data: { slot: name, found } };
  },
});

async function sizeOf(files: HostFiles, path: string): Promise<number> {
  const file = await files.open(path, 'read');
  file.close();
  return file.size;
}
