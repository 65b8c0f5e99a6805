/** A call that `tool_find` passes on is the call of that tool, for roles, confirmation and journal alike. */
export function throughFinder(name: string, raw: unknown): readonly [name: string, raw: unknown] {
  if (name !== 'tool_find' || typeof raw !== 'object' || raw === null || !('tool' in raw)) return [name, raw];
  const { tool, arguments: args, ...others } = raw as { tool: unknown; arguments?: unknown };
  const isPlain = typeof tool === 'string' && Object.keys(others).length === 0;
  return isPlain ? [tool, args] : [name, raw];
}
