import { z } from 'zod';
import type { BreakpointTree, BreakpointTrigger } from '../../machine/breakpoints.ts';
import { addressOf } from '../debug/address.ts';
import { requireType } from '../debug/breakpoint-type.ts';
import { defineTool } from '../tool.ts';

const condition = z.string().max(500);
/** The address is a line or a register where the type says so. */
const trigger = {
  type: z.string().max(40),
  address: z.string().max(200).default('0'),
  length: z.number().int().min(1).max(65_536).default(1),
  condition: condition.optional(),
  chip: z.string().max(20).optional(),
  each: z.boolean().optional(),
  mask: z.number().int().optional(),
  bank: z.string().max(40).optional(),
};
const triggerInput = z.object(trigger);
const leaf = z.union([triggerInput, z.object({ condition })]);
/** Two levels are as deep as an operator over operators goes. */
const branch = z.object({ operator: z.enum(['and', 'or']), of: z.array(leaf).max(32) });
const tree = z.object({ operator: z.enum(['and', 'or']), of: z.array(z.union([branch, leaf])).max(32) });

type Leaf = z.output<typeof leaf>;
type Branch = z.output<typeof branch>;

export const breakpointCreate = defineTool({
  name: 'breakpoint_create',
  title: 'Create a breakpoint',
  description: 'Of any type, with everything that the machine knows of.',
  toolset: 'inner',
  needs: ['breakpoints', 'addresses'],
  effect: 'change',
  input: z.object({
    ...trigger,
    tree: tree.optional(),
    log_only: z.boolean().default(false),
    temporary: z.boolean().default(false),
    ignore: z.number().int().min(0).optional(),
    frames: z.number().int().min(1).optional(),
  }),
  async run({ breakpoints, addresses }, { log_only, temporary, ignore, frames, tree: given, ...rest }) {
    requireType(breakpoints, rest.type);
    const number = (text: string) => addressOf(text, addresses);
    const set = await breakpoints.set({
      ...(await triggerOf(rest, number)),
      ...(given && { tree: await treeOf(given, number) }),
      logOnly: log_only,
      temporary,
      ...(ignore !== undefined && { ignore }),
      ...(frames !== undefined && { frames }),
    });
    return { text: '', data: { breakpoint: set } };
  },
});

export const breakpointChange = defineTool({
  name: 'breakpoint_change',
  title: 'Change a breakpoint',
  description: 'Its condition, or whether it is on; its number stays.',
  toolset: 'inner',
  needs: ['breakpoints'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    id: z.number().int(),
    condition: condition.optional().describe('Empty: none'),
    enabled: z.boolean().optional(),
  }),
  async run({ breakpoints }, { id, ...change }) {
    return { text: '', data: { breakpoint: await breakpoints.change(id, change) } };
  },
});

async function treeOf(
  { operator, of }: { readonly operator: 'and' | 'or'; readonly of: readonly (Branch | Leaf)[] },
  number: (text: string) => Promise<bigint>,
): Promise<BreakpointTree> {
  const parts: BreakpointTree[] = [];
  for (const part of of) {
    if ('operator' in part) parts.push(await treeOf(part, number));
    else parts.push('type' in part ? await triggerOf(part, number) : part);
  }
  return { operator, of: parts };
}

async function triggerOf(
  { address, ...rest }: z.output<typeof triggerInput>,
  number: (text: string) => Promise<bigint>,
): Promise<BreakpointTrigger> {
  return { ...rest, address: await number(address) };
}
