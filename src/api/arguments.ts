import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { refuseExcess } from './argument-limits.ts';
import type { JsonSchema } from './tool-host.ts';

/** JSON Schema in the dialect that every client and every model provider accepts; `whole` with what models do not need. */
export function jsonSchemaOf(schema: z.ZodObject, whole = false): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (!whole) shorten(jsonSchema);
    },
  });
  return { ...rest, type: 'object' };
}

/** Leaves out what every client pays for and no model needs; wrong arguments are refused with a better answer anyway. */
function shorten(schema: {
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  propertyNames?: unknown;
  additionalProperties?: unknown;
}): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.minimum !== undefined && schema.minimum <= 1) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.default === false) delete schema.default;
  delete schema.maxLength;
  delete schema.maxItems;
  delete schema.propertyNames;
}

/** Of a text, where the schema sets no limit. */
const mostCharsAnywhere = 1_048_576;
const shownProblems = 10;

/** Checks arguments and says in an agent's words what is wrong with them. */
export function parseArguments(
  what: string,
  schema: z.ZodObject,
  raw: unknown,
  mostChars = mostCharsAnywhere,
): Record<string, unknown> {
  refuseExcess(what, schema, raw, mostChars);
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  const expected = Object.keys(schema.shape).join(', ') || 'none';
  const problems = parsed.error.issues.slice(0, shownProblems).map((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      return `unknown argument ${issue.keys
        .slice(0, shownProblems)
        .map((key) => key.slice(0, 60))
        .join(', ')}`;
    }
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${what}: ${problems.join('; ')}.`,
    `Arguments it takes: ${expected}. Correct them and call again.`,
    { problems },
  );
}
