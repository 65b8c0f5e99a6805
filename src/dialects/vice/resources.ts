import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { ViceCall } from './vice-call.ts';

const value = z.union([z.number(), z.string()]);
const resource = z.object({
  name: z.string(),
  type: z.string(),
  category: z.string(),
  description: z.string(),
  value,
  possible: z.array(z.object({ value, name: z.string() })),
  wantsReset: z.boolean(),
});
const written = { changed: z.array(z.string()), was_reset: z.boolean(), resources: z.array(resource) };

export type Resource = z.output<typeof resource>;
export type Change = { readonly name: string; readonly value: number | string };

/** Resources of VICE that mean nothing here, and why. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [
    /^(REU|GEORAM|DQBB|RAMCART|ISEPIC|PLUS60K|PLUS256K)/i,
    'what is in a memory expansion is a medium: attach it to the slot of its name',
  ],
  [/^Drive(8|9|10|11)/, 'drives have a type and nothing else to set; programs see them as they are'],
  [/^Key(map|boardMapping|boardType)/, 'keys are named by what is printed on them, there is no layout of a host'],
  [/^JoyPort/, 'joysticks, paddles, mouse and light pen are always plugged in, and act when they are used'],
  [
    /^(Sound|SDL|GTK|Video|Window|VICII.*(Filter|Scale|Render|Palette)|.*Fullscreen)/i,
    'there is no window and no loudspeaker of a host',
  ],
  [/^(Warp|Speed|RefreshRate)/, 'the machine runs in real time while vice.execution.run lets it'],
];

export async function resourcesOf(call: ViceCall): Promise<readonly Resource[]> {
  return (await call.use('config_read', {}, { resources: z.array(resource) })).resources;
}

export function resourceNamed(resources: readonly Resource[], name: string): Resource {
  const found = resources.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const reason = foreign.find(([pattern]) => pattern.test(name))?.[1];
  const shown = name.slice(0, 60);
  throw new MachineError(
    'INVALID_ARGUMENT',
    reason ? `${shown} cannot be set: ${reason}.` : `There is no resource ${JSON.stringify(shown)}.`,
    `Resources: ${resources.map((each) => each.name).join(', ')}.`,
    { resource: shown, reason: reason ?? 'unknown resource' },
  );
}

/** Values are taken by their names too: "PAL". */
export function changeOf(resources: readonly Resource[], { name, value: wanted }: Change): Change {
  const found = resourceNamed(resources, name);
  const same = (text: string) => text.toLowerCase() === String(wanted).toLowerCase();
  const possible = found.possible.find((each) => each.value === wanted || same(each.name) || same(String(each.value)));
  if (possible) return { name: found.name, value: possible.value };
  const isFixed = found.name === 'MachineVideoStandard' && found.possible.length === 1;
  const values = `Values: ${found.possible.map((each) => `${each.value} (${each.name})`).join(', ')}.`;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${found.name} cannot be ${JSON.stringify(wanted)} here; nothing was set.`,
    isFixed ? 'It is chosen when the server starts: --machine plus4, plus4_ntsc, c16 or c16_ntsc.' : values,
    { resource: found.name, possible_values: found.possible },
  );
}

interface Setting {
  /** Whether the machine is then switched off and on: in any case, in no case, or (undefined) if one of them needs it. */
  readonly reset?: boolean | undefined;
  readonly asking?: { readonly confirmation_token?: string | undefined };
}

/** All of these or none. */
export async function setResources(call: ViceCall, changes: readonly Change[], { reset, asking }: Setting) {
  const resources = await resourcesOf(call);
  const wanted = changes.map((change) => changeOf(resources, change));
  if (wanted.length === 0 && !reset) return { changed: [], reset: false };
  const tool = asking ? 'config_write_asking' : 'config_write';
  const when = reset === undefined ? 'if-needed' : reset ? 'always' : 'never';
  const { changed, was_reset } = await call.use(tool, { changes: wanted, reset: when, ...asking }, written);
  return { changed, reset: was_reset };
}
