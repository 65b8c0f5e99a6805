import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { Tool } from './tool.ts';

export type JsonSchema = Record<string, unknown> & { readonly type: 'object' };

const machineArgument = z.string().optional().describe('Handle; may be left out while only one machine runs');
const tokenArgument = z.string().optional().describe('From a previous answer that asked for confirmation');

/** A tool's arguments with those that every tool of its sort has. */
export function argumentsOf(tool: Tool): z.ZodObject {
  if (tool.scope === 'rack') return tool.input.strict();
  const own = { machine: machineArgument, ...tool.input.shape };
  return z.strictObject(tool.confirm ? { ...own, confirmation_token: tokenArgument } : own);
}

/** JSON Schema in the dialect that every client and every model provider accepts. */
export function jsonSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { ...rest, type: 'object' };
}

/** Checks arguments and says in an agent's words what is wrong with them. */
export function parseArguments(what: string, schema: z.ZodObject, raw: unknown): Record<string, unknown> {
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  const expected = Object.keys(schema.shape).join(', ') || 'none';
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') return `unknown argument ${issue.keys.join(', ')}`;
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${what}: ${problems.join('; ')}.`,
    `Arguments it takes: ${expected}. Correct them and call again.`,
    { problems },
  );
}
