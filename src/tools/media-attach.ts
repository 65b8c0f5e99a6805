import { z } from 'zod';
import { showSlots, slotNamed } from './debug/media-slots.ts';
import { defineTool } from './tool.ts';

export const mediaAttach = defineTool({
  name: 'media_attach',
  title: 'Insert a disk or cartridge',
  description:
    'Put a disk or cartridge image into a machine; without path, list what is in. The file itself is not changed.',
  toolset: 'core',
  needs: ['media'],
  effect: 'change',
  input: z.object({
    path: z.string().optional(),
    slot: z.string().optional().describe('e.g. drive8, cartridge'),
    readonly: z.boolean().default(false),
  }),
  async run({ media }, { path, slot, readonly }, { rack }) {
    if (path === undefined) return { text: showSlots(media), data: { slots: media.slots } };
    const readable = media.attachFile ? await rack.readablePath(path) : path;
    const { name } = slotNamed(media, slot ?? (await media.slotFor?.(readable)));
    const found = media.attachFile
      ? await media.attachFile(name, readable, readonly)
      : await media.attach(name, { name: path, bytes: await rack.readFile(path), readOnly: readonly });
    return { text: `${name}: ${found}`, data: { slot: name, found } };
  },
});
