import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import { kindNamed } from './machines.ts';
import { type Change, changeOf, type Resource } from './resources.ts';
import type { ViceCall } from './vice-call.ts';

const value = z.union([z.number(), z.string().max(4096)]);

/** Both shapes of the design: resources by name, and a description of a machine. */
export const profileFields = {
  description: z.string().max(1000).optional(),
  resources: z
    .array(z.strictObject({ name: z.string().max(100), value }))
    .max(100)
    .optional(),
  machine: z.string().max(40).optional(),
  video_standard: z.string().max(20).optional(),
  sid_model: z.union([z.number(), z.string().max(20)]).optional(),
  drives: z
    .array(z.strictObject({ unit: z.number().int().min(8).max(11), type: z.union([z.number(), z.string().max(20)]) }))
    .max(4)
    .optional()
    .describe('Drives that are not among them are switched off'),
  memory_expansion: z.string().max(40).nullable().optional().describe('"REU_512K", "8K" …'),
  cartridge: z.string().max(4096).nullable().optional().describe('Path of an image; null: none'),
};
export const profileShape = z.strictObject(profileFields);
export type Profile = z.output<typeof profileShape>;

const vic20Blocks: Readonly<Record<string, readonly number[]>> = {
  '3K': [0],
  '8K': [1],
  '16K': [1, 2],
  '24K': [1, 2, 3],
  '32K': [1, 2, 3, 5],
  ALL: [0, 1, 2, 3, 5],
};

/** What a profile means on the machine at hand, as resources; refuses by name what cannot be. */
export function changesOf(profile: Profile, call: ViceCall, resources: readonly Resource[]): readonly Change[] {
  requireMachine(profile, call);
  const { video_standard, sid_model, drives, memory_expansion } = profile;
  const changes: Change[] = [
    ...(video_standard === undefined ? [] : [{ name: 'MachineVideoStandard', value: video_standard }]),
    ...(sid_model === undefined ? [] : [{ name: 'SidModel', value: sid_model }]),
    ...(drives === undefined ? [] : driveChanges(drives)),
    ...(memory_expansion === undefined ? [] : expansionChanges(memory_expansion, resources)),
    ...(profile.resources ?? []),
  ];
  return changes.map((change) => changeOf(resources, change));
}

function requireMachine({ machine }: Profile, { machine: running, facts }: ViceCall): void {
  if (machine === undefined || kindNamed(machine) === running.kind) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `The profile is for a ${machine.slice(0, 40)}, and this server runs a ${facts.name}.`,
    'Start the server with --machine for the other one.',
    { machine: facts.name, reason: 'the machine is chosen when the server starts' },
  );
}

function driveChanges(drives: NonNullable<Profile['drives']>): readonly Change[] {
  return [8, 9, 10, 11].map((unit) => ({
    name: `Drive${unit}Type`,
    value: drives.find((drive) => drive.unit === unit)?.type ?? 0,
  }));
}

/** On a VIC-20 blocks of RAM; elsewhere what is plugged into the expansion port. */
function expansionChanges(expansion: string | null, resources: readonly Resource[]): readonly Change[] {
  const wanted = expansion === null || /^none$/i.test(expansion) ? '' : expansion.toUpperCase();
  const blocks = resources.filter(({ name }) => /^RAMBlock\d$/.test(name));
  if (blocks.length > 0) {
    const on = wanted === '' ? [] : vic20Blocks[wanted.replace('_', '').replace(/^RAM/, '')];
    if (!on) throw refusedExpansion(expansion, `this machine takes ${Object.keys(vic20Blocks).join(', ')}`);
    return blocks.map(({ name }) => ({ name, value: on.includes(Number(name.slice(-1))) ? 1 : 0 }));
  }
  const kinds = ['REU', 'GEORAM', 'DQBB', 'RAMCART'].filter((kind) => resources.some(({ name }) => name === kind));
  const none = kinds.map((name) => ({ name, value: 0 }));
  if (wanted === '') return none;
  const [, kind = '', size = ''] = /^([A-Z]+)[_ ]?(\d+[KM])?$/.exec(wanted) ?? [];
  const sizes = sizesOf(kind, resources);
  const found = size === '' ? undefined : sizes.find(({ name }) => name === size);
  if (!kinds.includes(kind) || (size !== '' && !found)) {
    throw refusedExpansion(expansion, expansionsOf(kinds, resources));
  }
  const others = none.filter(({ name }) => name !== kind);
  return [{ name: kind, value: 1 }, ...(found ? [{ name: sizeName(kind), value: found.value }] : []), ...others];
}

/** As VICE spells them. */
const sizeName = (kind: string) => (kind === 'DQBB' ? 'DQBBSize' : `${kind}size`);

function sizesOf(kind: string, resources: readonly Resource[]): Resource['possible'] {
  return resources.find(({ name }) => name === sizeName(kind))?.possible ?? [];
}

function expansionsOf(kinds: readonly string[], resources: readonly Resource[]): string {
  if (kinds.length === 0) return 'this machine takes none';
  const names = kinds.flatMap((kind) => {
    return sizesOf(kind, resources).map(({ name }) => `${kind}_${name}`);
  });
  return `this machine takes ${names.join(', ')}`;
}

function refusedExpansion(expansion: string | null, reason: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `memory_expansion ${JSON.stringify(expansion?.slice(0, 40))} cannot be: ${reason}.`,
    'Leave memory_expansion out, or set it to null.',
    { resource: 'memory_expansion', reason },
  );
}
