import { MachineError } from '../machine/errors.ts';

const pattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/;

/** Names become file names and are shown to people: one pattern for all of them. */
export function isMachineName(name: string): boolean {
  return pattern.test(name) && !name.includes('..');
}

export function checkMachineName(name: string): void {
  if (isMachineName(name)) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(name.slice(0, 60))} cannot be a machine's name.`,
    'Use 1 to 48 letters, digits, "_", "-" or single dots, beginning with a letter or digit, for example "router-2".',
  );
}

/** Of machines named in passing; machine_list has them all. */
export const mostNamed = 30;

export function namedShortly(names: readonly string[]): string {
  const left = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
