import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { VariablesCapability } from '../../machine/variables.ts';
import { cpuArgument, seenBy } from '../debug/processor.ts';
import { defineTool } from '../tool.ts';

const frame = z.number().int().min(0).max(200).default(0);
const expression = z.string().min(1).max(4000);

export const variablesRead = defineTool({
  name: 'variables_read',
  title: 'Read variables',
  description: 'Arguments and local variables of a frame, or what one of them is made of.',
  toolset: 'inner',
  needs: ['variables'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    frame,
    of: expression.optional(),
    first: z.number().int().min(0).default(0),
    most: z.number().int().min(1).max(256).default(256),
    cpu: cpuArgument,
  }),
  async run(machine, { frame: index, of, first, most, cpu }) {
    const variables = required(await seenBy(machine, cpu));
    const found = of === undefined ? await variables.locals(index) : await variables.parts(index, of, { first, most });
    return { text: '', data: { variables: found } };
  },
});

export const variableRead = defineTool({
  name: 'variable_read',
  title: 'Read a variable',
  description: 'The value of an expression in a frame.',
  toolset: 'inner',
  needs: ['variables'],
  effect: 'read',
  idempotent: true,
  input: z.object({ frame, expression, cpu: cpuArgument }),
  async run(machine, { frame: index, expression: wanted, cpu }) {
    const variables = required(await seenBy(machine, cpu));
    return { text: '', data: { variable: await variables.variable(index, wanted) } };
  },
});

export const variableWrite = defineTool({
  name: 'variable_write',
  title: 'Change a variable',
  description: 'Gives a variable, a member or an element another value.',
  toolset: 'inner',
  needs: ['variables'],
  effect: 'change',
  whileStopped: true,
  input: z.object({ frame, expression, value: z.string().min(1).max(500) }),
  async run({ variables }, { frame: index, expression: wanted, value }) {
    return { text: '', data: { variable: await variables.assign(index, wanted, value) } };
  },
});

function required({ variables }: { readonly variables?: VariablesCapability }): VariablesCapability {
  if (variables) return variables;
  throw new MachineError('MISSING_CAPABILITY', 'No variables are known for that processor.', 'Leave cpu out.');
}
