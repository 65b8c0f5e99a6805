import { z } from 'zod';
import type { AddressCapability } from '../../machine/addresses.ts';
import type {
  BreakpointCapability,
  BreakpointChange,
  BreakpointTree,
  BreakpointTrigger,
} from '../../machine/breakpoints.ts';
import { advice, MachineError } from '../../machine/errors.ts';
import type { TracedChip } from '../../machine/frame-trace.ts';
import { addressOf } from './address.ts';

const number = z.union([z.number().int(), z.string().max(100)]);
const line = z.number().int().min(0).max(1023);
const expression = z.string().max(500);
const deepestTree = 8;
/** Code of many programs lies there, on most machines. */
const exampleAddress = 0xc000n;

/** What tells what a breakpoint waits for, beside its type. */
const triggerShape = {
  address: number.optional(),
  length: z.number().int().min(1).max(65_536).optional(),
  condition: expression.optional(),
  line: line.optional(),
  last_line: line.optional(),
  each: z.boolean().optional(),
  chip: z.string().max(20).optional(),
  register: number.optional(),
  mask: z.number().int().min(1).max(255).optional(),
  bank: z.string().max(20).optional(),
};

const triggerSchema = z.strictObject({ type: z.string().max(40), ...triggerShape });

/** Types that wait for something without an address. */
const placeless = new Set(['irq', 'nmi', 'brk', 'sprite_sprite', 'sprite_background', 'composite', 'program']);

/** What can be said of a breakpoint beyond what most need. */
export const optionsSchema = z.strictObject({
  ...triggerShape,
  tree: z.unknown().optional(),
  ignore: z.number().int().min(0).max(1_000_000_000).optional(),
  group: z.string().max(60).optional(),
  log: expression.optional(),
  frames: z.number().int().min(0).max(1_000_000).optional(),
  snapshot: z.boolean().optional(),
  set: z.array(expression).max(16).optional(),
  skip: z.string().max(40).optional(),
  keep: z.boolean().optional(),
  enabled: z.boolean().optional(),
  temporary: z.boolean().optional(),
});

export type BreakpointOptions = z.output<typeof optionsSchema>;
type TriggerArguments = z.output<typeof triggerSchema>;

/** Of types whose place is not an address. */
const examples: ReadonlyMap<string, string> = new Map([
  ['in', '0x60'],
  ['out', '0x3c8'],
  ['port', '0x3da'],
  ['interrupt', '0x21'],
  ['time', '1000000'],
]);

/** For a list of none, and for errors: how to ask for what. */
export function optionsHelp({ chips, actions }: Pick<BreakpointCapability, 'chips' | 'actions'>): string {
  if (chips) return chipsHelp;
  const does =
    '"snapshot":true,"set":["ax=0","cf=0","word[0x1234]=ax+1"],"skip":"instruction" or "return","keep":true,';
  return `Options: {"ignore":5,"group":"irq","log":"ax",${actions ? does : ''}"temporary":true,"enabled":false}.`;
}

const chipsHelp = [
  'Options: raster {"line":100,"last_line":120,"each":true}; chip_write {"chip":"vic2","register":"$20"}; sprite_sprite,',
  'sprite_background {"mask":3}; exec, read, write, change {"bank":"ram"} or "cart:3"; composite',
  '{"tree":{"and":[{"type":"raster","line":100},{"or":[{"type":"write","address":"$D020"},{"condition":"A == 0"}]}]}}; any',
  '{"ignore":5,"group":"irq","log":"A","frames":50,"snapshot":true,"keep":true,"enabled":false}.',
].join('\n');

const overTheEnd = '{"or":[{"type":"raster","line":300,"last_line":311},{"type":"raster","line":0,"last_line":20}]}';

export function parseOptions(options: unknown, breakpoints: BreakpointCapability): BreakpointOptions {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw wrong('options', parsed.error, optionsHelp(breakpoints));
}

/** What is left of options for one that exists already. */
export function changeOf(
  options: BreakpointOptions,
  more: { readonly condition?: string | undefined; readonly logOnly?: boolean | undefined },
): BreakpointChange {
  const { condition, ignore, group, log, frames, snapshot, set, skip, keep, enabled, temporary, ...rest } = options;
  const fixed = Object.keys(rest)[0];
  if (fixed !== undefined) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${fixed} of a breakpoint cannot be changed.`,
      'Change condition, ignore, group, log, log_only, frames, snapshot, set, skip, keep, temporary or enabled; or delete it and set another.',
    );
  }
  return {
    condition: more.condition ?? condition,
    logOnly: more.logOnly,
    ignore,
    group,
    log,
    frames,
    snapshot,
    set,
    skip,
    keep,
    enabled,
    temporary,
  };
}

/** What a trigger names: addresses, and registers of these chips. */
export interface TriggerNames {
  readonly addresses: AddressCapability;
  readonly chips: readonly TracedChip[];
}

export async function triggerOf(
  asked: TriggerArguments,
  { addresses, chips }: TriggerNames,
): Promise<BreakpointTrigger> {
  const { type, condition, line: first, last_line, each, chip, register, mask, bank } = asked;
  const shared = { type, condition, each, chip, mask, bank };
  if (type === 'raster') {
    refuse(asked, ['address', 'register'], 'Say the line instead: "options":{"line":100}.');
    const lines = asked.length ?? (last_line ?? first ?? 0) - (first ?? 0) + 1;
    if (first === undefined) throw missing(type, '"options":{"line":100}');
    if (lines < 1) {
      throw new MachineError('INVALID_ARGUMENT', 'The last line comes before the first.', [
        advice`Swap them.`,
        advice`Over the end of a frame, a composite joins two: ${overTheEnd}.`,
      ]);
    }
    return { ...shared, address: BigInt(first), length: lines };
  }
  refuse(asked, ['line', 'last_line', ...(type === 'chip_write' ? [] : (['register'] as const))]);
  const place = register ?? asked.address;
  const isPlaced = !placeless.has(type);
  if (isPlaced && place === undefined) {
    throw type === 'chip_write'
      ? missing(type, '"options":{"chip":"sid","register":"$18"}')
      : missing(type, `"address":"${examples.get(type) ?? addresses.format(exampleAddress)}"`);
  }
  if (!isPlaced) refuse(asked, ['address', 'length']);
  const named = register === undefined ? undefined : registerNamed(register, chip, chips);
  if (named) return { ...shared, ...named, length: asked.length ?? 1 };
  const address =
    place === undefined ? 0n : typeof place === 'number' ? BigInt(place) : await addressOf(place, addresses);
  return { ...shared, address, length: asked.length ?? 1 };
}

/** `{"and":[…]}`, `{"or":[…]}`, `{"condition":"A == 0"}`, or a trigger. */
export async function treeOf(tree: unknown, names: TriggerNames, depth = 0): Promise<BreakpointTree> {
  if (depth > deepestTree) {
    throw new MachineError('INVALID_ARGUMENT', `A tree is at most ${deepestTree} deep.`, 'Set several breakpoints.');
  }
  const joined = z.union([
    z.strictObject({ and: z.array(z.unknown()).min(1).max(32) }),
    z.strictObject({ or: z.array(z.unknown()).min(1).max(32) }),
    z.strictObject({ condition: expression }),
  ]);
  const node = joined.safeParse(tree);
  if (node.success) {
    if ('condition' in node.data) return node.data;
    const of: BreakpointTree[] = [];
    const parts = 'and' in node.data ? node.data.and : node.data.or;
    for (const part of parts) of.push(await treeOf(part, names, depth + 1));
    return { operator: 'and' in node.data ? 'and' : 'or', of };
  }
  const trigger = triggerSchema.safeParse(tree);
  if (trigger.success) return triggerOf(trigger.data, names);
  throw wrong('tree', trigger.error, chipsHelp);
}

/** `EXTCOL`, of this chip or of the first that has one. */
function registerNamed(
  register: string | number,
  chip: string | undefined,
  chips: readonly TracedChip[],
): { readonly chip: string; readonly address: bigint } | undefined {
  const name = String(register).trim().toUpperCase();
  for (const { name: owner, registers } of chips) {
    const index = registers.findIndex((each) => each.name === name);
    if (index >= 0 && (chip === undefined || chip === owner)) return { chip: owner, address: BigInt(index) };
  }
  return undefined;
}

function refuse(asked: object, names: readonly string[], fix = 'Leave it out.'): void {
  const given = names.find((name) => name in asked && asked[name as keyof typeof asked] !== undefined);
  if (given === undefined) return;
  const type = 'type' in asked ? asked.type : 'this';
  throw new MachineError('INVALID_ARGUMENT', `A breakpoint of type ${type} has no ${given}.`, fix);
}

function missing(type: string, example: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', `A breakpoint of type ${type} needs a place.`, `Say where: ${example}.`);
}

function wrong(what: string, error: z.ZodError, help: string): MachineError {
  const [issue] = error.issues;
  const place = issue && issue.path.length > 0 ? `${what}.${issue.path.join('.')}` : what;
  return new MachineError('INVALID_ARGUMENT', `${place}: ${issue?.message ?? 'cannot be read'}.`, help);
}
