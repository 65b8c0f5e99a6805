import { z } from 'zod';
import type { HostFiles } from '../machine/files.ts';
import type { MediaCapability, MediumFile } from '../machine/media.ts';
import { showSlots, slotNamed } from './debug/media-slots.ts';
import { fileLimits } from './file-limits.ts';
import { defineTool } from './tool.ts';

export const mediaAttach = defineTool({
  name: 'media_attach',
  title: 'Insert a disk or cartridge',
  description:
    'Insert a disk or cartridge, e.g. into drive8; without a path, lists the slots. The file is not changed.',
  toolset: 'media',
  needs: ['media'],
  effect: 'change',
  input: z.object({
    path: z.string().optional(),
    slot: z.string().optional(),
    readonly: z.boolean().default(false),
  }),
  async confirm({ media }, { path, slot }, { rack }) {
    if (path === undefined || !media.slots.some(({ changed }) => changed)) return undefined;
    const { name, changed } = slotNamed(media, slot ?? media.slotFor?.(await mediumFile(media, rack.files, path)));
    return changed ? `Replace what is in ${name}? What was written to it is lost.` : undefined;
  },
  async run({ media }, { path, slot, readonly }, { rack }) {
    if (path === undefined) return { text: showSlots(media), data: { slots: media.slots } };
    const file = await mediumFile(media, rack.files, path);
    const { name } = slotNamed(media, slot ?? media.slotFor?.(file));
    const found = await (file.bytes
      ? media.attach(name, { name: path, bytes: file.bytes, readOnly: readonly })
      : media.attachFile?.(name, path, readonly));
    return { text: `${name}: ${found}`, data: { slot: name, found } };
  },
});

/** With its bytes, unless the machine opens files itself. */
async function mediumFile(media: MediaCapability, files: HostFiles, path: string): Promise<MediumFile> {
  if (media.attachFile) return { name: path, size: await sizeOf(files, path) };
  const bytes = await files.read(path, fileLimits.medium);
  return { name: path, size: bytes.length, bytes };
}

async function sizeOf(files: HostFiles, path: string): Promise<number> {
  const file = await files.open(path, 'read');
  file.close();
  return file.size;
}
