import { z } from 'zod';
import { slotNamed } from './debug/media-slots.ts';
import { defineTool } from './tool.ts';

export const mediaDetach = defineTool({
  name: 'media_detach',
  title: 'Remove a disk or cartridge',
  description: 'Remove a medium; "save_to" first saves it, with all changes, to a new file.',
  toolset: 'media',
  needs: ['media'],
  effect: 'destroy',
  input: z.object({
    slot: z.string().optional(),
    save_to: z.string().optional(),
  }),
  confirm({ media }, { slot, save_to }) {
    const { name, changed } = slotNamed(media, slot);
    return changed && save_to === undefined ? `Remove what is in ${name}? What was written to it is lost.` : undefined;
  },
  async run({ media }, { slot, save_to }, { rack }) {
    const { name, medium } = slotNamed(media, slot);
    if (save_to !== undefined) await rack.writeFile(save_to, await media.bytes(name));
    await media.detach(name);
    const saved = save_to === undefined ? '' : `; saved to ${save_to}`;
    return { text: `${name} is empty${saved}`, data: { slot: name, wasEmpty: medium === undefined } };
  },
});
