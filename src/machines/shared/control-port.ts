import { MachineError } from '../../machine/errors.ts';

export const directions = ['up', 'down', 'left', 'right', 'fire'] as const;
export type Direction = (typeof directions)[number];

/** `name`: of the machine, as people say it. */
export function requirePort(port: number, ports: readonly number[], name: string): void {
  if (ports.includes(port)) return;
  throw new MachineError('INVALID_ARGUMENT', `The ${name} has no control port ${port}.`, `Use ${ports.join(' or ')}.`);
}

export function requireDirections(asked: readonly string[]): readonly Direction[] {
  return asked.map((word) => {
    const known = directions.find((direction) => direction === word);
    if (known) return known;
    const message = `No direction ${JSON.stringify(word.slice(0, 20))}.`;
    throw new MachineError('INVALID_ARGUMENT', message, `Use ${directions.join(', ')}.`);
  });
}
