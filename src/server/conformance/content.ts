import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { SurfaceTool } from '../surface.ts';

/** The smallest picture and the smallest sound there are. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type InputSchema = Tool['inputSchema'];

/** A tool that the suite calls by this name. */
export function fixture(
  name: string,
  call: SurfaceTool['call'],
  inputSchema: InputSchema = { type: 'object' },
): SurfaceTool {
  return { definition: { name, description: `Conformance fixture ${name}`, inputSchema }, role: 'observe', call };
}

export const oneString = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' as const } },
  required: [name],
});
