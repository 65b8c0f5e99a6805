import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { Rack } from '../../rack/rack.ts';
import { defineRackTool } from '../tool.ts';

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and -, at most 64');

export const profileList = defineRackTool({
  name: 'profile_list',
  title: 'List profiles',
  description: 'Those that the user keeps, with what they say.',
  toolset: 'inner',
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  run: async (_input, { rack }) => ({ text: '', data: { profiles: await shelfOf(rack).list() } }),
});

export const profileSave = defineRackTool({
  name: 'profile_save',
  title: 'Save a profile',
  description: 'Under its name, in the folder with the user’s configuration.',
  toolset: 'inner',
  effect: 'change',
  idempotent: true,
  input: z.object({ name, profile: z.record(z.string(), z.unknown()) }),
  async run({ name: wanted, profile }, { rack }) {
    await shelfOf(rack).save(wanted, profile);
    return { text: '' };
  },
});

export const profileDelete = defineRackTool({
  name: 'profile_delete',
  title: 'Delete a profile',
  description: 'Of the user’s own.',
  toolset: 'inner',
  effect: 'destroy',
  input: z.object({ name }),
  async run({ name: wanted }, { rack }) {
    const profiles = shelfOf(rack);
    if (await profiles.delete(wanted)) return { text: '' };
    const names = (await profiles.list()).map((each) => each.name).join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `There is no profile ${wanted}.`,
      names ? `There are: ${names}.` : 'None is saved.',
    );
  },
});

function shelfOf({ profiles }: Rack) {
  if (profiles) return profiles;
  throw new MachineError('UNAVAILABLE', 'This server keeps no profiles: it knows no home directory.', 'Set HOME.');
}
