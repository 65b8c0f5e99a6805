import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import { videoRegister } from './breakpoint-calls.ts';
import { type AddressInput, addressInput, addressText, numberInput, numberOf } from './numbers.ts';
import { rasterTrigger } from './raster-trigger.ts';
import type { ViceCall } from './vice-call.ts';

const operator = z.enum(['==', '!=', '<', '<=', '>', '>=']);
const line = z.number().int().min(0).max(1000).optional();

const leaf = {
  type: z
    .string()
    .max(40)
    .describe(
      'raster, sprite_x, sprite_y, register, pc, sprite_collision, vic_register_write, memory, expression, group',
    ),
  line,
  line_start: line,
  line_end: line,
  sprite: z.number().int().min(0).max(7).optional(),
  register: addressInput.optional(),
  operator: z.string().max(3).optional().describe('== != < <= > >=, or AND and OR of a group'),
  value: numberInput.optional(),
  address: addressInput.optional(),
  size: z.number().int().min(1).max(0x10000).optional(),
  trigger: z.enum(['read', 'write', 'change']).optional().describe('Of memory; without one its value is compared'),
  collision_type: z.enum(['sprite_sprite', 'sprite_background']).optional(),
  sprite_mask: z.number().int().min(1).max(255).optional(),
  condition: z.string().max(500).optional(),
};
const leafInput = z.strictObject(leaf);
/** A condition, or a group of conditions. */
export const partInput = z.strictObject({ ...leaf, conditions: z.array(leafInput).max(32).optional() });

type Leaf = z.output<typeof leafInput>;
type Part = z.output<typeof partInput>;
type Tree = Readonly<Record<string, unknown>>;

export async function compositeTree(call: ViceCall, joined: 'AND' | 'OR', parts: readonly Part[]): Promise<Tree> {
  const of: Tree[] = [];
  for (const part of parts)
    of.push(part.conditions ? await groupOf(call, part, part.conditions) : await leafOf(call, part));
  return { [joined.toLowerCase()]: of };
}

function groupOf(call: ViceCall, { operator: given = 'AND' }: Part, conditions: readonly Leaf[]): Promise<Tree> {
  const joined = given.toUpperCase();
  if (joined === 'AND' || joined === 'OR') return compositeTree(call, joined, conditions);
  throw new MachineError('INVALID_ARGUMENT', `A group is joined by AND or OR, not by ${given}.`, 'Correct "operator".');
}

async function leafOf(call: ViceCall, part: Leaf): Promise<Tree> {
  const also = part.condition === undefined ? {} : { condition: part.condition };
  switch (part.type) {
    case 'raster':
      return { ...rasterTrigger(part), ...also };
    case 'pc':
      return { type: 'exec', address: addressText(given(part, 'address')), ...also };
    case 'sprite_x':
    case 'sprite_y':
      return { condition: `${part.type}[${given(part, 'sprite')}] ${comparison(part)}` };
    case 'register':
      return { condition: `${registerName(given(part, 'register'))} ${comparison(part)}` };
    case 'sprite_collision':
      return { type: part.collision_type ?? 'sprite_sprite', mask: part.sprite_mask ?? 255, ...also };
    case 'vic_register_write': {
      const { chip, register } = await videoRegister(call, given(part, 'register'));
      return { type: 'chip_write', chip, register, ...also };
    }
    case 'memory': {
      const address = await call.address(given(part, 'address'));
      if (part.trigger === undefined) return { condition: `byte[${hexWord(address)}] ${comparison(part)}` };
      return { type: part.trigger, address: hexWord(address), length: part.size ?? 1, ...also };
    }
    case 'expression':
      return { condition: given(part, 'condition') };
    default:
      throw new MachineError(
        'INVALID_ARGUMENT',
        `There are no conditions of type ${JSON.stringify(part.type)}.`,
        'Types: raster, sprite_x, sprite_y, register, pc, sprite_collision, vic_register_write, memory, expression, group.',
      );
  }
}

function given<Name extends keyof Leaf>(part: Leaf, name: Name): NonNullable<Leaf[Name]> {
  const value = part[name];
  if (value !== undefined && value !== null) return value;
  throw new MachineError('INVALID_ARGUMENT', `A condition of type ${part.type} needs "${name}".`, `Add "${name}".`);
}

function comparison(part: Leaf): string {
  const found = operator.safeParse(part.operator ?? '==');
  if (found.success) return `${found.data} ${numberOf(given(part, 'value'))}`;
  throw new MachineError('INVALID_ARGUMENT', `${part.operator} does not compare.`, 'Use ==, !=, <, <=, > or >=.');
}

function registerName(register: AddressInput): string {
  const name = String(register).toUpperCase();
  if (['A', 'X', 'Y', 'SP', 'P', 'PC'].includes(name)) return name;
  throw new MachineError('INVALID_ARGUMENT', `There is no register ${name}.`, 'Registers: PC, A, X, Y, SP, P.');
}
