import type { AttackGroup } from './attack-case.ts';
import { secret } from './battlefield.ts';
import { memories, snapshots } from './hostile-files.ts';

/** Files of states and memories that nobody saved. */
export const files: AttackGroup = {
  name: 'snapshots and images of memory',
  cases: (field) => {
    const starts = Object.keys(snapshots).flatMap((name) =>
      ['c64', 'dos'].map((kind) => ({
        name: `${kind} from ${name}`,
        tool: 'machine_start',
        args: { kind, snapshot: field.at('read', name) },
      })),
    );
    const memory = Object.keys(memories).map((name) => ({
      name: `an REU with ${name}`,
      tool: 'media_attach',
      args: { machine: 'reu', slot: 'reu', path: field.at('read', name) },
    }));
    return [...starts, ...memory].map(({ name, tool, args }) => ({
      name,
      run: async () => {
        const { text, isError } = await field.call(tool, args);
        if (text.includes(secret)) return `the secret: ${text.slice(0, 200)}`;
        if (/INTERNAL|BUG/.test(text)) return text.slice(0, 200);
        return isError ? undefined : `carried out: ${text.slice(0, 200)}`;
      },
    }));
  },
};
