import { z } from 'zod';
import type { Kind } from '../machine/kind.ts';
import { describeOptions } from './describe-options.ts';
import { defineRackTool } from './tool.ts';

export const machineKinds = defineRackTool({
  name: 'machine_kinds',
  title: 'List kinds of machines',
  description: 'Lists the kinds of machines; with `kind`, its options.',
  toolset: 'machines',
  effect: 'read',
  idempotent: true,
  input: z.object({
    kind: z.string().optional(),
  }),
  async run({ kind }, { rack }) {
    if (kind === undefined) {
      const kinds = [...rack.kinds.values()];
      const { rules } = rack;
      const allowed = rules.map(({ topic, allows, option }) => `  ${topic}: ${allows} (${option})`);
      return {
        text: [
          ...kinds.map((each) => `${each.kind}: ${each.summary}`),
          'The operator of this server allows:',
          ...allowed,
        ].join('\n'),
        data: { kinds: kinds.map((each) => ({ kind: each.kind, summary: each.summary })), policy: rules },
      };
    }
    const found = rack.kind(kind);
    const around = await rack.surroundings(kind);
    return { text: [describeKind(found), ...around].join('\n'), data: { kind, summary: found.summary, around } };
  },
});

/** A kind in full, also served as a resource. */
export function describeKind(kind: Kind): string {
  return `${kind.kind}: ${kind.summary}\nOptions (machine_start {"kind":"${kind.kind}","options":{…}}):\n${describeOptions(kind.options)}`;
}
