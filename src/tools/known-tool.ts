import type { z } from 'zod';
import { jsonSchemaOf } from '../api/arguments.ts';
import type { JsonSchema, ListedTool } from '../api/tool-host.ts';
import { argumentsOf } from './input-schema.ts';
import type { Tool } from './tool.ts';
import { leastRole } from './tool-role.ts';

export interface KnownTool extends ListedTool {
  readonly tool: Tool;
  readonly arguments: z.ZodObject;
}

const describedTools = new WeakMap<Tool, KnownTool>();

/** What is said of a tool is the same in every toolbox. */
export function knownTool(tool: Tool): KnownTool {
  const described = describedTools.get(tool) ?? describeTool(tool);
  describedTools.set(tool, described);
  return described;
}

/** Schemas are made when somebody asks: there are many, and most servers are asked for few. */
function describeTool(tool: Tool): KnownTool {
  const { name, toolset, title, description, effect, idempotent = false, openWorld = false } = tool;
  const listed = { name, toolset, title, description, effect, idempotent, openWorld };
  let schema: z.ZodObject | undefined;
  let inputSchema: JsonSchema | undefined;
  return {
    ...listed,
    tool,
    role: leastRole(tool),
    get arguments() {
      schema ??= argumentsOf(tool);
      return schema;
    },
    get inputSchema() {
      inputSchema ??= jsonSchemaOf(this.arguments);
      return inputSchema;
    },
  };
}
