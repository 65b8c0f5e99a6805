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

interface Form {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Form;
  readonly properties?: Readonly<Record<string, Form>>;
}

/** The arguments with the form of those whose name does not say it: `steps: [{tool, arguments}], language: asm|basic`. */
function argumentForms(schema: z.ZodObject): string {
  const { properties = {} } = jsonSchemaOf(schema) as Form;
  return Object.entries(properties)
    .map(([name, form]) => {
      const shape = shapeOf(form);
      return shape === '' ? name : `${name}: ${shape}`;
    })
    .join(', ');
}

function shapeOf({ type, enum: words, items, properties }: Form): string {
  if (words) return words.join('|');
  if (type === 'array') return `[${items ? shapeOf(items) || (items.type ?? '') : ''}]`;
  if (properties) return `{${Object.keys(properties).join(', ')}}`;
  return type === 'object' ? '{…}' : '';
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
  const parsed = schema.safeParse(raw ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const expected = argumentForms(schema) || 'none';
  const problems = parsed.error.issues.slice(0, shownProblems).map((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      return `unknown argument ${issue.keys
        .slice(0, shownProblems)
        .map((key) => key.slice(0, 60))
        .join(', ')}`;
    }
    const message = messageOf(issue);
    return path === '' ? message : `${path}: ${message}`;
  });
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${what}: ${problems.join('; ')}.`,
    `Arguments it takes: ${expected}. Correct them and call again.`,
    { problems },
  );
}

/** What is wrong; of several forms that all do not fit, which there are. */
function messageOf(issue: z.core.$ZodIssue): string {
  const types = [...new Set(expectedTypes(issue))].join(' or ');
  if (types === '') return issue.message.replace(/^Invalid (?:input|option): /, '');
  const received = issue.input === undefined ? 'missing' : `is ${typeOfInput(issue.input)}`;
  return `${received}, expected ${types}`;
}

function expectedTypes(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [issue.expected];
  return issue.code === 'invalid_union' ? issue.errors.flat().filter(isOfTheWhole).flatMap(expectedTypes) : [];
}

/** Of the value itself, not of a part of it. */
function isOfTheWhole({ path }: { readonly path: readonly PropertyKey[] }): boolean {
  return path.length === 0;
}

function typeOfInput(input: unknown): string {
  if (Array.isArray(input)) return 'array';
  return input === null ? 'null' : typeof input;
}

/** An address or a value may be given as a number where its argument is a text. */
export function numbersAsTexts(schema: z.ZodObject, raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  if (!Object.values(raw).some((value) => Number.isSafeInteger(value))) return raw;
  const isText = (name: string) => Object.hasOwn(schema.shape, name) && typeOf(schema.shape[name]) === 'string';
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      Number.isSafeInteger(value) && isText(name) ? String(value) : value,
    ]),
  );
}

interface Wrapped {
  readonly def: { readonly type: string; readonly innerType?: Wrapped };
}

/** Below what makes it optional or gives it a default. */
function typeOf(schema: unknown): string {
  let { def } = schema as Wrapped;
  while (def.innerType) def = def.innerType.def;
  return def.type;
}
