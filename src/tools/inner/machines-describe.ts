import { z } from 'zod';
import { describeMachine } from '../machine-list.ts';
import { defineRackTool } from '../tool.ts';

/** For lists of machines that are made of what each host, or each thread, says of its own. */
export const machinesDescribe = defineRackTool({
  name: 'machines_describe',
  title: 'Describe machines',
  description: 'What a list of machines says of each of these, as text and as data.',
  toolset: 'inner',
  effect: 'read',
  idempotent: true,
  input: z.object({ machines: z.array(z.string()).max(500) }),
  async run({ machines }, context) {
    const { rack, person, toolbox } = context;
    const there = (await toolbox.outside?.describeThese(machines, context)) ?? { machines: [], notes: [] };
    const wanted = rack.machines.filter(({ handle }) => machines.includes(handle));
    const notes = person === undefined ? rack.machines.flatMap(({ hold }) => hold.takeNote() ?? []) : [];
    return {
      text: '',
      data: { machines: [...wanted.map(describeMachine), ...there.machines], notes: [...notes, ...there.notes] },
    };
  },
});
