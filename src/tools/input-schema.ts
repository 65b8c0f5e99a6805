import { z } from 'zod';
import type { Tool } from './tool.ts';

const machineArgument = z.string().optional();
const tokenArgument = z.string().optional();

/** A tool's arguments with those that every tool of its sort has. */
export function argumentsOf(tool: Tool): z.ZodObject {
  if (tool.scope === 'rack') return tool.input.strict();
  const own = { machine: machineArgument, ...tool.input.shape };
  return z.strictObject(tool.confirm ? { ...own, confirmation_token: tokenArgument } : own);
}
