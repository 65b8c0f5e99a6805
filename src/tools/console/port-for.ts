import type { ConsoleCapability, ConsolePort } from '../../machine/console.ts';
import type { ToolContext } from '../tool.ts';
import { portNamed } from './port-named.ts';

/** The port of this name, or the first, as the caller has it. */
export function portFor(
  console: ConsoleCapability,
  name: string | undefined,
  { session, client }: Pick<ToolContext, 'session' | 'client'>,
): ConsolePort {
  return portNamed(console, name).as({ id: session, name: client, kind: 'agent' });
}
