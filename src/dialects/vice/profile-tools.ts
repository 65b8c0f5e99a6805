import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { predefinedProfiles } from './predefined-profiles.ts';
import { changesOf, type Profile, profileFields, profileShape } from './profile.ts';
import { type Resource, resourcesOf, setResources } from './resources.ts';
import type { ViceCall } from './vice-call.ts';
import { confirmationToken, viceTool } from './vice-tool.ts';

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and -, at most 64')
  .describe('Letters, digits, _ and -');

const configure = viceTool({
  name: 'vice.machine.configure',
  title: 'Configure the machine',
  description:
    'Apply a profile, by name or as an object. The first call returns a token to confirm with. With ' +
    '"apply_immediately":false says what would change.',
  effect: 'destroy',
  input: z.strictObject({
    profile: z.union([name, z.strictObject({ profile_name: name.optional(), ...profileFields })]),
    apply_immediately: z.boolean().default(true),
    confirmation_token: confirmationToken,
  }),
  async call({ profile: given, apply_immediately, confirmation_token }, call) {
    const profile = typeof given === 'string' ? await profileNamed(call, given) : given;
    const resources = await resourcesOf(call);
    const changes = await checkedChanges(profile, call, resources);
    const differing = changes.filter((each) =>
      resources.some((now) => now.name === each.name && now.value !== each.value),
    );
    const { cartridge } = profile;
    const port = cartridge === undefined ? {} : { cartridge };
    if (!apply_immediately) return { applied: false, would_change: differing, ...port };
    const { changed, reset } = await setResources(call, changes, { asking: { confirmation_token } });
    return { applied: true, changed, reset: (await plug(profile, call)) || reset, ...port };
  },
});

const create = viceTool({
  name: 'vice.machine.profile.create',
  title: 'Create a profile',
  description: 'Save a profile in the folder with the user’s configuration: resources, or a description of a machine.',
  effect: 'change',
  idempotent: true,
  input: z.strictObject({ profile_name: name, ...profileFields }),
  async call({ profile_name, ...profile }, call) {
    if (Object.hasOwn(predefinedProfiles, profile_name)) {
      throw new MachineError('NAME_TAKEN', `${profile_name} is predefined.`, 'Use another name.');
    }
    const changes = await checkedChanges(profile, call, await resourcesOf(call));
    if (changes.length === 0 && profile.cartridge === undefined) {
      throw new MachineError('INVALID_ARGUMENT', 'The profile is empty.', 'Give resources, video_standard or others.');
    }
    await call.ask('profile_save', { name: profile_name, profile }, {});
    const { cartridge } = profile;
    return { profile_name, resources: changes, ...(cartridge !== undefined && { cartridge }) };
  },
});

const apply = viceTool({
  name: 'vice.machine.profile.apply',
  title: 'Apply a profile',
  description:
    'Configure the machine as a profile says, and switch it off and on. "reset_after":false keeps memory and what runs: ' +
    'chips are exchanged under it; only a cartridge plugged in or out resets in any case.',
  effect: 'destroy',
  idempotent: true,
  input: z.strictObject({ profile_name: name, reset_after: z.boolean().default(true) }),
  async call({ profile_name, reset_after }, call) {
    const profile = await profileNamed(call, profile_name);
    const changes = await checkedChanges(profile, call, await resourcesOf(call));
    const { changed } = await setResources(call, changes, { reset: false });
    const wasPlugged = await plug(profile, call);
    const { reset } = await setResources(call, [], { reset: reset_after });
    const { cartridge } = profile;
    const port = cartridge === undefined ? {} : { cartridge };
    return { profile_name, changed, reset: wasPlugged || reset, resources: changes, ...port };
  },
});

const list = viceTool({
  name: 'vice.machine.profile.list',
  title: 'List profiles',
  description: 'The profiles there are, predefined and saved.',
  effect: 'read',
  input: z.strictObject({}),
  async call(_input, call) {
    const predefined = Object.entries(predefinedProfiles).map(([profile_name, profile]) => ({
      profile_name,
      predefined: true,
      ...profile,
    }));
    const own = (await savedProfiles(call)).map(({ name: profile_name, ...saved }) => ({
      ...('profile' in saved ? saved.profile : { problem: saved.problem }),
      profile_name,
      predefined: false,
    }));
    return { profiles: [...predefined, ...own] };
  },
});

const remove = viceTool({
  name: 'vice.machine.profile.delete',
  title: 'Delete a profile',
  description: 'Delete a saved profile.',
  effect: 'destroy',
  input: z.strictObject({ profile_name: name }),
  async call({ profile_name }, call) {
    if (Object.hasOwn(predefinedProfiles, profile_name)) {
      throw new MachineError(
        'DENIED',
        `${profile_name} is predefined and cannot be deleted.`,
        'Delete one that was saved.',
      );
    }
    await call.ask('profile_delete', { name: profile_name }, {});
    return { profile_name, deleted: true };
  },
});

async function profileNamed(call: ViceCall, wanted: string): Promise<Profile> {
  const predefined = Object.hasOwn(predefinedProfiles, wanted) ? predefinedProfiles[wanted] : undefined;
  if (predefined) return predefined;
  const saved = await savedProfiles(call);
  const found = saved.find((each) => each.name === wanted);
  if (!found) {
    const names = [...Object.keys(predefinedProfiles), ...saved.map((each) => each.name)].join(', ');
    throw new MachineError('NOT_FOUND', `There is no profile ${wanted}.`, `Profiles: ${names}.`);
  }
  const parsed = 'profile' in found ? profileShape.safeParse(found.profile) : undefined;
  if (parsed?.success) return parsed.data;
  const problem = 'problem' in found ? found.problem : (parsed?.error.issues[0]?.message ?? 'it cannot be read');
  throw new MachineError(
    'INVALID_ARGUMENT',
    `The file of profile ${wanted} is wrong: ${problem}.`,
    'Save it again, or delete it.',
  );
}

async function savedProfiles(call: ViceCall) {
  const saved = z.union([
    z.object({ name: z.string(), profile: z.record(z.string(), z.unknown()) }),
    z.object({ name: z.string(), problem: z.string() }),
  ]);
  return (await call.ask('profile_list', {}, { profiles: z.array(saved) })).profiles;
}

/** What a profile changes, where all that it says can be: its cartridge, too, which is plugged in when the rest has been done. */
async function checkedChanges(profile: Profile, call: ViceCall, resources: readonly Resource[]) {
  const changes = changesOf(profile, call, resources);
  if (typeof profile.cartridge === 'string') await call.use('cartridge_check', { path: profile.cartridge }, {});
  return changes;
}

/** Plugs the profile's cartridge in, or takes out what is there. True if that has reset the machine. */
async function plug({ cartridge }: Profile, call: ViceCall): Promise<boolean> {
  if (cartridge === undefined) return false;
  if (cartridge !== null) {
    await call.use('media_attach', { slot: 'cartridge', path: cartridge }, {});
    return true;
  }
  const slot = z.object({ name: z.string(), medium: z.string().nullable() });
  const { slots } = await call.use('facts_read', {}, { slots: z.array(slot) });
  const isIn = slots.some((each) => each.name === 'cartridge' && each.medium !== null);
  if (isIn) await call.use('media_detach', { slot: 'cartridge' }, {});
  return isIn;
}

export const profileTools: readonly DialectTool[] = [configure, create, apply, list, remove];
