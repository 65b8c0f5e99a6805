import type { ConsoleCapability, ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';

/** The port of this name; without one, the first. */
export function portNamed(console: ConsoleCapability, name: string | undefined): ConsolePort {
  const port = name === undefined ? console.ports[0] : console.ports.find((each) => each.name === name);
  if (port) return port;
  const names = console.ports.map((each) => each.name).join(', ');
  throw new MachineError(
    'INVALID_ARGUMENT',
    `No port ${JSON.stringify(name?.slice(0, 60))}.`,
    `Ports: ${names || 'none'}.`,
  );
}
