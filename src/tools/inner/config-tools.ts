import { z } from 'zod';
import type { ConfigurationCapability } from '../../machine/configuration.ts';
import { defineTool } from '../tool.ts';

const input = z.object({
  changes: z
    .array(z.object({ name: z.string().max(100), value: z.union([z.number(), z.string().max(4096)]) }))
    .max(200),
  reset: z.enum(['never', 'if-needed', 'always']),
});

export const configRead = defineTool({
  name: 'config_read',
  title: 'Read the configuration',
  description: 'What can be changed of the machine: resources with values and possible values.',
  toolset: 'inner',
  needs: ['configuration'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ configuration }) {
    return { text: '', data: { resources: configuration.resources } };
  },
});

export const configWrite = defineTool({
  name: 'config_write',
  title: 'Change the configuration',
  description: 'All of these resources, or none.',
  toolset: 'inner',
  needs: ['configuration'],
  effect: 'destroy',
  idempotent: true,
  input,
  run: ({ configuration }, wanted) => change(configuration, wanted),
});

/** For dialects whose original asks before. */
export const configWriteAsking = defineTool({
  name: 'config_write_asking',
  title: 'Change the configuration after asking',
  description: 'The same, and a person is asked.',
  toolset: 'inner',
  needs: ['configuration'],
  effect: 'destroy',
  idempotent: true,
  input,
  confirm: (_machine, { changes }) => `Change ${changes.map(({ name }) => name).join(', ')}? The machine may be reset.`,
  run: ({ configuration }, wanted) => change(configuration, wanted),
});

async function change(configuration: ConfigurationCapability, { changes, reset }: z.output<typeof input>) {
  const { changed, wasReset } = await configuration.set(changes, reset);
  return { text: '', data: { changed, was_reset: wasReset, resources: configuration.resources } };
}
