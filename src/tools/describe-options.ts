import type { z } from 'zod';
import { jsonSchemaOf } from '../api/arguments.ts';

interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Property;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** One line an option: name, type, range, default, what it is for. */
export function describeOptions(options: z.ZodObject): string {
  const { properties = {} } = jsonSchemaOf(options, true) as { properties?: Record<string, Property> };
  return Object.entries(properties)
    .map(([name, property]) => `  ${name} (${typeOf(property)}${defaultOf(property)}): ${property.description ?? ''}`)
    .join('\n');
}

function typeOf(property: Property): string {
  if (property.enum) return property.enum.join('|');
  if (property.items) return `list of ${typeOf(property.items)}`;
  const { type = 'any', minimum, maximum } = property;
  const safe = Number.MAX_SAFE_INTEGER;
  const low = minimum === undefined || minimum === -safe ? '' : `${minimum}`;
  const high = maximum === undefined || maximum === safe ? '' : `${maximum}`;
  return low || high ? `${type} ${low}..${high}` : type;
}

function defaultOf(property: Property): string {
  return property.default === undefined ? '' : `, default ${JSON.stringify(property.default)}`;
}
