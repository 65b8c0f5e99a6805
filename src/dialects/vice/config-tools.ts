import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { type Resource, resourceNamed, resourcesOf, setResources } from './resources.ts';
import { viceTool } from './vice-tool.ts';

const name = z.string().min(1).max(100);
const value = z.union([z.number(), z.string().max(4096)]);
const resetAfter = z
  .boolean()
  .optional()
  .describe('true: switch off and on afterwards, false: do not; left out: if one of them needs it');

const get = viceTool({
  name: 'vice.config.get',
  title: 'Get a resource',
  description: 'A resource of the machine, such as "MachineVideoStandard": value, possible values, meaning.',
  effect: 'read',
  input: z.strictObject({ resource: name }),
  async call({ resource }, call) {
    const found = resourceNamed(await resourcesOf(call), resource);
    return { resource: found.name, value: found.value, ...shown(found) };
  },
});

const set = viceTool({
  name: 'vice.config.set',
  title: 'Set a resource',
  description: 'Change a resource; values by number or by name ("PAL"). Some switch the machine off and on.',
  effect: 'destroy',
  idempotent: true,
  input: z.strictObject({ resource: name, value, reset_after: resetAfter }),
  async call({ resource, value: wanted, reset_after }, call) {
    const done = await setResources(call, [{ name: resource, value: wanted }], { reset: reset_after });
    const found = resourceNamed(await resourcesOf(call), resource);
    return { resource: found.name, value: found.value, ...done };
  },
});

const list = viceTool({
  name: 'vice.config.list',
  title: 'List resources',
  description: 'The resources of this machine in a category: video, sid, memory, drives, machine, or all.',
  effect: 'read',
  input: z.strictObject({ category: z.enum(['all', 'video', 'sid', 'memory', 'drives', 'machine']).default('all') }),
  async call({ category }, call) {
    const all = await resourcesOf(call);
    const resources = all.filter((each) => category === 'all' || each.category === category).map(shown);
    return { category, resources };
  },
});

const setBatch = viceTool({
  name: 'vice.config.set_batch',
  title: 'Set several resources',
  description: 'Change several resources at once: all of them, or none if one cannot be.',
  effect: 'destroy',
  idempotent: true,
  input: z.strictObject({
    resources: z.array(z.strictObject({ name, value })).min(1).max(100),
    reset_after: resetAfter,
  }),
  async call({ resources, reset_after }, call) {
    const done = await setResources(call, resources, { reset: reset_after });
    const now = await resourcesOf(call);
    const set = resources.map((each) => resourceNamed(now, each.name));
    return { ...done, resources: set.map((each) => ({ name: each.name, value: each.value })) };
  },
});

function shown({ name: own, type, value: current_value, possible, description, category, wantsReset }: Resource) {
  return {
    name: own,
    type,
    current_value,
    possible_values: possible,
    description,
    category,
    requires_reset: wantsReset,
  };
}

export const configTools: readonly DialectTool[] = [get, set, list, setBatch];
