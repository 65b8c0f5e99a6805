import { z } from 'zod';
import { sectionSchemas } from './config-sections.ts';
import { defaultText } from './help.ts';
import { type Option, options, reaches } from './options.ts';

/** The JSON schema of `frontpanel.config.json`. */
export function configSchema(): Record<string, unknown> {
  const settable = options.filter((option) => reaches(option, 'file') && !option.hidden);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'frontpanel configuration',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string', description: 'Where editors find this schema.' },
      ...Object.fromEntries(settable.map((option) => [option.name, property(option)])),
      ...Object.fromEntries(Object.entries(sectionSchemas).map(([name, schema]) => [name, sectionProperty(schema)])),
    },
  };
}

function sectionProperty(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return shape;
}

function property(option: Option): Record<string, unknown> {
  const described = option.defaultText ? `${option.summary} Default: ${defaultText(option)}.` : option.summary;
  const isSame = option.default !== undefined && !(option.type === 'number' && option.defaultFor);
  const initial = isSame ? { default: option.default } : {};
  return { ...shape(option), description: described, ...initial };
}

function shape(option: Option): Record<string, unknown> {
  switch (option.type) {
    case 'flag':
      return { type: 'boolean' };
    case 'number':
      return { type: 'integer', minimum: option.min, maximum: option.max };
    case 'list':
      return { type: 'array', items: option.choices ? { enum: option.choices } : { type: 'string', minLength: 1 } };
    case 'choice':
      return { type: 'string', enum: option.choices };
    case 'string':
      return { type: 'string', minLength: 1 };
  }
}
