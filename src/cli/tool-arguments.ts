import { z } from 'zod';
import { UsageError } from './usage-error.ts';

const propertySchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
});

const objectSchema = z.looseObject({
  properties: z.record(z.string(), propertySchema.catch({})).default({}),
  required: z.array(z.string()).default([]),
});

type PropertySchema = z.output<typeof propertySchema>;

/** The part of a tool's input schema that reading and showing arguments needs. */
export type ArgumentSchema = z.output<typeof objectSchema>;

export function argumentSchema(inputSchema: unknown): ArgumentSchema {
  return objectSchema.safeParse(inputSchema).data ?? { properties: {}, required: [] };
}

/**
 * Reads a tool's arguments from the words of a command line: one JSON object, `-` for one on standard input, or
 * `key=value` pairs. The schema decides what a value is; a repeated key makes a list.
 */
export async function readToolArguments(
  words: readonly string[],
  schema: ArgumentSchema,
  readStdin: () => Promise<string>,
): Promise<Record<string, unknown>> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first === '-') return parseObject(await readStdin(), 'standard input');
  if (words.length === 1 && first.trimStart().startsWith('{')) return parseObject(first, 'the argument');
  const values = new Map<string, unknown>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) {
      throw new UsageError([
        `Cannot read ${JSON.stringify(word)}: give one JSON object, "-" for one on standard input, or key=value pairs.`,
      ]);
    }
    const key = word.slice(0, equals);
    const value = readValue(word.slice(equals + 1), schema.properties[key]);
    const before = values.get(key);
    const isList = allows(schema.properties[key], 'array');
    if (!values.has(key)) values.set(key, isList && !Array.isArray(value) ? [value] : value);
    else if (Array.isArray(before) && isList) values.set(key, before.concat(value));
    else throw new UsageError([`${key} is given twice and is not a list.`]);
  }
  return Object.fromEntries(values);
}

function parseObject(text: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError([`${place} is not JSON: ${error instanceof Error ? error.message : error}.`]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError([`${place} must be a JSON object such as {"machine": "console-1"}.`]);
  }
  return { ...value };
}

/** Text stays text where the tool takes text; otherwise JSON is read as what it is. */
function readValue(text: string, schema: PropertySchema | undefined): unknown {
  if (allows(schema, 'string')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function allows(schema: PropertySchema | undefined, type: string): boolean {
  return schema?.type === type || (typeof schema?.type === 'object' && schema.type.includes(type));
}
