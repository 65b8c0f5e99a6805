import type { ConsolePort } from '../../machine/console.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';

/** Nothing can be typed any more, and waiting does not help. */
export function endedLink(
  { name, link }: ConsolePort,
  what: string,
  data: Readonly<Record<string, unknown>>,
): MachineError {
  const why = link.lastError === undefined ? '' : ` (${link.lastError})`;
  return new MachineError(
    'LINK_DOWN',
    `The console ${name} has ended${why}: ${what}.`,
    [
      advice`Read its last output with ${call('console_read')}.`,
      advice`To go on, end it with ${call('machine_stop')} and start it again.`,
    ],
    { ...data, link: link.state },
  );
}
