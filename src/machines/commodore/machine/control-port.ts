import { MachineError } from '../../../machine/errors.ts';

/** `name`: of the machine, as people say it. */
export function requirePort(port: number, ports: readonly number[], name: string): void {
  if (ports.includes(port)) return;
  throw new MachineError('INVALID_ARGUMENT', `The ${name} has no control port ${port}.`, `Use ${ports.join(' or ')}.`);
}
