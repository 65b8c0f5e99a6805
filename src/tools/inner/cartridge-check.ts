import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import { fileLimits } from '../file-limits.ts';
import { defineTool } from '../tool.ts';

export const cartridgeCheck = defineTool({
  name: 'cartridge_check',
  title: 'Check a cartridge',
  description: 'Whether a file can be plugged in as a cartridge; refused as when it is.',
  toolset: 'inner',
  needs: ['media'],
  effect: 'read',
  idempotent: true,
  input: z.object({ path: z.string().max(4096) }),
  async run({ media }, { path }, { rack }) {
    if (!media.checkCartridge) {
      throw new MachineError('MISSING_CAPABILITY', 'Cartridges are not checked here.', 'Plug it in.');
    }
    media.checkCartridge({ name: path, bytes: await rack.files.read(path, fileLimits.medium) });
    return { text: '' };
  },
});
