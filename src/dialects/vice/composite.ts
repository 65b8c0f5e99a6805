import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { ownValue } from '../../formats/own-value.ts';
import { MachineError } from '../../machine/errors.ts';
import { videoRegister } from './breakpoint-calls.ts';
import { type AddressInput, addressInput, addressText, numberInput, numberOf } from './numbers.ts';
import { rasterTrigger } from './raster-trigger.ts';
import type { ViceCall } from './vice-call.ts';

const operator = z.enum(['==', '!=', '<', '<=', '>', '>=']);
const line = z.number().int().min(0).max(1000).optional();
const deepestGroup = 6;

/** A condition, or a group of conditions. */
export const partInput = z.strictObject({
  type: z
    .string()
    .max(40)
    .describe(
      'raster, sprite_x, sprite_y, register, pc, sprite_collision, vic_register_write, memory, irq, nmi, brk, expression, group',
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
  conditions: z.array(z.unknown()).max(32).optional().describe('Of a group, each of this form'),
});

type Part = z.output<typeof partInput>;
type PartName = keyof Part;
type Tree = Readonly<Record<string, unknown>>;

/** Also the names of the tools, and those that vice.breakpoints.list gives. */
const otherNames: Readonly<Record<string, Partial<Part> & { readonly type: string }>> = {
  composite: { type: 'group' },
  'memory.watch': { type: 'memory', trigger: 'write' },
  memory_watch: { type: 'memory', trigger: 'write' },
  memory_read: { type: 'memory', trigger: 'read' },
  memory_write: { type: 'memory', trigger: 'write' },
  memory_change: { type: 'memory', trigger: 'change' },
  'vic.register_write': { type: 'vic_register_write' },
  register_write: { type: 'vic_register_write' },
};

const lines: readonly PartName[] = ['line', 'line_start', 'line_end'];
const compared: readonly PartName[] = ['operator', 'value'];
const takes: Readonly<Record<string, readonly PartName[]>> = {
  raster: [...lines, ...compared, 'condition'],
  sprite_x: ['sprite', ...compared],
  sprite_y: ['sprite', ...compared],
  register: ['register', ...compared],
  pc: ['address', 'condition'],
  sprite_collision: ['collision_type', 'sprite_mask', 'condition'],
  vic_register_write: ['register', ...compared, 'condition'],
  memory: ['address', 'size', 'trigger', ...compared, 'condition'],
  irq: ['condition'],
  nmi: ['condition'],
  brk: ['condition'],
  expression: ['condition'],
  group: ['operator', 'conditions'],
};

/** Bits of P. */
const flags = 'CZIDB-VN';

export async function compositeTree(
  call: ViceCall,
  joined: 'AND' | 'OR',
  parts: readonly unknown[],
  depth = 0,
): Promise<Tree> {
  if (depth > deepestGroup) throw wrong(`Groups are at most ${deepestGroup} deep.`, 'Set several breakpoints.');
  const of: Tree[] = [];
  for (const given of parts) {
    const part = partOf(given);
    of.push(part.type === 'group' ? await groupOf(call, part, depth) : await leafOf(call, part));
  }
  return { [joined.toLowerCase()]: of };
}

/** Read, under one name of its type, and with nothing in it that the type does not take. */
function partOf(given: unknown): Part {
  const parsed = partInput.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(`A condition cannot be read: ${issue?.path.join('.')} ${issue?.message}.`, 'Correct it.');
  }
  const part = { ...ownValue(otherNames, parsed.data.type), ...parsed.data };
  part.type = ownValue(otherNames, part.type)?.type ?? part.type;
  const names = ownValue(takes, part.type);
  if (!names) {
    throw wrong(
      `There are no conditions of type ${JSON.stringify(part.type)}.`,
      `Types: ${Object.keys(takes).join(', ')}.`,
    );
  }
  const odd = Object.keys(part).find((name) => name !== 'type' && !names.some((known) => known === name));
  if (odd === undefined) return part;
  throw wrong(`A condition of type ${part.type} has no "${odd}".`, `It takes ${names.join(', ')}.`);
}

async function groupOf(call: ViceCall, part: Part, depth: number): Promise<Tree> {
  const joined = (part.operator ?? 'AND').toUpperCase();
  const conditions = given(part, 'conditions');
  if (conditions.length === 0) throw wrong('A group is empty.', 'Give it conditions, or leave it out.');
  if (joined === 'AND' || joined === 'OR') return compositeTree(call, joined, conditions, depth + 1);
  throw wrong(`A group is joined by AND or OR, not by ${part.operator}.`, 'Correct "operator".');
}

async function leafOf(call: ViceCall, part: Part): Promise<Tree> {
  switch (part.type) {
    case 'raster':
      if (lines.every((name) => part[name] === undefined)) return { condition: `raster ${comparison(part)}` };
      if (part.value !== undefined) throw wrong('A line and a value are given.', 'Leave one of them out.');
      return { ...rasterTrigger(part), ...only(part) };
    case 'pc':
      return { type: 'exec', address: addressText(given(part, 'address')), ...only(part) };
    case 'sprite_x':
    case 'sprite_y':
      return { condition: `${part.type}[${given(part, 'sprite')}] ${comparison(part)}` };
    case 'register':
      return { condition: `${registerText(given(part, 'register'))} ${comparison(part)}` };
    case 'sprite_collision':
      return { type: part.collision_type ?? 'sprite_sprite', mask: part.sprite_mask ?? 255, ...only(part) };
    case 'vic_register_write': {
      const { chip, register } = await videoRegister(call, given(part, 'register'));
      return { type: 'chip_write', chip, register, ...only(part) };
    }
    case 'memory': {
      const address = hexWord(await call.address(given(part, 'address')));
      if (part.trigger === undefined) return { condition: `byte[${address}] ${comparison(part)}` };
      return { type: part.trigger, address, length: part.size ?? 1, ...only(part) };
    }
    case 'expression':
      return { condition: given(part, 'condition') };
    default:
      return { type: part.type, ...only(part) };
  }
}

/** What has to hold when it happens; `value` is the byte of an access. */
function only(part: Part): { readonly condition?: string } {
  const all = [part.condition, part.value === undefined ? undefined : `value ${comparison(part)}`];
  const said = all.filter((each) => each !== undefined);
  if (said.length === 0) return {};
  return { condition: said.length === 1 ? said.join('') : said.map((each) => `(${each})`).join(' && ') };
}

function given<Name extends PartName>(part: Part, name: Name): NonNullable<Part[Name]> {
  const value = part[name];
  if (value !== undefined && value !== null) return value;
  throw wrong(`A condition of type ${part.type} needs "${name}".`, `Add "${name}".`);
}

function comparison(part: Part): string {
  const found = operator.safeParse(part.operator ?? '==');
  if (found.success) return `${found.data} ${numberOf(given(part, 'value'))}`;
  throw wrong(`${part.operator} does not compare.`, 'Use ==, !=, <, <=, > or >=.');
}

function registerText(register: AddressInput): string {
  const name = String(register).toUpperCase();
  if (['A', 'X', 'Y', 'SP', 'P', 'PC'].includes(name)) return name;
  const bit = name.length === 1 && name !== '-' ? flags.indexOf(name) : -1;
  if (bit >= 0) return `((P >> ${bit}) & 1)`;
  throw wrong(`There is no register ${name}.`, 'Registers: PC, A, X, Y, SP, P; flags: N, V, B, D, I, Z, C.');
}

function wrong(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
