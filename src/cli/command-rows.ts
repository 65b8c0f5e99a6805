import { z } from 'zod';
import type { CommandPreset } from '../machine/host.ts';
import { knownPresets, parametersOf } from '../machines/console/command-presets.ts';

const knownNames = Object.keys(knownPresets).join(', ');

const ownCommand = z
  .strictObject({
    argv: z.array(z.string().min(1)).min(1).describe('Program and arguments; {name} stands for a parameter.'),
    parameters: z
      .record(z.string(), z.string().refine(isPattern, 'must be a regular expression'))
      .optional()
      .describe('A regular expression for each parameter, which the whole value must match.'),
    pty: z.boolean().optional().describe('Run it on a terminal of its own.'),
    ready: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('What it prints when it takes what is typed; until then, at most 30 seconds, that waits.'),
  })
  .superRefine((command, context) => {
    const used = parametersOf(presetOf(command));
    for (const name of Object.keys(command.parameters ?? {})) {
      if (!used.includes(name)) context.addIssue({ code: 'custom', message: `${name} does not occur in argv` });
    }
    if (/^\{.*\}$/.test(command.argv[0] ?? '')) {
      context.addIssue({ code: 'custom', message: 'the program itself cannot be a parameter' });
    }
  });

const presetName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/);

export const commandRows = z
  .record(presetName, z.union([z.literal(true), ownCommand]))
  .superRefine((rows, context) => {
    for (const [name, row] of Object.entries(rows)) {
      if (row !== true || Object.hasOwn(knownPresets, name)) continue;
      context.addIssue({ code: 'custom', path: [name], message: `only ${knownNames} can be true` });
    }
  })
  .describe(
    `Commands that agents may run as consoles, by name: true for one of ${knownNames}, or a command line of your own.`,
  );

export function commandPresets(rows: z.output<typeof commandRows>): Readonly<Record<string, CommandPreset>> {
  const presets = Object.entries(rows).flatMap(([name, row]): [string, CommandPreset][] => {
    const preset = row === true ? knownPresets[name] : presetOf(row);
    return preset ? [[name, preset]] : [];
  });
  return Object.fromEntries(presets);
}

function presetOf({ argv, parameters, pty, ready }: z.output<typeof ownCommand>): CommandPreset {
  return {
    argv,
    ...(parameters && { parameters }),
    ...(pty !== undefined && { pty }),
    ...(ready !== undefined && { ready }),
  };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`, 'u') !== undefined;
  } catch {
    return false;
  }
}
