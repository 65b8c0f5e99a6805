import { type Role, roleOfEffect } from '../api/roles.ts';
import type { Tool } from './tool.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Where a tool's effect does not say which role it needs. */
const exceptions: Readonly<Record<string, readonly [least: Role, exactly: (args: Arguments) => Role]>> = {
  // Opens devices and starts programs of this computer: which machines there are is for their owner to say.
  machine_start: ['own', () => 'own'],
  // Who may come in is for the owner to say.
  debug_port: ['own', () => 'own'],
  snapshot_restore: ['use', ({ into }) => (into === undefined ? 'use' : 'own')],
  // The reset button loses nothing that the machine's own software could not lose.
  machine_reset: ['use', ({ mode }) => (mode === 'hard' ? 'own' : 'use')],
  // What is looked at is the past; where a trace begins and ends is for everybody the same.
  frame_trace: ['observe', ({ action }) => (action === 'start' || action === 'stop' ? 'use' : 'observe')],
  // Its steps are calls, each with a role of its own.
  batch: ['observe', () => 'observe'],
  // It finds; a call that it passes on is that of the other tool.
  tool_find: ['observe', () => 'observe'],
};

/** The role that this very call needs. */
export function roleForCall(tool: Tool, args: unknown): Role {
  const exception = exceptions[tool.name];
  if (!exception) return roleOfEffect[tool.effect];
  return exception[1](typeof args === 'object' && args !== null ? { ...args } : {});
}

/** The role without which no call of the tool can succeed. */
export function leastRole(tool: Tool): Role {
  return exceptions[tool.name]?.[0] ?? roleOfEffect[tool.effect];
}

/** As a refusal names it, by the name that the caller knows. */
export function describeCall(tool: Tool, args: unknown, name = tool.name): string {
  return roleForCall(tool, args) === leastRole(tool) ? name : `${name} with these arguments`;
}
