import type { BreakpointCapability } from '../../machine/breakpoints.ts';
import { MachineError } from '../../machine/errors.ts';

export function requireType({ types }: BreakpointCapability, type: string): void {
  if (types.includes(type)) return;
  const message = `No breakpoints of type ${JSON.stringify(type.slice(0, 40))} here.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Types: ${types.join(', ')}.`, { valid_types: types });
}
