import type { Tool } from '@modelcontextprotocol/server';

/** An argument of a tool that clients repeat in a header, `Mcp-Param-…`, for whoever stands between them and us. */
interface MirroredArgument {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumber: boolean;
}

const encoded = /^=\?base64\?(.*)\?=$/s;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The arguments of a tool that its schema wants repeated (`x-mcp-header`). */
export function mirroredArguments({ inputSchema }: Tool): readonly MirroredArgument[] {
  return declared(inputSchema, []);
}

/** What is wrong with the headers of a call, if its arguments say something else than they do. */
export function paramHeaderFault(
  mirrored: readonly MirroredArgument[],
  args: unknown,
  headers: Headers,
): string | undefined {
  for (const { path, header, isNumber } of mirrored) {
    const value = valueAt(args, path);
    // What is no simple value is for the tool's own schema to refuse.
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const given = headers.get(header);
    const name = path.join('.');
    if (given === null) return `the header ${header} is missing, but the argument ${name} is there`;
    const decoded = decode(given);
    if (decoded === undefined) return `the header ${header} is not encoded as base64`;
    const isSame = decoded === String(value) || (isNumber && decoded.trim() !== '' && Number(decoded) === value);
    if (!isSame) return `the header ${header} and the argument ${name} differ`;
  }
  return undefined;
}

function declared(schema: unknown, path: readonly string[]): MirroredArgument[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, type, 'x-mcp-header': name }: Record<string, unknown> = { ...schema };
  const own =
    typeof name === 'string'
      ? [{ path, header: `Mcp-Param-${name}`, isNumber: type === 'integer' || type === 'number' }]
      : [];
  return [...own, ...Object.entries(properties ?? {}).flatMap(([key, inner]) => declared(inner, [...path, key]))];
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return valueAt(Reflect.get(value, key), rest);
}

function decode(header: string): string | undefined {
  const content = encoded.exec(header)?.[1];
  if (content === undefined) return header;
  if (!base64.test(content)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(content, 'base64'));
  } catch {
    return undefined;
  }
}
